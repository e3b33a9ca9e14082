/**
 * A recurrence cut into ⌈n/B⌉ segments of B steps, each run by one turn of a loop. Steps are counted in time: step s of a
 * reverse recurrence stands at place n - 1 - s, so that within a segment all of them run forward. The last segment may
 * have steps beyond the last: they change nothing, read zeros and write nowhere.
 */
import { ProgramBuilder } from '../../../0-ir/builder.ts';
import type { RecurrenceConstruct, Value } from '../../../0-ir/program.ts';
import {
  intLiteral,
  parameterTypes,
  resultTypes,
  type ScalarFunction,
  type ScalarOperand,
} from '../../../0-ir/scalar.ts';
import { scalarFunction } from '../../../0-ir/scalar-builder.ts';
import { sizeCeilDivide, type Size } from '../../../0-ir/sizes.ts';
import { arrayType, type Shape } from '../../../0-ir/types.ts';
import { trailingOnes } from '../../layout.ts';

/** B where n is not known while the program is written. A size can divide by a number alone, and has no root. */
const usualLength = 256;

/** B steps each, `count` of them: ⌈√n⌉ of a known n makes count + B least. */
export function segmentsOf({ shape, axis }: RecurrenceConstruct): { readonly length: number; readonly count: Size } {
  const n = shape[axis]!;
  const length = typeof n === 'number' ? Math.max(1, Math.ceil(Math.sqrt(n))) : usualLength;
  return { length, count: sizeCeilDivide(n, length) };
}

export interface Segment {
  /** int [B]: where its steps stand along the axis; out of range beyond the last step. */
  readonly places: Value;
  /** bool, along the axis of its domain: whether there is such a step. */
  readonly live: Value;
  readonly shape: Shape;
}

/** The segment of this number, in time. `n`: how many steps there are, as a value. */
export function segmentAt(b: ProgramBuilder, construct: RecurrenceConstruct, index: Value, n: Value): Segment {
  const { shape, axis, reverse } = construct;
  const { length } = segmentsOf(construct);
  const steps = b.elementwise([index, b.iota(length)], (s, t, j) =>
    s.apply('add', s.apply('mul', t, intLiteral(length)), j),
  );
  const last = b.elementwise([n], (s, count) => s.apply('sub', count, intLiteral(1)));
  return {
    places: reverse ? b.apply('sub', last, steps) : steps,
    live: trailingOnes(b, b.apply('lt', steps, n), shape.length - axis),
    shape: shape.map((size, at) => (at === axis ? length : size)),
  };
}

/** The axis of an input along which time runs; undefined where the same value stands at every step. */
export function timeAxis(input: Value, { shape, axis }: RecurrenceConstruct): number | undefined {
  const own = input.type.shape;
  const at = own.length - (shape.length - axis);
  return at < 0 || own[at] === 1 ? undefined : at;
}

/** What an input is at the steps of a segment. */
export function takeSegment(b: ProgramBuilder, input: Value, axis: number | undefined, { places }: Segment): Value {
  return axis === undefined ? input : b.gather(input, along(b, places, axis), 'zero', axis);
}

/** `whole` with the values of a segment where they belong. */
export function putSegment(b: ProgramBuilder, whole: Value, axis: number, { places }: Segment, values: Value): Value {
  return b.scatter(whole, along(b, places, axis), values, { batch: axis });
}

function along(b: ProgramBuilder, places: Value, axis: number): Value {
  return b.reshape(places, [...Array.from({ length: axis }, () => 1), places.type.shape[0]!]);
}

/** (c, live, u, v) ↦ live ? step(c, u, v) : (c, zeros). An `if`, whose derivative does not touch the side not taken. */
export function whileLive(step: ScalarFunction, carries: number): ScalarFunction {
  const types = parameterTypes(step);
  const nothing = resultTypes(step)
    .slice(carries)
    .map((type): ScalarOperand => ({ kind: 'literal', type, value: 0 }));
  return scalarFunction([...types.slice(0, carries), 'bool', ...types.slice(carries)], (s, ...operands) => {
    const before = operands.slice(0, carries);
    const rest = operands.slice(carries + 1);
    const live = operands[carries] as ScalarOperand;
    return s.branch(
      live,
      () => s.inline(step, [...before, ...rest]),
      () => [...before, ...nothing],
    );
  });
}

/** A loop, written in place. Its body reads values of `b` out of `read` through `now`. */
export function writeLoop(
  b: ProgramBuilder,
  count: Size,
  initial: readonly Value[],
  read: readonly Value[],
  write: (body: ProgramBuilder, turn: Value, carries: readonly Value[], now: (value: Value) => Value) => Value[],
): Value[] {
  const invariants = [...new Map(read.map((value) => [value.id, value])).values()];
  const body = new ProgramBuilder();
  body.origin = b.origin;
  const turn = body.parameter('turn', arrayType('int'));
  const carries = initial.map(({ type }, i) => body.parameter(`carry ${i}`, type));
  const known = new Map(invariants.map(({ id, type }, i) => [id, body.parameter(`invariant ${i}`, type)]));
  const after = write(body, turn, carries, (value) => known.get(value.id)!);
  const results = after.map((value, i) => ({ name: `carry ${i}`, value }));
  return b.emit({ kind: 'loop', count, body: body.finish(results), initial, invariants });
}
