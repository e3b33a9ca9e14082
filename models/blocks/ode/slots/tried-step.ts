/**
 * One step that is tried, of a length that follows from the last ones:
 *
 *   err = ‖errorᵢ/(absolute + relative·max(|xᵢ|, |xᵢ′|))‖ (root mean square),   taken where err ≤ 1
 *   h ← h·clamp(0.9·err^(−1/p), 0.1, 6)
 *
 * p the order of the method's error, and `absolute` and `relative` the method's parts of the tolerance (`caution`).
 *
 * `auto` begins with the explicit pair and goes over to the stiff one where its steps are bounded by stability: where
 * h·|λ| is past the edge of the explicit method's region again and again (Hairer & Wanner, Solving Ordinary Differential
 * Equations II, section IV.2). Where a step by either asks for a rate that has no value, one by `careful` is tried.
 */
import { realLiteral, type ScalarBuilder, type ScalarOperand } from '../../../../engine/index.ts';
import { expression } from '../../../objective/expression.ts';
import { seesPulses } from './pulses.ts';
import { careful, needsCare } from '../methods/careful.ts';
import { measured, unmeasured, type EmbeddedMethod, type Scale } from '../methods/embedded.ts';
import type { Equations } from '../methods/equations.ts';
import type { Tolerance } from './tolerance.ts';

/** `stiff` absent: never gone over to; `explicit` absent: begun with the other. */
export interface AdaptiveMethods {
  readonly explicit?: EmbeddedMethod;
  readonly stiff?: EmbeddedMethod;
}

/** So many steps past the edge, less a quarter of those within, make it stiff. */
const patience = 12;

/** Of the way, how short a step is that is not asked for pulses. */
const shortestPulse = 2 ** -30;

/** Where a step begins. All but `states` and `time` are data. */
export interface Beginning {
  readonly equations: Equations;
  readonly states: readonly ScalarOperand[];
  /** Which of them may have no value. */
  readonly open: readonly boolean[];
  readonly time: ScalarOperand;
  /** To where the step must end at the latest. */
  readonly rest: ScalarOperand;
  /** From knot to knot: what is too short for it is of no use. */
  readonly way: ScalarOperand;
  /** What the last step wished for; 0 where there is none. */
  readonly wished: ScalarOperand;
  readonly stiffness: ScalarOperand;
}

/** Whether a step goes across a jump, and whether it is taken though its error is out of bounds. */
export type Excused = (
  after: readonly ScalarOperand[],
  whole: ScalarOperand,
  length: ScalarOperand,
) => { readonly jumps: ScalarOperand; readonly excused: ScalarOperand };

/** How long a step is to be. All of it is data. */
export interface PlannedStep {
  /** Whether it goes as far as it may; its length. */
  readonly whole: ScalarOperand;
  readonly length: ScalarOperand;
  /** What it was to be, whatever the knot says. */
  readonly wished: ScalarOperand;
}

export interface TriedStep {
  /** Whether it goes as far as it may; its length. */
  readonly whole: ScalarOperand;
  readonly length: ScalarOperand;
  readonly after: readonly ScalarOperand[];
  readonly taken: ScalarOperand;
  /** What the next step is to be, how stiff it looks, and whether no step is short enough. */
  readonly onward: ScalarOperand;
  readonly stiffness: ScalarOperand;
  readonly stuck: ScalarOperand;
  /** As `EmbeddedStep` has it, of a single method that has one. */
  readonly course: ((state: number) => ScalarOperand[]) | undefined;
}

/** The relative error that a step may have at the least in f32. */
const leastSingle = 4e-6;

function stepArithmetic(s: ScalarBuilder, { relative, absolute }: Tolerance) {
  const e = expression(s);
  const detach = (x: ScalarOperand): ScalarOperand => e.apply('detach', x);
  const either = (condition: ScalarOperand, a: ScalarOperand, b: ScalarOperand): ScalarOperand =>
    e.choose(
      condition,
      () => a,
      () => b,
    );
  const norm = (values: readonly ScalarOperand[], scales: readonly Scale[]): ScalarOperand => {
    const squares = values.map((value, i) => {
      const ratio = measured(s, value, scales[i]!);
      return e.multiply(ratio, ratio);
    });
    return e.apply('sqrt', e.divide(e.add(...squares), realLiteral(values.length)));
  };
  const plainScale = (x: ScalarOperand): ScalarOperand => {
    const size = e.apply('abs', detach(x));
    // No step is as exact as this in single precision, where a trillionth of a number is lost beside it.
    const isSingle = e.apply('eq', e.add(size, e.multiply(realLiteral(1e-12), size)), size);
    const share =
      relative < leastSingle
        ? either(isSingle, realLiteral(leastSingle), realLiteral(relative))
        : realLiteral(relative);
    return e.add(realLiteral(absolute), e.multiply(share, size));
  };
  /** `after`: what it is at the end of the step. What has no value to begin with goes its way beside the others. */
  const scaleOf = (x: ScalarOperand, open = false, after?: ScalarOperand): Scale => {
    const isOpen = open && e.apply('isnan', detach(x));
    const plain = after ? e.apply('max', plainScale(x), plainScale(after)) : plainScale(x);
    return { by: isOpen ? either(isOpen, realLiteral(unmeasured), plain) : plain, open };
  };
  return { e, detach, either, norm, scaleOf };
}

/** `longest`: what no step may be longer than. */
export function plannedStep(
  s: ScalarBuilder,
  { equations, states, open, rest, wished: lastStep }: Beginning,
  tolerance: Tolerance,
  longest?: ScalarOperand,
): PlannedStep {
  const { e, detach, either, norm, scaleOf } = stepArithmetic(s, tolerance);
  const real = realLiteral;
  // The first step of all: a hundredth of the states' size over that of their rates.
  const guess = (): ScalarOperand => {
    const scales = states.map((x, i) => scaleOf(x, open[i]));
    const [size, rate] = [norm(states.map(detach), scales), norm(equations.rates(states, real(0)).map(detach), scales)];
    const small = e.apply('or', e.apply('lt', size, real(1e-5)), e.apply('lt', rate, real(1e-5)));
    const plain = e.multiply(real(1e-4), rest);
    return e.choose(
      e.apply('or', small, e.apply('isnan', e.add(size, rate))),
      () => plain,
      () => e.apply('min', e.multiply(real(0.01), e.divide(size, rate)), rest),
    );
  };
  const free = e.choose(e.apply('lt', real(0), lastStep), () => lastStep, guess);
  const wished = detach(longest ? e.apply('min', free, longest) : free);
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
  return { whole, length, wished };
}

/** What a step may be wrong by; near rounding it is less cautious, so that there still is such a step. */
function partOf({ relative, absolute }: Tolerance, { caution }: EmbeddedMethod): Tolerance {
  const rounding = Math.min(relative, Math.sqrt(1e-17 * relative));
  return { relative: Math.max(relative / caution.relative, rounding), absolute: absolute / caution.absolute };
}

/** What a step is computed from. */
interface Given {
  readonly equations: Equations;
  readonly states: readonly ScalarOperand[];
  readonly h: ScalarOperand;
}

/**
 * The first of several steps whose result at `place` is a number. Which it is is found with data alone, for what a step
 * without a value would be differentiated to is NaN too, even times 0; without `detach` the two are one computation.
 */
function firstWithValue(
  s: ScalarBuilder,
  [step, ...others]: readonly ((from: Given) => ScalarOperand[])[],
  place: number,
  given: Given,
): ScalarOperand[] {
  const detach = (x: ScalarOperand): ScalarOperand => s.apply('detach', x);
  const data = step!({ equations: given.equations.detached(), states: given.states.map(detach), h: detach(given.h) });
  return s.branch(
    s.apply('isnan', data[place]!),
    () => (others.length > 0 ? firstWithValue(s, others, place, given) : data),
    () => step!(given),
  );
}

/** `lengthOf` gives h with its derivatives. */
export function triedStep(
  s: ScalarBuilder,
  beginning: Beginning,
  { explicit, stiff }: AdaptiveMethods,
  tolerance: Tolerance,
  lengthOf: (whole: ScalarOperand, length: ScalarOperand) => ScalarOperand,
  planned?: PlannedStep,
  excused?: Excused,
): TriedStep {
  const { equations, states, open, time, way, stiffness } = beginning;
  const { e, detach, either, scaleOf } = stepArithmetic(s, tolerance);
  const real = realLiteral;
  const never = e.apply('lt', real(1), real(0));
  const { whole, length, wished } = planned ?? plannedStep(s, beginning, tolerance);
  const h = lengthOf(whole, length);
  let course: TriedStep['course'];
  const isStiff = e.apply('le', real(patience), stiffness);
  const given: Given = { equations, states, h };
  const by = (method: EmbeddedMethod, { equations, states, h }: Given): ScalarOperand[] => {
    const { norm, scaleOf } = stepArithmetic(s, partOf(tolerance, method));
    const found = method.step(
      s,
      equations,
      states,
      h,
      states.map((x, i) => scaleOf(x, open[i])),
    );
    if (!explicit || !stiff) ({ course } = found);
    const scales = states.map((x, i) => scaleOf(x, open[i], found.states[i]));
    const err = norm(found.errors.map(detach), scales);
    const growth = e.apply('pow', e.apply('max', err, real(1e-10)), real(-1 / method.order));
    const beyond =
      found.stiffness && method.edge !== undefined
        ? e.apply('real', e.apply('lt', real(method.edge), detach(found.stiffness)))
        : real(0);
    return [...found.states, err, growth, beyond];
  };
  const usual = (from: Given): ScalarOperand[] =>
    explicit && stiff
      ? s.branch(
          isStiff,
          () => by(stiff, from),
          () => by(explicit, from),
        )
      : by((stiff ?? explicit)!, from);
  // What is looked back at in a step has to go by the method's own course.
  const results =
    !planned && needsCare(equations.function)
      ? firstWithValue(s, [usual, (from) => by(careful, from)], states.length, given)
      : usual(given);
  const after = results.slice(0, states.length);
  const [err, growth, pastEdge] = results.slice(states.length) as [ScalarOperand, ScalarOperand, ScalarOperand];
  const precise = e.apply('le', err, real(1));
  // Too short to move the clock, or to be of any use on the way.
  const least = e.apply('max', e.multiply(real(2 ** -52), e.apply('abs', detach(time))), e.multiply(real(1e-22), way));
  const crossing = excused?.(after, whole, length);
  const clear = crossing ? e.apply('and', precise, e.apply('not', crossing.jumps)) : precise;
  const scales = states.map((x, i) => scaleOf(x, open[i], after[i]).by);
  const sees = seesPulses(s, { equations, before: states, after, length, scales });
  const finest = e.apply('max', e.multiply(real(8), least), e.multiply(real(shortestPulse), way));
  const blind = sees
    ? e.choose(
        e.apply('and', clear, e.apply('lt', finest, length)),
        () => e.apply('not', sees()),
        () => never,
      )
    : never;
  const exact = e.apply('and', precise, e.apply('not', blind));
  const taken = crossing
    ? e.apply('or', exact, e.apply('and', e.apply('lt', err, real(Infinity)), crossing.excused))
    : exact;
  const factor = e.choose(
    e.apply('isnan', err),
    () => real(0.1),
    () => either(blind, real(0.5), e.apply('clamp', e.multiply(real(0.9), growth), real(0.1), real(6))),
  );
  const wanted = e.multiply(length, factor);
  // A step that ended at the knot says nothing against the one that was wished for.
  const onward = e.choose(
    e.apply('and', taken, e.apply('lt', length, wished)),
    () => e.apply('max', wanted, wished),
    () => wanted,
  );
  const stuck = e.apply('and', e.apply('not', taken), e.apply('le', length, least));
  const beyond = e.apply('eq', pastEdge, real(1));
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
  return { whole, length, after, taken, onward, stiffness: counted, stuck, course };
}
