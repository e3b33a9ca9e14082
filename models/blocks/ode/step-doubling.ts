/**
 * The error of x_h, of a method of order p, from the same solution by half the steps:
 *
 *   |x_h − x| ≈ 2ᵖ/(2ᵖ − 1)·|x_h − x_{h/2}|
 *
 * and of x_τ, of steps found within a tolerance τ to which the error is in proportion, from the solution within τ/10:
 *
 *   |x_τ − x| ≈ 10/9·|x_τ − x_{τ/10}|
 *
 * the largest over all states and times, and beside it the largest state of the finer solution, or of the start, which tells what that
 * error is worth; then what stopped the steps that were found, and at what time. A solution that is not finite, by either, has an error of ∞. Hairer, Nørsett, Wanner: Solving Ordinary
 * Differential Equations I, section II.4.
 */
import {
  builtinOperator,
  type ProgramBuilder,
  realLiteral,
  type ScalarOperand,
  type Value,
} from '../../../engine/index.ts';
import type { LowerContext } from '../kind.ts';
import { expression } from '../../objective/expression.ts';
import { flatten } from '../../objective/sums.ts';
import { lowerAdaptive, type AdaptiveCourse } from './adaptive.ts';
import type { OdeDetail } from './infer.ts';
import { askedFrom, lowerFixed, methodOf } from './lower.ts';
import { isAdaptive, substepsOf, type OdeBlock } from './schema.ts';
import { toleranceOf } from './slots/tolerance.ts';

export function stepDoubling(block: OdeBlock, detail: OdeDetail, context: LowerContext): Value {
  const b = context.builder;
  const { coarse, fine, power, stopped } = twoSolutions(block, detail, context);
  const asked = inOneRow(b, askedFrom(block, detail, context, fine));
  const [x, y] = [inOneRow(b, coarse), inOneRow(b, fine)];
  const errors = b.elementwise([x, y, asked], (s, one, other, start) => {
    const e = expression(s);
    const error = e.multiply(e.apply('abs', e.subtract(one, other)), realLiteral(power / (power - 1)));
    const known = (): ScalarOperand =>
      e.choose(
        e.apply('isnan', error),
        () => realLiteral(Infinity),
        () => error,
      );
    return e.choose(e.apply('isnan', start), () => realLiteral(0), known);
  });
  // What has come to nothing is worth what it began as.
  const sizes = b.elementwise([y, asked], (s, state, start) => {
    const size = (each: ScalarOperand): ScalarOperand =>
      expression(s).choose(
        s.apply('isnan', each),
        () => realLiteral(0),
        () => s.apply('abs', each),
      );
    return s.apply('max', size(state), size(start));
  });
  return b.concatenate(
    [largest(b, errors), largest(b, sizes), ...(stopped ? stop(b, stopped) : [b.literal(0), b.literal(0)])].map(
      (value) => b.reshape(value, [1]),
    ),
    0,
  );
}

/** The solution, and one whose error is `power` times smaller. */
function twoSolutions(
  block: OdeBlock,
  detail: OdeDetail,
  context: LowerContext,
): {
  readonly coarse: Value[];
  readonly fine: Value[];
  readonly power: number;
  readonly stopped?: Pick<AdaptiveCourse, 'fault' | 'when'>;
} {
  if (isAdaptive(block)) {
    const { relative, absolute } = toleranceOf(block);
    const within = (power: number): AdaptiveCourse =>
      lowerAdaptive(block, detail, context, { relative: relative / power, absolute: absolute / power });
    const [coarse, fine] = [within(1), within(10)];
    return { coarse: coarse.states, fine: fine.states, power: 10, stopped: coarse };
  }
  const substeps = substepsOf(block);
  const power = 2 ** methodOf(block).order;
  const by = (factor: number): Value[] => lowerFixed(block, detail, context, factor * substeps);
  return { coarse: by(1), fine: by(2), power };
}

/** The first series that stops: what stopped it, and when. */
function stop(b: ProgramBuilder, { fault, when }: Pick<AdaptiveCourse, 'fault' | 'when'>): [Value, Value] {
  const times = b.elementwise([fault, when], (s, code, time) =>
    expression(s).choose(
      s.apply('eq', code, realLiteral(0)),
      () => realLiteral(Infinity),
      () => time,
    ),
  );
  const [first] = b.reduce(builtinOperator('min'), [flatten(b, times)], 0) as [Value];
  return [largest(b, flatten(b, fault)), first];
}

/** All states, one after the other: one pass over them, however many there are. */
function inOneRow(b: ProgramBuilder, states: readonly Value[]): Value {
  const rows = states.map((state) => flatten(b, state));
  return rows.length === 1 ? rows[0]! : b.concatenate(rows, 0);
}

/** Against 0: there may be no times at all. */
function largest(b: ProgramBuilder, values: Value): Value {
  const [most] = b.reduce(builtinOperator('max'), [values], 0) as [Value];
  return b.apply('max', most, b.literal(0));
}
