import type { Size } from '../../0-ir/sizes.ts';
import { withoutAxis, type ElementType } from '../../0-ir/types.ts';
import type { Access, RecurrenceStep } from '../../3-plan/plan.ts';
import { accessCursor, lineOf, read, sourceCursor, write, writeAt } from './access.ts';
import { forItems, forLine, lineReaders } from './items.ts';
import type { Kernel } from './kernel.ts';
import { stackType } from './representation.ts';
import { emitFunction } from './scalar-function.ts';
import { get, type Expression, type Local } from './wasm/expression.ts';

/** (carriesₜ, outputsₜ) = step(carriesₜ₋₁, inputsₜ, invariants); the last carries are the finals. */
export function emitRecurrence(k: Kernel, step: RecurrenceStep): void {
  const { f } = k;
  const { axis } = step;
  const carryCount = step.initial.length;
  const resultType = (result: number): ElementType => step.step.body.results[result]?.type ?? 'real';
  const initial = step.initial.map((source) => sourceCursor(k, source));
  const invariants = step.invariants.map((source) => sourceCursor(k, source));
  const inputs = step.inputs.map((source) => lineOf(k, sourceCursor(k, source), axis));
  const finals = wanted(step.finals).map(({ access, at }) => ({ cursor: accessCursor(k, access, resultType(at)), at }));
  const outputs = wanted(step.outputs).map(({ access, at }) => ({
    line: lineOf(k, accessCursor(k, access, resultType(carryCount + at)), axis),
    at: carryCount + at,
  }));
  const lines = [...inputs, ...outputs.map(({ line }) => line)];
  const cursors = [...initial, ...invariants, ...finals.map(({ cursor }) => cursor), ...lines.map((line) => line.item)];
  const carries = initial.map((_, i) => f.local(stackType(k.precision, resultType(i))));
  forItems(k, withoutAxis(step.domain, axis), cursors, () => {
    initial.forEach((cursor, i) => f.set(carries[i] as Local, read(k, cursor)));
    const fixed = invariants.map((cursor) => f.keep(read(k, cursor)));
    const readers = lineReaders(k, inputs);
    forLine(k, k.size(step.domain[axis] as Size), lines, () => {
      const args = [...carries.map(get), ...readers.map((reader) => reader()), ...fixed.map(get)];
      const results = emitFunction(k, step.step, args);
      outputs.forEach(({ line, at }) => writeAt(k, resultType(at), get(line.along.at), results[at] as Expression));
      carries.forEach((carry, i) => f.set(carry, results[i] as Expression));
    });
    finals.forEach(({ cursor, at }) => write(k, cursor, get(carries[at] as Local)));
  });
}

function wanted(accesses: readonly (Access | null)[]): { access: Access; at: number }[] {
  return accesses.flatMap((access, at) => (access ? [{ access, at }] : []));
}
