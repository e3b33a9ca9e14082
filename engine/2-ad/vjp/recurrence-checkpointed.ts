/**
 * As `recurrence`, with K = ⌈n/B⌉ carries kept in place of n: those with which each segment of B steps begins. The return
 * sweep takes the segments from the last to the first, runs each again from its checkpoint, keeping its B carries, and
 * then pulls the adjoints back through it. K + B carries at a time, for one more primal pass. (Checkpointing with
 * recomputation: A. Griewank, Achieving logarithmic growth of temporal and spatial complexity in reverse automatic
 * differentiation, 1992, doi:10.1080/10556789208805505; one level of it.)
 */
import type { ProgramBuilder } from '../../0-ir/builder.ts';
import { mapOperands, operandsOf } from '../../0-ir/operands.ts';
import type { RecurrenceConstruct, Value } from '../../0-ir/program.ts';
import { intLiteral, resultTypes } from '../../0-ir/scalar.ts';
import { arrayType, withoutAxis } from '../../0-ir/types.ts';
import { workOf } from '../../1-optimize/work.ts';
import { isReal } from '../activity.ts';
import { sizeAsValue, sumTo, zerosLike } from '../layout.ts';
import type { VjpRule } from '../rule.ts';
import { backwardStep, keepingCarries, recurrence, widthBeside } from './recurrence.ts';
import {
  putSegment,
  segmentAt,
  segmentsOf,
  takeSegment,
  timeAxis,
  whileLive,
  writeLoop,
  type Segment,
} from './parts/recurrence-segments.ts';

export const recurrenceCheckpointed: VjpRule<'recurrence'> = {
  name: 'recurrence-checkpointed',
  construct: 'recurrence',
  example: recurrence.example,
  matches: () => true,
  // What it saves is room, which is not in the estimates: they never prefer it.
  cost: ({ step, initial, inputs, shape, axis }) => ({
    traffic: 3 * initial.length + 6 * inputs.length,
    operations: 5 * workOf(step),
    passes: 3,
    chain: (5 * workOf(step)) / widthBeside(shape, axis),
  }),
  primal(b, construct) {
    const { step, initial, shape, axis } = construct;
    const d = initial.length;
    const across = withoutAxis(shape, axis);
    const { count } = segmentsOf(construct);
    const n = sizeAsValue(b, shape[axis]!);
    const checkpoints = initial.map(({ type }) => b.zeros(arrayType(type.element, [count, ...across])));
    const outputs = resultTypes(step).slice(d);
    const all = writeLoop(
      b,
      count,
      [
        ...initial.map((value) => b.replicate(value, across)),
        ...checkpoints,
        ...outputs.map((element) => b.zeros(arrayType(element, shape))),
      ],
      [n, ...operandsOf(construct)],
      (body, turn, carries, now) => {
        const segment = segmentAt(body, construct, turn, now(n));
        const before = carries.slice(0, d);
        const after = body.emit(segmentRun(body, mapOperands(construct, now), segment, before));
        const row = body.reshape(turn, [1]);
        const kept = before.map((carry, i) =>
          body.scatter(carries[d + i]!, row, body.reshape(carry, [1, ...carry.type.shape])),
        );
        const written = after.slice(d).map((values, i) => putSegment(body, carries[2 * d + i]!, axis, segment, values));
        return [...after.slice(0, d), ...kept, ...written];
      },
    );
    return { results: [...all.slice(0, d), ...all.slice(2 * d)], saved: all.slice(d, 2 * d) };
  },
  // Operands: initial, inputs, invariants.
  cotangents(b, construct, { results, saved = [] }, cotangents, wanted) {
    const { initial, inputs, invariants, shape, axis } = construct;
    const d = initial.length;
    const across = withoutAxis(shape, axis);
    const { count } = segmentsOf(construct);
    const real = {
      carries: isReal(initial),
      inputs: wanted.slice(d, d + inputs.length),
      invariants: wanted.slice(d + inputs.length),
    };
    const seeded = results.map((result, i) => result.type.element === 'real' && (i < d || cotangents[i] !== undefined));
    const outputCotangents = cotangents.slice(d).filter((cotangent) => cotangent !== undefined);
    const ofInputs = inputs.filter((_, i) => real.inputs[i]);
    const ofInvariants = invariants.filter((_, i) => real.invariants[i]);

    const lambdas = initial.flatMap((_, i) => (real.carries[i] ? [cotangents[i] ?? zerosLike(b, results[i]!)] : []));
    const totals = ofInvariants.map(() => b.zeros(arrayType('real', across)));
    const running = [...lambdas, ...totals];
    const n = sizeAsValue(b, shape[axis]!);
    const segments = sizeAsValue(b, count);
    const backward = writeLoop(
      b,
      count,
      [...running, ...ofInputs.map((input) => zerosLike(b, input))],
      [n, segments, ...operandsOf(construct), ...saved, ...outputCotangents],
      (body, turn, carries, now) => {
        const index = body.elementwise([now(segments), turn], (s, all, t) =>
          s.apply('sub', s.apply('sub', all, intLiteral(1)), t),
        );
        const here = mapOperands(construct, now);
        const segment = segmentAt(body, construct, index, now(n));
        const row = body.reshape(index, [1]);
        const begun = saved.map((checkpoint) => body.reshape(body.gather(now(checkpoint), row, 'zero'), across));
        const keeping = { ...here, step: keepingCarries(construct.step, d) };
        const again = segmentRun(body, keeping, segment, begun);
        const trajectory = body.emit(again).slice(results.length);
        const pulled = body.emit({
          ...again,
          step: whileLive(backwardStep(construct, seeded, real), running.length),
          reverse: true,
          initial: carries.slice(0, running.length),
          inputs: [
            segment.live,
            ...trajectory,
            ...again.inputs.slice(1),
            ...outputCotangents.map((cotangent) => takeSegment(body, now(cotangent), axis, segment)),
          ],
        });
        const adjoints = ofInputs.map((input, i) => {
          const so = carries[running.length + i]!;
          const own = timeAxis(input, construct);
          const values = pulled[running.length + i]!;
          if (own === undefined) return body.apply('add', so, sumTo(body, values, input.type.shape));
          const stretch = input.type.shape.map((size, at) => (at === own ? segment.shape[axis]! : size));
          return putSegment(body, so, own, segment, sumTo(body, values, stretch));
        });
        return [...pulled.slice(0, running.length), ...adjoints];
      },
    );

    const take = (values: readonly Value[], flags: readonly boolean[], from: number): (Value | undefined)[] => {
      let next = from;
      return values.map(({ type }, i) => (flags[i] ? sumTo(b, backward[next++]!, type.shape) : undefined));
    };
    return [
      ...take(initial, real.carries, 0),
      ...take(inputs, real.inputs, running.length),
      ...take(invariants, real.invariants, lambdas.length),
    ];
  },
};

/** The recurrence over one segment, from the carries with which it begins. Its first input is `live`. */
function segmentRun(
  b: ProgramBuilder,
  construct: RecurrenceConstruct,
  segment: Segment,
  initial: readonly Value[],
): RecurrenceConstruct {
  const inputs = construct.inputs.map((input) => takeSegment(b, input, timeAxis(input, construct), segment));
  return {
    ...construct,
    step: whileLive(construct.step, initial.length),
    shape: segment.shape,
    reverse: false,
    initial,
    inputs: [segment.live, ...inputs],
  };
}
