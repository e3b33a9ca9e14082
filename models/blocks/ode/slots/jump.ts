/**
 * Jumps within a step, in scalar code: whether something watched (watches.ts) is another at its end than at its start, about
 * where, and how that moves. With g the quantity that passes through 0, whose slope along the solution is ġ,
 *
 *   dt* = −dg/ġ   written as   δ = −(g − detach g)/detach ġ, which is 0.
 *
 * That is a step of Newton's to the root, and right to first order. A second from where the solution has moved by then, by its
 * Taylor series of second order, makes it right to second order too: so are second derivatives.
 *
 * What rests at its threshold passes it to and fro by the rounding of a step, and is no jump. The two are told apart by ġ
 * before and behind: what passes its threshold comes to it by more than rounding, and does not turn back at once.
 *
 * Nor is it a jump where the solution does not tell on which side of the threshold it is, and the sides are alike: where
 * what is compared is within the tolerance at both ends, no event is told of by it, and the rates of one side in place of
 * those of the other would, all the way from knot to knot, move no state by more than the tolerance. So goes what comes to
 * rest where `if(x > a, x - a, 0)` bends, to and fro by the errors of steps.
 */
import { jvpFunction, type ScalarBuilder, type ScalarOperand } from '../../../../engine/index.ts';
import type { System } from '../system.ts';
import { watchWidth } from '../watches.ts';
import { grossOf } from './gross.ts';
import type { Logic } from './logic.ts';
import type { Tolerance } from './tolerance.ts';

/** How far from its threshold, relative to what it is made of, a quantity may be at both ends of a step and be at rest. */
const restless = 2 ** -42;
/** Of what a slope is made of, the share that is its rounding. */
const slopeRounding = 2 ** -48;
/** The same of a quantity. */
const quantityRounding = 2 ** -51;

/** How what the watched functions read moves with time; undefined where it does not. */
export interface Motion {
  readonly direction: readonly (ScalarOperand | undefined)[];
  /** What each is made of (gross.ts). */
  readonly gross: readonly ScalarOperand[];
}

export interface Crossing {
  /** What the watched functions read at the step's start and end. */
  readonly start: readonly ScalarOperand[];
  readonly arrived: readonly ScalarOperand[];
  /** By the rates at the step's start and at its end. */
  readonly before: () => Motion;
  readonly behind: () => Motion;
  readonly length: ScalarOperand;
  /** The states at the end, and how far it is from knot to knot. */
  readonly after: readonly ScalarOperand[];
  readonly way: ScalarOperand;
  readonly tolerance: Tolerance;
  /** By how much the states move in a time that is 0: to second order. */
  readonly moved: (shift: ScalarOperand) => ScalarOperand[];
  /** What the watched functions read where the states have moved so. */
  readonly arrivedAfter: (moved: readonly ScalarOperand[], shift: ScalarOperand) => readonly ScalarOperand[];
  /** Of each event whose own time is wanted the watches that its condition hangs on. */
  readonly conditions: readonly (readonly number[])[];
}

export interface Jump {
  readonly jumps: ScalarOperand;
  /** About how far from the start. */
  readonly estimate: ScalarOperand;
  /** δ */
  readonly shift: ScalarOperand;
  /** How long the quantity takes for its own rounding. */
  readonly blur: ScalarOperand;
  /** By how much the states are others at δ. */
  readonly moved: readonly ScalarOperand[];
  /** Of each event how far from δ its own condition becomes true: 0, and moves. */
  readonly apart: readonly ScalarOperand[];
}

type Watches = NonNullable<System['watches']>;

export function jumpAcross(s: ScalarBuilder, logic: Logic, watches: Watches, crossing: Crossing): Jump {
  const { e, real, never, detach, and, or, not } = logic;
  const here = s.inline(watches.function, crossing.start).map(detach);
  const there = s.inline(watches.function, crossing.arrived);
  const others = Array.from({ length: watches.count }, (_, i) => {
    const [value, valueThen] = [here, there].map((all) => all[watchWidth * i]!) as [ScalarOperand, ScalarOperand];
    const known = not(e.apply('isnan', e.add(value, detach(valueThen))));
    return and(known, e.apply('ne', value, detach(valueThen)));
  });
  const { length, after, conditions } = crossing;
  const [jumps, estimate, shift, blur, ...found] = s.branch(
    others.reduce(or),
    () => amongJumps(s, logic, watches, crossing, { here, there, others }),
    () => [never, length, real(0), real(0), ...[...after, ...conditions].map(() => real(0))],
  ) as [ScalarOperand, ScalarOperand, ScalarOperand, ScalarOperand, ...ScalarOperand[]];
  return { jumps, estimate, shift, blur, moved: found.slice(0, after.length), apart: found.slice(after.length) };
}

interface Seen {
  readonly here: readonly ScalarOperand[];
  readonly there: readonly ScalarOperand[];
  /** Of each whether it is another at the end than at the start. */
  readonly others: readonly ScalarOperand[];
}

/** What `Jump` says, in its order. */
function amongJumps(
  s: ScalarBuilder,
  logic: Logic,
  watches: Watches,
  crossing: Crossing,
  { here, there, others }: Seen,
): ScalarOperand[] {
  const { e, real, never, detach, and, or, not, less, most, either } = logic;
  const { arrived, length, ...motions } = crossing;
  const [before, behind] = [motions.before(), motions.behind()];
  const at = arrived.map(detach);
  const reals = (all: readonly ScalarOperand[]): ScalarOperand[] => all.filter(({ type }) => type === 'real');
  const sizes = reals(at).map((x) => e.apply('abs', x));
  const made = s.inline(grossOf(watches.function), [...at, ...sizes]);
  const moving = before.direction.map((each) => each !== undefined);
  const pushed = jvpFunction(watches.function, moving);
  const madeSlope = grossOf(pushed.function);
  /** ġ of each, and what it is made of; undefined where it does not move. */
  const speedsBy = ({ direction, gross }: Motion): { speeds: Speeds; gross: Speeds } => {
    const along = direction.filter((each) => each !== undefined);
    const given = [...at, ...along];
    const found = s.inline(pushed.function, given).slice(pushed.active.length);
    const grossFound = s.inline(madeSlope, [...given, ...sizes, ...gross]).slice(pushed.active.length);
    return {
      speeds: pushed.active.map((moves) => (moves ? found.shift() : undefined)),
      gross: pushed.active.map((moves) => (moves ? grossFound.shift() : undefined)),
    };
  };
  const [coming, going] = [speedsBy(before), speedsBy(behind)];
  let [jumps, sure]: [ScalarOperand, ScalarOperand] = [never, never];
  let [estimate, nearest]: [ScalarOperand, ScalarOperand] = [length, length];
  let [shift, blur]: [ScalarOperand, ScalarOperand] = [real(0), real(0)];
  const taken: Passing[] = [];
  for (let i = 0; i < watches.count; i++) {
    const place = watchWidth * i;
    const [value, quantity] = here.slice(place) as [ScalarOperand, ScalarOperand];
    const [valueThen, quantityThen] = there.slice(place) as [ScalarOperand, ScalarOperand];
    const speed = coming.speeds[place + 1];
    if (!speed) {
      taken.push({ first: never, still: never, slope: real(1), itself: never, shift: real(0) });
      continue;
    }
    const size = made[place + 1]!;
    const onward = less(value, valueThen);
    /** By how much more than its rounding it moves the way that the value jumped. */
    const pace = ({ speeds, gross }: typeof coming, sign: 1 | -1): ScalarOperand => {
      const own = speeds[place + 1]!;
      const forward = either(onward, own, e.subtract(real(0), own));
      const rounding = e.multiply(real(slopeRounding), gross[place + 1]!);
      return less(rounding, sign > 0 ? forward : e.subtract(real(0), forward));
    };
    const comes = pace(coming, 1);
    const noise = e.multiply(real(restless), size);
    const far = or(less(noise, e.apply('abs', quantity)), less(noise, e.apply('abs', quantityThen)));
    const other = and(others[i]!, or(far, and(comes, not(pace(going, -1)))));
    const through = e.apply('lt', e.multiply(quantity, detach(quantityThen)), real(0));
    const passing = either(
      through,
      e.divide(e.multiply(length, quantity), e.subtract(quantity, detach(quantityThen))),
      e.multiply(real(0.5), length),
    );
    estimate = either(and(other, less(passing, estimate)), passing, estimate);
    // Of several the first of those that come to it of themselves: another may be there because of that.
    const first = and(other, either(sure, and(comes, less(passing, nearest)), or(comes, most(passing, nearest))));
    const still = e.apply('eq', detach(speed), real(0));
    const slope = either(still, real(1), detach(speed));
    const own = e.divide(e.subtract(detach(quantityThen), quantityThen), slope);
    const rounding = e.divide(e.multiply(real(quantityRounding), size), e.apply('abs', slope));
    const moves = either(still, real(0), own);
    taken.push({ first, still, slope, itself: and(other, comes), shift: moves });
    shift = either(first, moves, shift);
    blur = either(first, either(still, real(0), rounding), blur);
    nearest = either(first, passing, nearest);
    sure = or(sure, and(other, comes));
    jumps = or(jumps, other);
  }
  const counts = s.branch(
    jumps,
    () => [not(sidesAlike(s, logic, watches, crossing, { here, there, others }))],
    () => [never],
  );
  /** Newton's second step of the last that `is`, from where the first has led. */
  const againAfter = (moved: readonly ScalarOperand[], by: ScalarOperand, is: (passing: Passing) => ScalarOperand) => {
    const beyond = s.inline(watches.function, crossing.arrivedAfter(moved, by));
    let again: ScalarOperand = real(0);
    for (const [i, passing] of taken.entries()) {
      const left = beyond[watchWidth * i + 1]!;
      const own = e.divide(e.subtract(detach(left), left), passing.slope);
      again = either(is(passing), either(passing.still, real(0), own), again);
    }
    return again;
  };
  const moved = crossing.moved(shift);
  const again = againAfter(moved, shift, ({ first }) => first);
  const rest = crossing.moved(again);
  const isLong = crossing.conditions.length * watches.function.body.statements.length > mostStatements;
  const beside = apart(s, logic, watches, crossing, { here, there, taken, shift });
  return [
    counts[0]!,
    estimate,
    e.add(shift, again),
    blur,
    ...moved.map((x, i) => e.add(x, rest[i]!, ...(beside ? [beside[i]!] : []))),
    ...crossing.conditions.map((condition) => {
      const own = condition.map((i) => taken[i]!);
      const first = own.reduce((so, { itself, shift: by }) => either(itself, by, so), shift);
      if (isLong) return e.subtract(first, shift);
      const [apart] = s.branch(
        own.map(({ itself }) => itself).reduce(or, never),
        () => {
          const second = againAfter(crossing.moved(first), first, (each) => (own.includes(each) ? each.itself : never));
          return [e.add(e.subtract(first, shift), e.subtract(second, again))];
        },
        () => [real(0)],
      );
      return apart!;
    }),
  ];
}

/** What is known of something watched that may pass its threshold. */
interface Passing {
  readonly first: ScalarOperand;
  readonly still: ScalarOperand;
  readonly slope: ScalarOperand;
  /** Whether it comes there by itself, and δ of it alone. */
  readonly itself: ScalarOperand;
  readonly shift: ScalarOperand;
}

/**
 * Rates longer than this, once for each that is watched, would be long to compile: what passes at one instant moves together.
 * Where conditions are, once for each event, these have times of their own to first order alone.
 */
const mostStatements = 6000;

/**
 * By how much the states are others since what passes its threshold at the same instant moves by its own parameter. With the
 * rates fⱼ behind the first j of them, and their shifts δⱼ,
 *
 *   Σ (fⱼ₋₁ − fⱼ)·(δⱼ − δ₁),  j = 2, 3, …
 *
 * for the solution goes on from where the first is.
 */
function apart(
  s: ScalarBuilder,
  { e, real, never, and, not, or, less, either, asReal }: Logic,
  watches: Watches,
  { arrived, after }: Crossing,
  {
    here,
    there,
    taken,
    shift,
  }: Pick<Seen, 'here' | 'there'> & { readonly taken: readonly Passing[]; readonly shift: ScalarOperand },
): ScalarOperand[] | undefined {
  if (watches.count < 2 || watches.count * watches.held.body.statements.length > mostStatements) return undefined;
  // Of those that were taken for the first the last is.
  let later = never;
  const isFirst = taken
    .map(({ first }) => first)
    .reverse()
    .map((first) => {
      const last = and(first, not(later));
      later = or(later, first);
      return last;
    })
    .reverse();
  const follows = taken.map(({ itself }, i) => and(itself, not(isFirst[i]!)));
  const count = follows.map(asReal).reduce((sum, each) => e.add(sum, each));
  const value = (all: readonly ScalarOperand[], i: number): ScalarOperand => e.apply('detach', all[watchWidth * i]!);
  const nothing = (): ScalarOperand[] => after.map(() => real(0));
  return s.branch(
    less(real(0), count),
    () => {
      const values = follows.map((waits, i) => either(waits, value(here, i), value(there, i)));
      const ratesBy = (): ScalarOperand[] => s.inline(watches.held, [...arrived, ...values]).slice(-after.length);
      let [rates, moved] = [ratesBy(), nothing()];
      for (const [i, waits] of follows.entries()) {
        values[i] = value(there, i);
        const both = s.branch(
          waits,
          () => {
            const next = ratesBy();
            const by = e.subtract(taken[i]!.shift, shift);
            return [...next, ...moved.map((x, k) => e.add(x, e.multiply(e.subtract(rates[k]!, next[k]!), by)))];
          },
          () => [...rates, ...moved],
        );
        [rates, moved] = [both.slice(0, after.length), both.slice(after.length)];
      }
      return moved;
    },
    nothing,
  );
}

/** Whether no more than the tolerance tells the sides apart of all that is another at the end than at the start. */
function sidesAlike(
  s: ScalarBuilder,
  { e, real, detach, and, or, not, most }: Logic,
  watches: Watches,
  { arrived, after, way, tolerance }: Crossing,
  { here, there, others }: Seen,
): ScalarOperand {
  const size = (x: ScalarOperand): ScalarOperand => e.apply('abs', detach(x));
  const within = (x: ScalarOperand, of: ScalarOperand): ScalarOperand =>
    most(size(x), e.add(real(tolerance.absolute), e.multiply(real(tolerance.relative), size(of))));
  const near = others.map((other, i) => {
    const [, quantity, magnitude] = here.slice(watchWidth * i) as [ScalarOperand, ScalarOperand, ScalarOperand];
    const [, quantityThen, magnitudeThen] = there.slice(watchWidth * i) as [
      ScalarOperand,
      ScalarOperand,
      ScalarOperand,
    ];
    return or(not(other), and(within(quantity, magnitude), within(quantityThen, magnitudeThen)));
  });
  const values = (all: readonly ScalarOperand[]): ScalarOperand[] => others.map((_, i) => detach(all[watchWidth * i]!));
  const at = arrived.map((x) => (x.type === 'real' ? detach(x) : x));
  const sideOf = (all: readonly ScalarOperand[]): readonly ScalarOperand[] =>
    s.inline(watches.held, [...at, ...values(all)]);
  const [ofHere, ofThere] = [sideOf(here), sideOf(there)];
  const told = ofHere.length - after.length;
  const alike = ofHere.map((x, i) => {
    const other = ofThere[i]!;
    return i < told ? e.apply('eq', x, other) : within(e.multiply(detach(way), e.subtract(x, other)), after[i - told]!);
  });
  return [...near, ...alike].reduce(and);
}

type Speeds = readonly (ScalarOperand | undefined)[];
