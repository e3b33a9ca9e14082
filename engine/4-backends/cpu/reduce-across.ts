/**
 * A reduce along an axis that is not the one along which memory runs: all items of a stretch advance together, one place
 * of the axis after the other, so that the inner loop reads neighbours. The totals stand in the outputs.
 */
import { componentTypes } from '../../0-ir/operators.ts';
import type { Size } from '../../0-ir/sizes.ts';
import { withoutAxis } from '../../0-ir/types.ts';
import type { ReduceStep } from '../../3-plan/plan.ts';
import { accessCursor, lineOf, read, sourceCursor, write, type Cursor } from './access.ts';
import { elementOf, exactStart, neutralOf } from './combining.ts';
import { forLine, forRows, minimum } from './items.ts';
import type { Kernel } from './kernel.ts';
import { constant } from './representation.ts';
import { emitFunction } from './scalar-function.ts';
import { add, apply, get, i32, select, type Expression, type Local } from './wasm/expression.ts';

/** So many totals stay in the first-level cache. */
const STRETCH = 512;

/** Worth it where inputs are contiguous along the last axis of the items and that axis may be long. */
export function reducesAcross({ domain, axis, inputs }: ReduceStep): boolean {
  const last = domain.length - 1;
  if (axis === last || typeof domain[last] === 'number') return false;
  const contiguous = (along: number) =>
    inputs.filter((input) => input.kind === 'array' && input.strides[along] === 1).length;
  return contiguous(last) > contiguous(axis);
}

export function emitReduceAcross(k: Kernel, step: ReduceStep): void {
  const { f } = k;
  const { operator, axis } = step;
  const types = componentTypes(operator);
  const lines = step.inputs.map((source) => lineOf(k, sourceCursor(k, source), axis));
  const outputs = step.outputs.map((access, i) => accessCursor(k, access, types[i] ?? 'real'));
  const length = k.size(step.domain[axis] as Size);
  const cursors: Cursor[] = [...lines.map((line) => line.item), ...outputs];
  const start = exactStart(operator, false);
  const walk = [
    ...lines.map((line) => ({ ...line.item, at: f.local('i32') })),
    ...outputs.map((o) => ({ ...o, at: f.local('i32') })),
  ];
  const inputWalk = walk.slice(0, lines.length);
  const outputWalk = walk.slice(lines.length);

  forRows(k, withoutAxis(step.domain, axis), cursors, (row) => {
    f.loop((repeat) => {
      const count = f.keep(minimum(k, apply('i32.sub', get(row.end), get(row.at)), i32(STRETCH)));
      const begin = () => outputWalk.forEach((cursor, i) => f.set(cursor.at, get((outputs[i] as Cursor).at)));
      begin();
      const neutral = neutralOf(k, operator);
      const initial = neutral.map((value, i) => {
        const type = types[i] ?? 'real';
        return start
          ? select(value, constant(k.precision, { type, value: start[i] as number }), apply('i32.eqz', length))
          : value;
      });
      forStretch(k, count, outputWalk, () =>
        outputWalk.forEach((cursor, i) => write(k, cursor, initial[i] as Expression)),
      );
      forLine(k, length, lines, (place) => {
        begin();
        lines.forEach(({ along }, i) => f.set((inputWalk[i] as Cursor).at, get(along.at)));
        forStretch(k, count, walk, () => {
          const element = elementOf(
            k,
            step,
            inputWalk.map((cursor) => read(k, cursor)),
          );
          const store = (values: readonly Expression[]) =>
            outputWalk.forEach((cursor, i) => write(k, cursor, values[i] as Expression));
          const combine = () =>
            store(emitFunction(k, operator.combine, [...outputWalk.map((cursor) => read(k, cursor)), ...element]));
          if (start) combine();
          else f.if(get(place), combine, () => store(element));
        });
      });
      for (const cursor of cursors)
        f.increase(cursor.at, apply('i32.mul', get(count), k.size(cursor.strides.at(-1) ?? 0, cursor.unit)));
      f.increase(row.at, get(count));
      f.branchIf(repeat, apply('i32.lt_s', get(row.at), get(row.end)));
    });
  });
}

/** `body` at `count` neighbouring items, at least one. */
function forStretch(k: Kernel, count: Local, cursors: readonly Cursor[], body: () => void): void {
  const { f } = k;
  const left = f.keep(get(count));
  f.loop((repeat) => {
    body();
    for (const { at, strides, unit } of cursors) f.increase(at, k.size(strides.at(-1) ?? 0, unit));
    f.set(left, add(get(left), i32(-1)));
    f.branchIf(repeat, get(left));
  });
}
