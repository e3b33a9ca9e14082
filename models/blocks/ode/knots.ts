/**
 * The knots of a solution: where it starts, doses are given, inputs bend, and outputs are wanted, in order of time. A
 * step of the solver lies between two neighbours, so that none goes across a jump.
 *
 * Each piece (the start, every event's times, every input's times, the output times) has its place in one unsorted list;
 * `places` says where each goes. Knots that fall together stay apart, a step of length zero between them, in the order
 * of the pieces: at one time doses come before outputs. Times stay values of the program, so that derivatives by them
 * are exact.
 *
 * Layout: [M, …timed], `timed` being the batch axes where series have times of their own, and [] where all share them.
 */
import {
  builtinOperator,
  type ProgramBuilder,
  realLiteral,
  type Shape,
  type Size,
  type Value,
} from '../../../engine/index.ts';
import { expression } from '../../objective/expression.ts';

/** [m, …rest] or a scalar, over [m, …timed]: axes that it lacks go between, and it is repeated along them. */
export function overTimed(b: ProgramBuilder, value: Value, timed: Shape): Value {
  const [first = 1, ...rest] = value.type.shape;
  const missing = timed.slice(rest.length).map(() => 1);
  return b.replicate(b.reshape(value, [first, ...missing, ...rest]), [first, ...timed]);
}

/** min over axis 0 of the times that there are: [1, …]; ∞ for none. */
export function firstTime(b: ProgramBuilder, times: Value): Value {
  return extreme(b, times, 'min', Infinity);
}

/** max over axis 0 of the times that there are: [1, …]; −∞ for none. */
export function lastTime(b: ProgramBuilder, times: Value): Value {
  return extreme(b, times, 'max', -Infinity);
}

function extreme(b: ProgramBuilder, times: Value, operator: 'min' | 'max', missing: number): Value {
  const there = insteadOfNaN(b, times, missing);
  const [found] = b.reduce(builtinOperator(operator), [there], 0);
  return b.reshape(found!, [1, ...times.type.shape.slice(1)]);
}

function insteadOfNaN(b: ProgramBuilder, times: Value, missing: number): Value {
  return b.elementwise([times], (s, t) =>
    expression(s).choose(
      s.apply('isnan', t),
      () => realLiteral(missing),
      () => t,
    ),
  );
}

/** The unsorted knots, the start first; NaN where a series has fewer. */
export function knotTimes(b: ProgramBuilder, pieces: readonly Value[], count: Size, timed: Shape): Value {
  const all = b.concatenate(
    pieces.map((piece) => overTimed(b, piece, timed)),
    0,
  );
  return b.reshape(all, [count, ...timed]);
}

/** Where each knot goes, […timed, M], of times [M, …timed] that are known. NaN goes last, nothing before the start. */
export function placesOf(times: ArrayLike<number>, count: number): Int32Array {
  const series = count === 0 ? 0 : times.length / count;
  const places = new Int32Array(times.length);
  for (let column = 0; column < series; column++) {
    const keys = Array.from({ length: count }, (_, knot) => {
      const time = times[knot * series + column]!;
      return Number.isNaN(time) ? Infinity : Math.max(time, times[column]!);
    });
    const order = keys.map((_, knot) => knot).sort((a, b) => ascending(keys[a]!, keys[b]!) || a - b);
    order.forEach((knot, place) => (places[column * count + knot] = place));
  }
  return places;
}

function ascending(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The same for times that move with a parameter: each knot's place is the number of those before it. O(M²). */
export function computedPlaces(b: ProgramBuilder, times: Value): Value {
  const [count, ...timed] = times.type.shape as [Size, ...Size[]];
  const keys = b.apply('max', insteadOfNaN(b, times, Infinity), b.replicate(b.slice(times, 0, 0, 1), times.type.shape));
  const ones = timed.map(() => 1);
  const [own, place] = [b.reshape(keys, [1, count, ...timed]), b.reshape(b.iota(count), [1, count, ...ones])];
  const [others, otherPlace] = [b.reshape(keys, [count, 1, ...timed]), b.reshape(b.iota(count), [count, 1, ...ones])];
  const before = b.elementwise([others, own, otherPlace, place], (s, other, key, j, i) => {
    const tied = s.apply('and', s.apply('eq', other, key), s.apply('lt', j, i));
    return s.apply('int', s.apply('or', s.apply('lt', other, key), tied));
  });
  const [places] = b.reduce(builtinOperator('add', 'int'), [before], 0);
  return batchFirst(b, places!, timed.length);
}

/**
 * At each sorted knot how many of a piece's own come no later in their order, [M, …timed], int: of knots that fall together
 * those behind it have not passed yet. All before the start have.
 */
export function passedOf(
  b: ProgramBuilder,
  { unsorted, knots }: { readonly unsorted: Value; readonly knots: Pick<Knots, 'sorted'> },
  pieces: readonly Value[],
  piece: number,
): Value {
  const timed = unsorted.type.shape.slice(1);
  const start = b.slice(unsorted, 0, 0, 1);
  const told = (value: Value, isEarly: boolean): Value =>
    b.elementwise([overTimed(b, value, timed), start], (s, time, from) => {
      const early = s.apply('le', time, from);
      const late = s.apply('lt', from, time);
      return s.apply('real', isEarly ? early : late);
    });
  const parts = pieces.map((each, i) => {
    const late = told(each, false);
    return i === piece ? late : b.zeros(late.type);
  });
  const own = b.reshape(b.concatenate(parts, 0), unsorted.type.shape);
  const [later] = b.scan(builtinOperator('add'), [knots.sorted(own)], 0);
  const [early] = b.reduce(builtinOperator('add'), [told(pieces[piece]!, true)], 0);
  return b.elementwise([later!, b.reshape(early!, start.type.shape)], (s, passed, before) =>
    s.apply('int', s.apply('add', passed, before)),
  );
}

export interface Knots {
  /** Ascending, [M, …timed]. What lies beyond the last output is at the last output. */
  readonly times: Value;
  /** A value over the unsorted knots [M, …] in their order. */
  readonly sorted: (value: Value) => Value;
  /** What stands at the outputs, [n, …batch], of a value over the sorted knots [M, …batch]. */
  readonly atOutputs: (value: Value) => Value;
}

/** `places` as above; `outputs` are the last of the unsorted knots, n of them, beginning at `before`. */
export function knotsInOrder(
  b: ProgramBuilder,
  unsorted: Value,
  places: Value,
  outputs: { readonly before: Size; readonly length: Size },
): Knots {
  const timed = unsorted.type.shape.length - 1;
  const sorted = (value: Value): Value => {
    if (timed === 0) return b.scatter(b.zeros(value.type), places, value);
    const first = batchFirst(b, value, timed);
    return batchLast(b, b.scatter(b.zeros(first.type), places, first, { batch: timed }), timed);
  };
  const wanted = b.slice(places, timed, outputs.before, outputs.length);
  const atOutputs = (value: Value): Value =>
    timed === 0
      ? b.gather(value, wanted, 'fault')
      : batchLast(b, b.gather(batchFirst(b, value, timed), wanted, 'fault', timed), timed);
  const end = lastTime(b, b.slice(unsorted, 0, outputs.before, outputs.length));
  const start = b.slice(unsorted, 0, 0, 1);
  const inside = b.elementwise([insteadOfNaN(b, unsorted, Infinity), end, start], (s, t, last, first) =>
    s.apply('max', s.apply('min', t, last), first),
  );
  return { times: sorted(inside), sorted, atOutputs };
}

/** Rows of values [m] or [m, …batch] at indices [M] or [M, …timed], each series by its own indices. */
export function rowsOfSeries(b: ProgramBuilder, values: Value, indices: Value): Value {
  const timed = indices.type.shape.slice(1);
  if (timed.length === 0 || values.type.shape.length === 1) return b.gather(values, indices, 'nan');
  const series = batchFirst(b, overTimed(b, values, timed), timed.length);
  return batchLast(b, b.gather(series, batchFirst(b, indices, timed.length), 'nan', timed.length), timed.length);
}

/** [M, …timed] ↦ […timed, M] */
function batchFirst(b: ProgramBuilder, value: Value, timed: number): Value {
  return b.transpose(value, [...range(1, timed + 1), 0]);
}

/** […timed, M] ↦ [M, …timed] */
function batchLast(b: ProgramBuilder, value: Value, timed: number): Value {
  return b.transpose(value, [timed, ...range(0, timed)]);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
