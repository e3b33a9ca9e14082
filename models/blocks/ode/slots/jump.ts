/**
 * Jumps within a step, in scalar code: whether something watched (watches.ts) is another at its end than at its start, about
 * where, and how that moves. With g the quantity that passes through 0, whose slope along the solution is ġ,
 *
 *   dt* = −dg/ġ   written as   δ = −(g − detach g)/detach ġ, which is 0.
 */
import { jvpFunction, type ScalarBuilder, type ScalarOperand } from '../../../../engine/index.ts';
import type { System } from '../system.ts';
import { watchWidth } from '../watches.ts';
import type { Logic } from './logic.ts';

/** How far from its threshold, relative to its size, a quantity may be at both ends of a step that has not moved it. */
const restless = 2 ** -42;

export interface Crossing {
  /** What the watched functions read at the step's start and end. */
  readonly start: readonly ScalarOperand[];
  readonly arrived: readonly ScalarOperand[];
  /** How what they read moves with time at the end; undefined where it does not. */
  readonly direction: readonly (ScalarOperand | undefined)[];
  readonly length: ScalarOperand;
  /** Whether the end is one that a jump was seen at before. */
  readonly followed: ScalarOperand;
}

export interface Jump {
  readonly jumps: ScalarOperand;
  /** About how far from the start. */
  readonly estimate: ScalarOperand;
  /** δ */
  readonly shift: ScalarOperand;
  /** How long the quantity takes for its own rounding. */
  readonly blur: ScalarOperand;
}

export function jumpAcross(
  s: ScalarBuilder,
  { e, real, never, detach, and, or, not, less, either }: Logic,
  { function: watch, count }: NonNullable<System['watches']>,
  { start, arrived, direction, length, followed }: Crossing,
): Jump {
  const here = s.inline(watch, start).map(detach);
  const there = s.inline(watch, arrived);
  const pushed = jvpFunction(
    watch,
    direction.map((each) => each !== undefined),
  );
  const moving = s
    .inline(pushed.function, [...arrived.map(detach), ...direction.filter((each) => each !== undefined)])
    .slice(pushed.active.length);
  const speeds = pushed.active.map((moves) => (moves ? moving.shift() : undefined));
  let jumps = never;
  let estimate = length;
  let shift: ScalarOperand = real(0);
  let blur: ScalarOperand = real(0);
  for (let i = 0; i < count; i++) {
    const of = (watched: readonly ScalarOperand[]): readonly ScalarOperand[] => watched.slice(watchWidth * i);
    const [value, quantity, magnitude] = of(here) as [ScalarOperand, ScalarOperand, ScalarOperand];
    const [valueThen, quantityThen] = of(there) as [ScalarOperand, ScalarOperand];
    const known = not(e.apply('isnan', e.add(value, detach(valueThen))));
    // What rests at its threshold passes it to and fro by the rounding of a step, and is no jump; one that was seen is
    // followed as near as can be.
    const noise = e.multiply(real(restless), magnitude);
    const moved = or(less(noise, e.apply('abs', quantity)), less(noise, e.apply('abs', quantityThen)));
    const other = and(and(known, or(followed, moved)), e.apply('ne', value, detach(valueThen)));
    const through = e.apply('lt', e.multiply(quantity, detach(quantityThen)), real(0));
    const at = either(
      through,
      e.divide(e.multiply(length, quantity), e.subtract(quantity, detach(quantityThen))),
      e.multiply(real(0.5), length),
    );
    const earlier = and(other, e.apply('lt', at, estimate));
    const speed = speeds[watchWidth * i + 1];
    if (speed) {
      const still = e.apply('eq', detach(speed), real(0));
      const pace = either(still, real(1), detach(speed));
      const own = e.divide(e.subtract(detach(quantityThen), quantityThen), pace);
      const rounding = e.divide(e.multiply(real(2 ** -51), magnitude), e.apply('abs', pace));
      shift = either(and(earlier, not(still)), own, shift);
      blur = either(and(earlier, not(still)), rounding, blur);
    }
    estimate = either(earlier, at, estimate);
    jumps = or(jumps, other);
  }
  return { jumps, estimate, shift, blur };
}
