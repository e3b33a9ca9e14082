/**
 * The error of a solution that was followed to its steady state: that of its steps, or that it has come to no rest. A late
 * state that no root stands for (steady.ts) rests where it was the same at a hundredth of that time; and wherever an event
 * happens after a hundredth of it, more may come. A root at which others fall together is one, and has no derivative.
 */
import { builtinOperator, realLiteral, type ScalarOperand, type Value } from '../../../engine/index.ts';
import type { LowerContext } from '../kind.ts';
import { flatten } from '../../objective/sums.ts';
import { solverFaults } from '../parts/solver-faults.ts';
import { turningOr } from '../parts/turning.ts';
import { lowerAdaptive } from './adaptive.ts';
import type { OdeDetail } from './infer.ts';
import type { OdeBlock } from './schema.ts';
import { late, steadyStates, untilLate } from './steady.ts';
import { stepDoubling } from './step-doubling.ts';
import { toleranceOf } from './slots/tolerance.ts';

/** By how much a state that rests may differ between the two times: relative, and in absolute tolerances. */
const rest = { relative: 1e-5, absolute: 1e3 };
const earlier = late / 100;

export function steadyError(block: OdeBlock, detail: OdeDetail, context: LowerContext): Value {
  const b = context.builder;
  const tolerance = toleranceOf(block);
  const until = untilLate(context);
  const { states, happened } = lowerAdaptive(block, detail, until, tolerance);
  const before = lowerAdaptive(block, detail, untilLate(context, earlier), tolerance).states;
  const { asked, assumed, root, shape } = steadyStates(block, detail, context, states);
  const d = states.length;
  const lost = b.elementwise(
    [...states, ...before, asked, assumed, happened ?? b.literal(-Infinity)],
    (s, ...operands) => {
      const [x, y] = [operands.slice(0, d), operands.slice(d, 2 * d)];
      const [isAsked, isAssumed, last] = operands.slice(2 * d) as [ScalarOperand, ScalarOperand, ScalarOperand];
      const size = (each: ScalarOperand): ScalarOperand => s.apply('abs', each);
      const moves = x
        .map((each, i) => {
          const scale = s.apply('mul', realLiteral(rest.relative), size(each));
          const allowed = s.apply('add', scale, realLiteral(rest.absolute * tolerance.absolute));
          return s.apply('lt', allowed, size(s.apply('sub', each, y[i]!)));
        })
        .reduce((any, each) => s.apply('or', any, each));
      const comes = s.apply('and', isAsked, s.apply('lt', realLiteral(earlier), last));
      return s.either(
        s.apply('or', comes, s.apply('and', isAssumed, moves)),
        () => realLiteral(solverFaults.unsteady),
        () => realLiteral(0),
      );
    },
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
  const stopped = b.elementwise([either(2, solverFaults.unsteady)], (s, code) => {
    const named = (fault: number, onTheWay: number, otherwise: ScalarOperand): ScalarOperand =>
      s.either(
        s.apply('eq', code, realLiteral(fault)),
        () => realLiteral(onTheWay),
        () => otherwise,
      );
    const { slots, step, restless, boundless } = solverFaults;
    return named(slots, restless, named(step, boundless, code));
  });
  const scalar = (value: Value): Value => b.reshape(value, []);
  const [told, beside] = turningOr(b, root, shape, scalar(stopped), scalar(part(3))).map((each) =>
    b.reshape(each, [1]),
  );
  return b.concatenate([either(0, Infinity), part(1), told!, beside!], 0);
}
