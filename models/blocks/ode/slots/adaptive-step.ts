/**
 * One slot of an adaptive solution, in scalar code. Between two knots there are S slots; each is a step that is tried, and
 * taken where its error is in bounds, until the next knot is reached. Slots that are left do nothing.
 *
 * Steps are shares of the way from knot to knot, and the shares are data: nothing is differentiated by how they were
 * found (`detach`), so that derivatives are those of the very steps that were taken, those by the knots' times too.
 */
import { realLiteral, scalarFunction, type ScalarFunction, type ScalarOperand } from '../../../../engine/index.ts';
import type { CompiledFormulas } from '../../parts/formulas.ts';
import { solverFaults } from '../../parts/solver-faults.ts';
import { expression } from '../../../objective/expression.ts';
import { equationsOf } from '../methods/equations.ts';
import { forcingOf, forcingWidth, rolesOf, stepTypes, type StepLayout } from '../step.ts';
import type { Tolerance } from './tolerance.ts';
import { triedStep, type AdaptiveMethods } from './tried-step.ts';

/** What is carried from slot to slot beside the states. */
export const carried = ['share', 'step', 'stiff', 'fault', 'when'] as const;

/** What `fault` says; states are NaN from there on. */
export const faults = solverFaults;

export function adaptiveStep(
  compiled: CompiledFormulas,
  layout: StepLayout,
  methods: AdaptiveMethods,
  tolerance: Tolerance,
): ScalarFunction {
  const { states, dosed } = layout;
  const roles = rolesOf(compiled, layout);
  // Inputs: the number of the slot, the knot's time, the way to the next, doses, forcing.
  const reals = states.length + carried.length + 3 + dosed.filter(Boolean).length + forcingWidth(layout);
  return scalarFunction(stepTypes(compiled, layout, reals), (s, ...parameters) => {
    const e = expression(s);
    const real = realLiteral;
    const detach = (x: ScalarOperand): ScalarOperand => e.apply('detach', x);
    const either = (condition: ScalarOperand, a: ScalarOperand, b: ScalarOperand): ScalarOperand =>
      e.choose(
        condition,
        () => a,
        () => b,
      );
    const left: ScalarOperand[] = [...parameters];
    const next = (): ScalarOperand => left.shift() as ScalarOperand;
    const before = states.map(next);
    const [lastShare, lastStep, stiffness, lastFault, lastWhen] = [next(), next(), next(), next(), next()];
    const [slot, knot, span] = [next(), next(), next()];
    const dosedStates = before.map((x, i) => (dosed[i] ? e.add(x, next()) : x));
    const forcing = forcingOf(layout, next);
    const constants = left;

    const first = e.apply('eq', slot, real(0));
    const late = e.apply('and', first, e.apply('lt', lastShare, real(1)));
    const share = detach(either(first, real(0), lastShare));
    const fault = either(
      e.apply('and', late, e.apply('eq', lastFault, real(faults.none))),
      real(faults.slots),
      lastFault,
    );
    const well = e.apply('eq', fault, real(faults.none));
    const started = dosedStates.map((x) => either(well, x, real(NaN)));
    const way = detach(span);
    const active = e.apply('and', e.apply('and', e.apply('lt', share, real(1)), well), e.apply('lt', real(0), way));
    const time = e.add(knot, e.multiply(span, share));
    const inputs = forcing.map(({ value, slope }) => ({
      value: slope ? e.add(value, e.multiply(slope, e.multiply(span, share))) : value,
      slope,
    }));

    const tried = (): ScalarOperand[] => {
      const equations = equationsOf(s, compiled.function, roles, { time, inputs, constants });
      const rest = e.multiply(way, e.subtract(real(1), share));
      const stepOf = (whole: ScalarOperand, length: ScalarOperand): ScalarOperand =>
        detach(either(whole, e.subtract(real(1), share), e.divide(length, way)));
      const beginning = { equations, states: started, time, rest, way, wished: lastStep, stiffness };
      const step = triedStep(s, beginning, methods, tolerance, (whole, length) =>
        e.multiply(span, stepOf(whole, length)),
      );
      const reached = detach(either(step.whole, real(1), e.add(share, stepOf(step.whole, step.length))));
      return [
        ...started.map((x, i) => either(step.taken, step.after[i] as ScalarOperand, x)),
        detach(either(step.taken, reached, share)),
        detach(step.onward),
        detach(step.stiffness),
        detach(either(step.stuck, real(faults.step), fault)),
        detach(time),
      ];
    };
    const idle = (): ScalarOperand[] => [
      ...started,
      // Knots that fall together are reached at once.
      detach(either(e.apply('lt', real(0), way), share, real(1))),
      detach(lastStep),
      detach(stiffness),
      detach(fault),
      detach(lastWhen),
    ];
    return [...s.branch(active, tried, idle), ...started];
  });
}
