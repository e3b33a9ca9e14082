/**
 * −log of what is known of one observation: its density, or of what is censored the probability of where it lies,
 *
 *   left  −log P(Y ≤ limit)    right  −log P(Y > limit)    interval  −log P(y < Y ≤ end),
 *
 * and where only some values could be seen at all, + log P(lower < Y ≤ upper). NaN where an argument lies out of its range.
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
  const less = (at: ScalarOperand) => s.apply('neg', tails.below(s, at, ...args));
  const more = (at: ScalarOperand) => s.apply('neg', tails.above(s, at, ...args));
  let write = exact;
  if (interval !== undefined) {
    const inner = write;
    write = () =>
      s.choose(s.apply('lt', y, interval), () => s.apply('neg', logBetween(s, tails, y, interval, args)), inner);
  }
  if (right !== undefined) {
    const inner = write;
    write = () =>
      seen.right === 'mark'
        ? s.choose(s.apply('ne', right, real(0)), () => more(y), inner)
        : s.choose(s.apply('le', right, y), () => more(right), inner);
  }
  if (left !== undefined) {
    const inner = write;
    write = () =>
      seen.left === 'mark'
        ? s.choose(s.apply('ne', left, real(0)), () => less(y), inner)
        : s.choose(s.apply('le', y, left), () => less(left), inner);
  }
  if (lower === undefined && upper === undefined) return write();
  const known =
    lower === undefined
      ? tails.below(s, upper!, ...args)
      : upper === undefined
        ? tails.above(s, lower, ...args)
        : logBetween(s, tails, lower, upper, args);
  return s.add(write(), known);
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
  return s.choose(
    s.apply('lt', below(s, a, ...args), real(-Math.LN2)),
    () => difference(below(s, b, ...args), below(s, a, ...args)),
    () => difference(above(s, a, ...args), above(s, b, ...args)),
  );
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
