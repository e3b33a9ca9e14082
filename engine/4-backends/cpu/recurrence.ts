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
import { constant, stackType } from './representation.ts';
import { emitFunction, functionWork } from './scalar/scalar-function.ts';
import { placeOf, readEach, vectorAcross, writeVectorAt } from './walk/vector-access.ts';
import { add, apply, get, i32, multiply, select, type Expression, type Local } from './wasm/expression.ts';

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
  /** Along knots: where one that goes back begins each, and where that is written. */
  readonly from: Line | undefined;
  readonly reached: Line | undefined;
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
  const from = step.back && lineOf(k, sourceCursor(k, step.back.from), axis);
  const reached = step.reached && lineOf(k, accessCursor(k, step.reached, 'int'), axis);
  const all: Recurrence = { step, length, initial, invariants, inputs, finals, outputs, from, reached };
  const lines = [...inputs, ...outputs.map(({ line }) => line), ...(from ? [from] : []), ...(reached ? [reached] : [])];
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
    // What goes back has the slot of each of its lanes, and one vector of them.
    if (work <= SHORT_STEP && !from)
      forManyInRow(k, row, cursors, ABREAST * count, () => vectorsOfItems(k, all, ABREAST));
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
  const taken = (here: readonly Expression[]): { results: Expression[]; same: Expression | undefined } => {
    const results = emitFunction(k, step.step, [...carries.map(get), ...here, ...fixed.map(get)]);
    const same = unchanged(
      k,
      all,
      carries.map((carry, i) => [carry, results[i]!]),
    );
    return { results, same };
  };
  const setCarries = (results: readonly Expression[]): void => carries.forEach((carry, i) => f.set(carry, results[i]!));
  if (step.back) {
    forBack(k, all, 1, i32(1), (stand) => {
      const { results, same } = taken(inputs.map((input, i) => readBack(k, input, step.back!.inputs[i]!, stand)));
      setCarries(results);
      return same;
    });
  } else {
    const readers = lineReaders(k, inputs);
    const mark = (value: Expression): void => writeAt(k, 'int', get(all.reached!.along.at), value);
    forWritten(k, all, inputs, mark, (written) => {
      const { results, same } = taken(readers.map((reader) => reader()));
      written(({ line, at }) => writeAt(k, resultType(at), get(line.along.at), results[at]!));
      setCarries(results);
      return same;
    });
  }
  finals.forEach(({ cursor, at }) => write(k, cursor, get(carries[at]!)));
}

/**
 * `body` at every step; what it gives to `written` is done for each output that is wanted there. It gives whether all carries are as they
 * were: then steps that rest are passed over. `mark` writes the last slot of a knot that was taken.
 */
function forWritten(
  k: Kernel,
  { step: { rests }, length, outputs, reached }: Recurrence,
  inputs: readonly Line[],
  mark: (slot: Expression) => void,
  body: (written: (write: (output: Recurrence['outputs'][number]) => void) => void) => Expression | undefined,
): void {
  const { f } = k;
  const always = outputs.filter(({ every }) => every === 1);
  const thin = [...new Set([...outputs.map(({ every }) => every), ...(rests === undefined ? [] : [rests])])]
    .filter((every) => every !== 1)
    .map((every) => ({ every, outputs: outputs.filter((each) => each.every === every), since: f.keep(i32(0)) }));
  for (const { outputs } of thin) for (const { line } of outputs) f.set(line.along.at, get(line.item.at));
  const lines = [...inputs, ...always.map(({ line }) => line)];
  if (reached) f.set(reached.along.at, get(reached.item.at));
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
      if (every !== rests) continue;
      // What comes after the first of so many may be another than that.
      const isLater = apply('i32.lt_s', add(get(since), i32(1)), k.size(every));
      const atRest = same && get(f.keep(apply('i32.and', same, isLater)));
      const isLast = apply('i32.eqz', get(since));
      if (reached)
        f.if(atRest ? apply('i32.or', atRest, isLast) : isLast, () => {
          mark(apply('i32.sub', apply('i32.sub', k.size(every), i32(1)), get(since)));
          f.increase(reached.along.at, k.size(reached.stride, reached.along.unit));
        });
      if (!atRest) continue;
      f.if(atRest, () => {
        for (const { along, stride } of lines) f.increase(along.at, multiply(k.size(stride, along.unit), get(since)));
        f.increase(place, get(since));
        f.set(since, i32(0));
      });
    }
  });
}

/** Where a recurrence that goes back stands: its slot of a knot, and by lanes how far before it the other came to rest. */
interface Stand {
  readonly slot: Local;
  readonly ahead: readonly Local[];
  readonly apart: Expression;
}

/**
 * `body` at every step back, where it is not passed over: an idle slot that leaves the adjoints as they are is followed by others of the
 * same inputs, down to that where all lanes had come to rest.
 */
function forBack(
  k: Kernel,
  { step: { rests, back }, length, inputs, from }: Recurrence,
  lanes: number,
  apart: Expression,
  body: (stand: Stand) => Expression | undefined,
): void {
  const { f } = k;
  if (!from || !back || rests === undefined) throw new TypeError('a recurrence that goes back has slots');
  const ofKnots = [from, ...inputs.filter((_, i) => back.inputs[i] === 'first')];
  const others = inputs.filter((_, i) => back.inputs[i] !== 'first');
  const locals = (): Local[] => Array.from({ length: lanes }, () => f.local('i32'));
  const [slot, top, reached, ahead] = [f.keep(i32(0)), f.local('i32'), locals(), locals()];
  for (const { along, item } of ofKnots) f.set(along.at, get(item.at));
  const stride = strideOf(from.item);
  forLine(k, length, others, (place) => {
    f.if(apply('i32.eqz', get(slot)), () => {
      f.if(get(place), () => {
        for (const { along, stride } of ofKnots) f.increase(along.at, k.size(stride, along.unit));
      });
      f.set(top, i32(0));
      reached.forEach((local, lane) => {
        const address = f.keep(placeOf(k, get(from.along.at), stride, from.along.unit, 0, lane, apart));
        f.set(local, read(k, { ...from.along, at: address }));
        f.set(top, select(get(local), get(top), apply('i32.gt_s', get(local), get(top))));
      });
      f.set(slot, k.size(rests));
    });
    f.increase(slot, i32(-1));
    reached.forEach((local, lane) => {
      const left = get(f.keep(apply('i32.sub', get(slot), get(local))));
      f.set(ahead[lane]!, select(left, i32(0), apply('i32.gt_s', left, i32(0))));
    });
    const same = body({ slot, ahead, apart });
    if (!same) return;
    f.if(apply('i32.and', same, apply('i32.ge_s', get(slot), get(top))), () => {
      const passed = f.keep(apply('i32.sub', get(slot), get(top)));
      for (const { along, stride } of others) f.increase(along.at, multiply(k.size(stride, along.unit), get(passed)));
      f.increase(place, get(passed));
      f.set(slot, get(top));
    });
  });
}

/** An input of one that goes back, where it stands. */
function readBack(
  k: Kernel,
  { item, along, stride }: Line,
  kind: 'kept' | 'same' | 'first',
  { slot, ahead, apart }: Stand,
): Expression {
  const isVector = ahead.length > 1;
  const element = along.element === 'index' ? 'int' : along.element;
  if (kind === 'kept') {
    const places = ahead.map((steps, lane) => {
      const first = placeOf(k, get(along.at), strideOf(item), along.unit, 0, lane, apart);
      return add(first, multiply(k.size(stride, along.unit), get(steps)));
    });
    return isVector ? readEach(k, element, places) : read(k, { ...along, at: k.f.keep(places[0]!) });
  }
  const here = isVector ? vectorAcross(k, { ...item, at: along.at }, 0, apart) : read(k, along);
  if (kind === 'same') return here;
  const isFirst = apply('i32.eqz', get(slot));
  if (isVector) return apply('v128.and', here, apply('i32x4.splat', apply('i32.sub', i32(0), isFirst)));
  return select(here, constant(k.precision, { type: 'real', value: 0 }), isFirst);
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
  const taken = ({ carries, fixed }: (typeof sets)[number], here: readonly Expression[]) => {
    const results = emitFunction(k, step.step, [...carries.map(get), ...here, ...fixed.map(get)], vectorLanes);
    const same = unchanged(
      k,
      all,
      carries.map((carry, i) => [carry, results[i]!]),
    );
    return { results, same };
  };
  const setCarries = ({ carries }: (typeof sets)[number], results: readonly Expression[]): void =>
    carries.forEach((carry, i) => f.set(carry, results[i]!));
  if (step.back) {
    const { inputs: courses } = step.back;
    const only = sets[0]!;
    forBack(k, all, vectorLanes.count(k), apart, (stand) => {
      const { results, same } = taken(
        only,
        inputs.map((input, i) => readBack(k, input, courses[i]!, stand)),
      );
      setCarries(only, results);
      return same;
    });
  } else {
    // What is the same at every step is read once.
    const still = inputs.map(({ item, stride }) =>
      stride === 0 ? ahead.map((items) => kept(vectorAcross(k, item, items, apart))) : undefined,
    );
    const mark = (value: Expression): void => {
      const { along, item } = all.reached!;
      const slot = vectorLanes.spread(k, 'int', value);
      for (const { items } of sets) writeVectorAt(k, 'int', get(along.at), strideOf(item), slot, items, apart);
    };
    forWritten(k, all, inputs, mark, (written) => {
      const same = sets.map((each, set) => {
        const { items } = each;
        const here = inputs.map(({ item, along }, i) => {
          const same = still[i]?.[set];
          return same ? get(same) : vectorAcross(k, { ...item, at: along.at }, items, apart);
        });
        const { results, same } = taken(each, here);
        written(({ line: { item, along }, at }) =>
          writeVectorAt(k, resultType(at), get(along.at), strideOf(item), results[at]!, items, apart),
        );
        setCarries(each, results);
        return same;
      });
      return same.reduce((both, one) => both && one && apply('i32.and', both, one));
    });
  }
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
