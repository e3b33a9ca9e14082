/**
 * (carriesₜ, outputsₜ) = step(carriesₜ₋₁, inputsₜ, invariants); the last carries are the finals.
 *
 * Steps wait for one another, items do not: neighbours of a batch advance side by side, a vector of them in each lane and
 * several vectors at a time, so that one's step runs while the other's waits and whole lines of the cache are read.
 */
import type { Size } from '../../0-ir/sizes.ts';
import { withoutAxis, type ElementType } from '../../0-ir/types.ts';
import type { Access, RecurrenceStep } from '../../3-plan/plan.ts';
import { accessCursor, lineOf, read, sourceCursor, write, writeAt, type Cursor, type Line } from './walk/access.ts';
import {
  forEachInRow,
  forLine,
  forManyInRow,
  forManyOrOneInRow,
  forRestOfRow,
  forRows,
  lineReaders,
} from './walk/items.ts';
import type { Kernel } from './kernel.ts';
import { vectorLanes } from './scalar/lanes.ts';
import { stackType } from './representation.ts';
import { emitFunction, functionWork } from './scalar/scalar-function.ts';
import { vectorAcross, writeVectorAt } from './walk/vector-access.ts';
import { add, apply, get, i32, multiply, type Expression, type Local } from './wasm/expression.ts';

/** Vectors side by side, where a step is so short that its registers do not run out. */
const ABREAST = 4;
const SHORT_STEP = 40;
/** A step so long is written once, in vectors: to write and compile it costs more than a lane that does the same again. */
const LONG_STEP = 2000;

interface Recurrence {
  readonly step: RecurrenceStep;
  readonly length: Expression;
  readonly initial: readonly Cursor[];
  readonly invariants: readonly Cursor[];
  readonly inputs: readonly Line[];
  readonly finals: readonly { readonly cursor: Cursor; readonly at: number }[];
  readonly outputs: readonly { readonly line: Line; readonly at: number; readonly every: Size }[];
}

export function emitRecurrence(k: Kernel, step: RecurrenceStep): void {
  const { axis, domain } = step;
  const resultType = resultTypeOf(step);
  const initial = step.initial.map((source) => sourceCursor(k, source));
  const invariants = step.invariants.map((source) => sourceCursor(k, source));
  const inputs = step.inputs.map((source) => lineOf(k, sourceCursor(k, source), axis));
  const finals = wanted(step.finals).map(({ access, at }) => ({ cursor: accessCursor(k, access, resultType(at)), at }));
  const outputs = wanted(step.outputs).map(({ access, at }) => ({
    line: lineOf(k, accessCursor(k, access, resultType(initial.length + at)), axis),
    at: initial.length + at,
    every: step.every?.[at] ?? 1,
  }));
  const length = k.size(domain[axis]!);
  const all: Recurrence = { step, length, initial, invariants, inputs, finals, outputs };
  const lines = [...inputs, ...outputs.map(({ line }) => line)];
  const cursors = [...initial, ...invariants, ...finals.map(({ cursor }) => cursor), ...lines.map((line) => line.item)];
  const items = withoutAxis(domain, axis);
  const count = vectorLanes.count(k);
  const last = items.at(-1) ?? 1;
  const isShort = typeof last === 'number' && last < count;
  // However long an item takes, a thread takes as many at a time as fill a vector.
  if (!isShort) k.together = count;
  const carries = initial.map((_, i) => k.f.local(stackType(k.precision, resultType(i))));
  forRows(k, items, cursors, (row) => {
    if (isShort) {
      forEachInRow(k, row, cursors, () => oneItem(k, all, carries));
      return;
    }
    const work = functionWork(step.step);
    if (work > LONG_STEP) {
      forManyOrOneInRow(k, row, cursors, count, (isMany) => vectorsOfItems(k, all, 1, get(isMany)));
      return;
    }
    if (work <= SHORT_STEP) forManyInRow(k, row, cursors, ABREAST * count, () => vectorsOfItems(k, all, ABREAST));
    forManyInRow(k, row, cursors, count, () => vectorsOfItems(k, all, 1));
    forRestOfRow(k, row, cursors, () => oneItem(k, all, carries));
  });
}

function oneItem(k: Kernel, all: Recurrence, carries: readonly Local[]): void {
  const { f } = k;
  const { step, initial, invariants, inputs, finals } = all;
  const resultType = resultTypeOf(step);
  initial.forEach((cursor, i) => f.set(carries[i]!, read(k, cursor)));
  const fixed = invariants.map((cursor) => f.keep(read(k, cursor)));
  const readers = lineReaders(k, inputs);
  forWritten(k, all, inputs, (written) => {
    const args = [...carries.map(get), ...readers.map((reader) => reader()), ...fixed.map(get)];
    const results = emitFunction(k, step.step, args);
    written(({ line, at }) => writeAt(k, resultType(at), get(line.along.at), results[at]!));
    const same = unchanged(
      k,
      all,
      carries.map((carry, i) => [carry, results[i]!]),
    );
    carries.forEach((carry, i) => f.set(carry, results[i]!));
    return same;
  });
  finals.forEach(({ cursor, at }) => write(k, cursor, get(carries[at]!)));
}

/**
 * `body` at every step; what it gives to `written` is done for each output that is wanted there. It gives whether all carries are as they
 * were: then steps that rest are passed over.
 */
function forWritten(
  k: Kernel,
  { step: { rests }, length, outputs }: Recurrence,
  inputs: readonly Line[],
  body: (written: (write: (output: Recurrence['outputs'][number]) => void) => void) => Expression | undefined,
): void {
  const { f } = k;
  const always = outputs.filter(({ every }) => every === 1);
  const thin = [...new Set([...outputs.map(({ every }) => every), ...(rests === undefined ? [] : [rests])])]
    .filter((every) => every !== 1)
    .map((every) => ({ every, outputs: outputs.filter((each) => each.every === every), since: f.keep(i32(0)) }));
  for (const { outputs } of thin) for (const { line } of outputs) f.set(line.along.at, get(line.item.at));
  const lines = [...inputs, ...always.map(({ line }) => line)];
  forLine(k, length, lines, (place) => {
    const same = body((write) => {
      always.forEach(write);
      for (const { outputs, since } of thin) f.if(apply('i32.eqz', get(since)), () => outputs.forEach(write));
    });
    for (const { every, outputs, since } of thin) {
      f.if(apply('i32.eqz', get(since)), () => {
        for (const { line } of outputs) f.increase(line.along.at, k.size(line.stride, line.along.unit));
        f.set(since, k.size(every));
      });
      f.increase(since, i32(-1));
      if (every !== rests || !same) continue;
      // What comes after the first of so many may be another than that.
      const isLater = apply('i32.lt_s', add(get(since), i32(1)), k.size(every));
      f.if(apply('i32.and', same, isLater), () => {
        for (const { along, stride } of lines) f.increase(along.at, multiply(k.size(stride, along.unit), get(since)));
        f.increase(place, get(since));
        f.set(since, i32(0));
      });
    }
  });
}

/** Whether all that stands in these locals is, bit for bit, what comes next; kept before it comes. Undefined where nobody asks. */
function unchanged(
  k: Kernel,
  { step }: Recurrence,
  pairs: readonly (readonly [Local, Expression])[],
): Expression | undefined {
  if (step.rests === undefined) return undefined;
  const equal = ([before, after]: readonly [Local, Expression]): Expression => {
    if (before.type === 'v128') return apply('i64x2.eq', get(before), after);
    const bits = (value: Expression): Expression =>
      value.type === 'f64'
        ? apply('i64.reinterpret_f64', value)
        : value.type === 'f32'
          ? apply('i32.reinterpret_f32', value)
          : value;
    return apply(before.type === 'f64' ? 'i64.eq' : 'i32.eq', bits(get(before)), bits(after));
  };
  const [first, ...others] = pairs.map(equal);
  if (!first) return undefined;
  const isVector = first.type === 'v128';
  const all = others.reduce((both, one) => apply(isVector ? 'v128.and' : 'i32.and', both, one), first);
  return get(k.f.keep(isVector ? apply('i64x2.all_true', all) : all));
}

/** So many vectors of items from where the cursors stand; where `apart` is 0 each of a single item, in all its lanes. */
function vectorsOfItems(k: Kernel, all: Recurrence, many: number, apart = i32(1)): void {
  const { f } = k;
  const { step, initial, invariants, inputs, finals } = all;
  const resultType = resultTypeOf(step);
  const ahead = Array.from({ length: many }, (_, vector) => vector * vectorLanes.count(k));
  const kept = (value: Expression): Local => f.keep(value);
  const sets = ahead.map((items) => ({
    items,
    carries: initial.map((cursor) => kept(vectorAcross(k, cursor, items, apart))),
    fixed: invariants.map((cursor) => kept(vectorAcross(k, cursor, items, apart))),
  }));
  // What is the same at every step is read once.
  const still = inputs.map(({ item, stride }) =>
    stride === 0 ? ahead.map((items) => kept(vectorAcross(k, item, items, apart))) : undefined,
  );
  forWritten(k, all, inputs, (written) => {
    const same = sets.map(({ items, carries, fixed }, set) => {
      const here = inputs.map(({ item, along }, i) => {
        const same = still[i]?.[set];
        return same ? get(same) : vectorAcross(k, { ...item, at: along.at }, items, apart);
      });
      const results = emitFunction(k, step.step, [...carries.map(get), ...here, ...fixed.map(get)], vectorLanes);
      written(({ line: { item, along }, at }) =>
        writeVectorAt(k, resultType(at), get(along.at), strideOf(item), results[at]!, items, apart),
      );
      const isSame = unchanged(
        k,
        all,
        carries.map((carry, i) => [carry, results[i]!]),
      );
      carries.forEach((carry, i) => f.set(carry, results[i]!));
      return isSame;
    });
    return same.reduce((both, one) => both && one && apply('i32.and', both, one));
  });
  for (const { items, carries } of sets)
    finals.forEach(({ cursor, at }) =>
      writeVectorAt(k, resultType(at), get(cursor.at), strideOf(cursor), get(carries[at]!), items, apart),
    );
}

function strideOf({ strides }: Cursor): Size {
  return strides.at(-1) ?? 0;
}

function resultTypeOf({ step }: RecurrenceStep): (result: number) => ElementType {
  return (result) => step.body.results[result]?.type ?? 'real';
}

function wanted(accesses: readonly (Access | null)[]): { access: Access; at: number }[] {
  return accesses.flatMap((access, at) => (access ? [{ access, at }] : []));
}
