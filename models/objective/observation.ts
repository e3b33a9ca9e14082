/**
 * −log of what is known of one observation: its density, or of what is censored the probability of where it lies,
 *
 *   left  −log P(Y ≤ limit)    right  −log P(Y > limit)    interval  −log P(y < Y ≤ end),
 *
 * and where only some values could be seen at all, of what lies among them, + log P(lower < Y ≤ upper). NaN where an argument
 * lies out of its range, where an interval ends before it begins, a left limit lies above the right one, or what could be seen is
 * nothing, and of what could not be seen.
 */
import { realLiteral, type ScalarOperand } from '../../engine/index.ts';
import type { Expression } from './expression.ts';
import type { Family, Tails } from './families/family.ts';
import type { Range } from '../facts/families.ts';

const real = realLiteral;

/** How a row is told to be censored: by a limit that it has reached, or by a mark that is not 0. */
export type Told = 'limit' | 'mark';

export interface Seen {
  readonly left?: Told;
  readonly right?: Told;
  readonly interval?: true;
  readonly lower?: true;
  readonly upper?: true;
}

export type SeenKey = keyof Seen;

type Given = Partial<Record<SeenKey, ScalarOperand>>;

/** What has no distribution function here is not censored or truncated. */
export function minusLogSeen(
  s: Expression,
  { minusLog, tails }: Pick<Family, 'minusLog' | 'tails'>,
  seen: Seen,
  given: Given,
  y: ScalarOperand,
  args: readonly ScalarOperand[],
): ScalarOperand {
  const exact = (): ScalarOperand => minusLog(s, y, ...args);
  if (!tails || Object.keys(seen).length === 0) return exact();
  const { left, right, interval, lower, upper } = given;
  /** log P(a < Y ≤ b) of what could be seen; undefined: no such end. */
  const probability = (a?: ScalarOperand, b?: ScalarOperand): ScalarOperand => {
    const [from, to] = [narrower(s, 'max', a, lower), narrower(s, 'min', b, upper)];
    if (from === undefined) return tails.below(s, to!, ...args);
    return to === undefined ? tails.above(s, from, ...args) : logBetween(s, tails, from, to, args);
  };
  const minus = (a?: ScalarOperand, b?: ScalarOperand) => s.apply('neg', probability(a, b));
  let write = (): ScalarOperand => visible(s, y, given, exact);
  if (interval !== undefined) {
    const inner = write;
    const ended = () => s.choose(s.apply('lt', interval, y), () => real(NaN), inner);
    write = () => s.choose(s.apply('lt', y, interval), () => minus(y, interval), ended);
  }
  if (right !== undefined) {
    const inner = write;
    write = () =>
      seen.right === 'mark'
        ? s.choose(s.apply('ne', right, real(0)), () => minus(y), inner)
        : s.choose(s.apply('le', right, y), () => minus(right), inner);
  }
  if (left !== undefined) {
    const inner = write;
    write = () =>
      seen.left === 'mark'
        ? s.choose(s.apply('ne', left, real(0)), () => minus(undefined, y), inner)
        : s.choose(s.apply('le', y, left), () => minus(undefined, left), inner);
  }
  const counted = (): ScalarOperand =>
    lower === undefined && upper === undefined ? write() : s.add(write(), probability());
  const areLimits = seen.left === 'limit' && seen.right === 'limit';
  const crossings = [
    lower && upper && s.apply('le', upper, lower),
    areLimits && left && right && s.apply('lt', right, left),
  ].flatMap((crossed) => crossed || []);
  return crossings.reduce((inner, crossed) => () => s.choose(crossed, () => real(NaN), inner), counted)();
}

/** The inner one of two ends on the same side. */
function narrower(
  s: Expression,
  which: 'min' | 'max',
  end: ScalarOperand | undefined,
  limit: ScalarOperand | undefined,
): ScalarOperand | undefined {
  return end && limit ? s.apply(which, end, limit) : (end ?? limit);
}

/** `write` where y lies between the limits of what could be seen, else NaN. */
function visible(s: Expression, y: ScalarOperand, { lower, upper }: Given, write: () => ScalarOperand): ScalarOperand {
  return [lower && s.apply('le', lower, y), upper && s.apply('le', y, upper)].reduce<() => ScalarOperand>(
    (inner, condition) => (condition ? () => s.choose(condition, inner, () => real(NaN)) : inner),
    write,
  )();
}

/** log P(a < Y ≤ b), by the tail that is the smaller. */
function logBetween(
  s: Expression,
  { below, above }: Tails,
  a: ScalarOperand,
  b: ScalarOperand,
  args: readonly ScalarOperand[],
): ScalarOperand {
  const difference = (large: ScalarOperand, small: ScalarOperand): ScalarOperand =>
    s.add(large, s.apply('log', s.apply('neg', s.apply('expm1', s.subtract(small, large)))));
  const between = (): ScalarOperand =>
    s.choose(
      s.apply('lt', below(s, a, ...args), real(-Math.LN2)),
      () => difference(below(s, b, ...args), below(s, a, ...args)),
      () => difference(above(s, a, ...args), above(s, b, ...args)),
    );
  // An end that is infinite takes no part: its derivative is no number.
  const from = (): ScalarOperand => s.choose(s.apply('eq', b, real(Infinity)), () => above(s, a, ...args), between);
  return s.choose(s.apply('eq', a, real(-Infinity)), () => below(s, b, ...args), from);
}

/** Whether an argument lies where it may; undefined of one that may be anything. */
function inRange(s: Expression, range: Range, x: ScalarOperand): ScalarOperand | undefined {
  if (range === 'any') return undefined;
  if (range === 'positive') return s.apply('lt', real(0), x);
  const above = s.apply('le', real(0), x);
  return range === 'share' ? s.apply('and', above, s.apply('le', x, real(1))) : above;
}

/** `write` where all of these lie in their ranges, else NaN. */
export function within(
  s: Expression,
  ranges: readonly (readonly [Range, ScalarOperand])[],
  write: () => ScalarOperand,
): ScalarOperand {
  const conditions = ranges.flatMap(([range, x]) => inRange(s, range, x) ?? []);
  if (conditions.length === 0) return write();
  return s.choose(
    conditions.reduce((all, one) => s.apply('and', all, one)),
    write,
    () => real(NaN),
  );
}
