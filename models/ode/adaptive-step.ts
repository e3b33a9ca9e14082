/**
 * One slot of an adaptive solution, in scalar code. Between two knots there are S slots; each is a step that is tried, and
 * taken where its error is in bounds, until the next knot is reached. Slots that are left do nothing.
 *
 *   err = ‖errorᵢ/(absolute + relative·max(|xᵢ|, |xᵢ′|))‖ (root mean square),   taken where err ≤ 1
 *   h ← h·clamp(0.9·err^(−1/5), 0.1, 6)
 *
 * Steps are shares of the way from knot to knot, and the shares are data: nothing is differentiated by how they were
 * found (`detach`), so that derivatives are those of the very steps that were taken, those by the knots' times too.
 *
 * `auto` begins with the explicit pair and goes over to the stiff one where its steps are bounded by stability: where
 * h·|λ| is past the edge of the explicit method's region again and again (Hairer & Wanner, Solving Ordinary Differential
 * Equations II, section IV.2).
 */
import { realLiteral, scalarFunction, type ScalarFunction, type ScalarOperand } from '../../engine/index.ts';
import type { CompiledFormulas } from '../blocks/parts/formulas.ts';
import { expression } from '../objective/expression.ts';
import type { EmbeddedMethod } from './embedded.ts';
import { equationsOf } from './equations.ts';
import { forcingOf, forcingWidth, rolesOf, stepTypes, type StepLayout } from './step.ts';
import type { Tolerance } from './tolerance.ts';

/** `stiff` absent: never gone over to; `explicit` absent: begun with the other. */
export interface AdaptiveMethods {
  readonly explicit?: EmbeddedMethod;
  readonly stiff?: EmbeddedMethod;
}

/** What is carried from slot to slot beside the states. */
export const carried = ['share', 'step', 'stiff', 'fault', 'when'] as const;

/** What `fault` says; states are NaN from there on. */
export const faults = { none: 0, slots: 1, step: 2 } as const;

/** Of h·|λ|: the explicit pair is unstable a little beyond. Steps out of this in a row of steps within make it stiff. */
const edge = 3.3;
const patience = 12;

export function adaptiveStep(
  compiled: CompiledFormulas,
  layout: StepLayout,
  { explicit, stiff }: AdaptiveMethods,
  { relative, absolute }: Tolerance,
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
      const norm = (values: readonly ScalarOperand[], scales: readonly ScalarOperand[]): ScalarOperand => {
        const squares = values.map((value, i) => {
          const ratio = e.divide(value, scales[i] as ScalarOperand);
          return e.multiply(ratio, ratio);
        });
        return e.apply('sqrt', e.divide(e.add(...squares), real(values.length)));
      };
      const scaleOf = (x: ScalarOperand): ScalarOperand =>
        e.add(real(absolute), e.multiply(real(relative), e.apply('abs', detach(x))));
      // The first step of all: a hundredth of the states' size over that of their rates.
      const guess = (): ScalarOperand => {
        const scales = started.map(scaleOf);
        const [size, rate] = [
          norm(started.map(detach), scales),
          norm(equations.rates(started, real(0)).map(detach), scales),
        ];
        const small = e.apply('or', e.apply('lt', size, real(1e-5)), e.apply('lt', rate, real(1e-5)));
        const plain = e.multiply(real(1e-4), rest);
        return e.choose(
          e.apply('or', small, e.apply('isnan', e.add(size, rate))),
          () => plain,
          () => e.apply('min', e.multiply(real(0.01), e.divide(size, rate)), rest),
        );
      };
      const wished = detach(e.choose(e.apply('lt', real(0), lastStep), () => lastStep, guess));
      const whole = e.apply('le', rest, e.multiply(real(1.0001), wished));
      // No splinter at the end: what is left is halved where it is less than two steps.
      const half = e.apply('lt', rest, e.multiply(real(2), wished));
      const length = detach(
        e.choose(
          whole,
          () => rest,
          () => either(half, e.multiply(real(0.5), rest), wished),
        ),
      );
      const step = detach(either(whole, e.subtract(real(1), share), e.divide(length, way)));
      const reached = detach(either(whole, real(1), e.add(share, step)));
      const h = e.multiply(span, step);
      const isStiff = e.apply('le', real(patience), stiffness);
      const by = (method: EmbeddedMethod): ScalarOperand[] => {
        const found = method.step(s, equations, started, h);
        const ratio = found.stiffness ? detach(found.stiffness) : real(0);
        return [...found.states, ...found.errors, ratio];
      };
      const results =
        explicit && stiff
          ? s.branch(
              isStiff,
              () => by(stiff),
              () => by(explicit),
            )
          : by((stiff ?? explicit) as EmbeddedMethod);
      const after = results.slice(0, states.length);
      const errors = results.slice(states.length, -1).map(detach);
      const ratio = results.at(-1) as ScalarOperand;
      const scales = started.map((x, i) =>
        e.add(
          real(absolute),
          e.multiply(
            real(relative),
            e.apply('max', e.apply('abs', detach(x)), e.apply('abs', detach(after[i] as ScalarOperand))),
          ),
        ),
      );
      const err = norm(errors, scales);
      const taken = e.apply('le', err, real(1));
      const order = (stiff ?? explicit)?.order ?? 5;
      const factor = e.choose(
        e.apply('isnan', err),
        () => real(0.1),
        () =>
          e.apply(
            'clamp',
            e.multiply(real(0.9), e.apply('pow', e.apply('max', err, real(1e-10)), real(-1 / order))),
            real(0.1),
            real(6),
          ),
      );
      const wanted = e.multiply(length, factor);
      // A step that ended at the knot says nothing against the one that was wished for.
      const onward = e.choose(
        e.apply('and', taken, e.apply('lt', length, wished)),
        () => e.apply('max', wanted, wished),
        () => wanted,
      );
      // Too short to move the clock, or to be of any use on the way.
      const least = e.apply(
        'max',
        e.multiply(real(2 ** -52), e.apply('abs', detach(time))),
        e.multiply(real(1e-22), way),
      );
      const stuck = e.apply('and', e.apply('not', taken), e.apply('le', length, least));
      const beyond = e.apply('lt', real(edge), ratio);
      const counted = e.choose(
        isStiff,
        () => stiffness,
        () =>
          either(
            e.apply('and', taken, beyond),
            e.add(stiffness, real(1)),
            e.apply('max', e.subtract(stiffness, real(0.25)), real(0)),
          ),
      );
      return [
        ...started.map((x, i) => either(taken, after[i] as ScalarOperand, x)),
        detach(either(taken, reached, share)),
        detach(onward),
        detach(counted),
        detach(either(stuck, real(faults.step), fault)),
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
