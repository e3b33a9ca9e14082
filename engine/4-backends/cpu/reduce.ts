import { componentTypes } from '../../0-ir/operators.ts';
import type { Size } from '../../0-ir/sizes.ts';
import { withoutAxis } from '../../0-ir/types.ts';
import type { ReduceStep } from '../../3-plan/plan.ts';
import { accessCursor, lineOf, sourceCursor, write, type Cursor } from './access.ts';
import { accumulate, elementOf, isRealSum, neutralOf, newAccumulator, reset } from './combining.ts';
import { forItems, forLine, lineReaders } from './items.ts';
import type { Kernel } from './kernel.ts';
import { emitReduceAcross, reducesAcross } from './reduce-across.ts';
import { constant } from './representation.ts';
import { apply, get, i32, select, type Expression, type Local } from './wasm/expression.ts';

/** outputs[item] = x₀ ⊙ x₁ ⊙ … ⊙ xₙ₋₁, the neutral element for n = 0 */
export function emitReduce(k: Kernel, step: ReduceStep): void {
  if (reducesAcross(step)) emitReduceAcross(k, step);
  else emitReduceAlong(k, step);
}

/** One item after the other, its total in locals. */
function emitReduceAlong(k: Kernel, step: ReduceStep): void {
  const { operator, axis } = step;
  const types = componentTypes(operator);
  const lines = step.inputs.map((source) => lineOf(k, sourceCursor(k, source), axis));
  const outputs = step.outputs.map((access, i) => accessCursor(k, access, types[i] ?? 'real'));
  const length = k.size(step.domain[axis] as Size);
  const cursors: Cursor[] = [...lines.map((line) => line.item), ...outputs];
  const total = newAccumulator(k, operator, false);
  forItems(k, withoutAxis(step.domain, axis), cursors, () => {
    reset(k, total);
    const sum = isRealSum(operator) ? blockedSum(k, total.components) : undefined;
    const readers = lineReaders(k, lines);
    forLine(k, length, lines, (place) => {
      sum?.closeBlock(place);
      const element = elementOf(
        k,
        step,
        readers.map((reader) => reader()),
      );
      if (sum) sum.add(element);
      else accumulate(k, total, element);
    });
    sum?.finish();
    const isEmpty = apply('i32.eqz', length);
    neutralOf(k, operator).forEach((neutral, i) => {
      write(k, outputs[i] as Cursor, select(neutral, get(total.components[i] as Local), isEmpty));
    });
  });
}

/**
 * Real sums go through blocks of 128 elements and of 128 blocks, in a fixed order: the rounding error grows with
 * 256 + n/16384 instead of n.
 */
function blockedSum(k: Kernel, totals: readonly Local[]) {
  const { f } = k;
  const minusZero = constant(k.precision, { type: 'real', value: -0 });
  const [inner, outer] = [totals.map(() => f.keep(minusZero)), totals.map(() => f.keep(minusZero))] as const;
  const flush = (from: readonly Local[], into: readonly Local[]) =>
    from.forEach((local, i) => {
      add(into[i] as Local, get(local));
      f.set(local, minusZero);
    });
  const add = (into: Local, value: Expression) => f.set(into, apply(`${k.precision}.add`, get(into), value));
  const endsBlock = (place: Local, size: number) => apply('i32.eqz', apply('i32.and', get(place), i32(size - 1)));
  return {
    closeBlock(place: Local): void {
      f.if(endsBlock(place, 128), () => {
        flush(inner, outer);
        f.if(endsBlock(place, 128 * 128), () => flush(outer, totals));
      });
    },
    add: (element: readonly Expression[]) => inner.forEach((local, i) => add(local, element[i] as Expression)),
    finish(): void {
      flush(inner, outer);
      flush(outer, totals);
    },
  };
}
