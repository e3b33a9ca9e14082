/** The error of a solution that was followed to its steady state: that of its steps, or that there is no such state. */
import { builtinOperator, intLiteral, realLiteral, solveEnds, type Value } from '../../../engine/index.ts';
import type { LowerContext } from '../kind.ts';
import { flatten } from '../../objective/sums.ts';
import { solverFaults } from '../parts/solver-faults.ts';
import { lowerAdaptive } from './adaptive.ts';
import type { OdeDetail } from './infer.ts';
import type { OdeBlock } from './schema.ts';
import { steadyStates, untilLate } from './steady.ts';
import { stepDoubling } from './step-doubling.ts';
import { toleranceOf } from './tolerance.ts';

export function steadyError(block: OdeBlock, detail: OdeDetail, context: LowerContext): Value {
  const b = context.builder;
  const until = untilLate(context);
  const solution = lowerAdaptive(block, detail, until, toleranceOf(block)).states;
  const { end } = steadyStates(block, detail, context, solution);
  const lost = b.elementwise([end], (s, ended) =>
    s.either(
      s.apply('eq', ended, intLiteral(solveEnds.found)),
      () => realLiteral(0),
      () => realLiteral(solverFaults.unsteady),
    ),
  );
  const [most] = b.reduce(builtinOperator('max'), [flatten(b, lost)], 0) as [Value];
  const fault = b.apply('max', most, b.literal(0));
  const steps = stepDoubling(block, detail, until);
  const part = (at: number): Value => b.slice(steps, 0, at, 1);
  const whole = b.reshape(fault, [1]);
  const either = (at: number, lostValue: number): Value =>
    b.elementwise([whole, part(at)], (s, code, value) =>
      s.either(
        s.apply('eq', code, realLiteral(0)),
        () => value,
        () => realLiteral(lostValue),
      ),
    );
  return b.concatenate([either(0, Infinity), part(1), either(2, solverFaults.unsteady), part(3)], 0);
}
