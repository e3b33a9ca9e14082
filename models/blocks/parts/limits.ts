/** Whether an observation can be what limits say of it: an interval that does not end before it begins, among what could be seen. */
import { censoredSides, limitedBy } from '../../objective/limited.ts';
import type { Seen, SeenKey } from '../../objective/observation.ts';
import type { InferContext, Output } from '../kind.ts';
import { knownValues } from './known.ts';

/** One value, or one for each observation; undefined where nobody knows before a fit. */
export type Limits = ReadonlyMap<SeenKey, ArrayLike<number> | undefined>;

/** Says of the first that cannot, and returns false. `least`: nothing that is observed lies below. */
export function checkLimits(
  context: InferContext,
  seen: Seen,
  limits: Limits,
  { observed, least }: { readonly observed: Output; readonly least: number },
): boolean {
  const ys = knownValues(context, 'observed', observed);
  if (!ys) return true;
  // Of arrays that broadcast otherwise than row by row nothing is said here.
  if ([...limits.values()].some((values) => values && values.length !== 1 && values.length !== ys.length)) return true;
  for (let row = 0; row < ys.length; row++) {
    const fault = faultOf(seen, least, ys[row]!, (key) => {
      const values = limits.get(key);
      return values?.[values.length === 1 ? 0 : row];
    });
    if (fault === undefined) continue;
    context.fail(`element ${row} of "observed" ${fault}`, { port: 'observed', got: String(ys[row]) });
    return false;
  }
  return true;
}

/** What is wrong with one observation; undefined where nothing is, or where that is not known. */
function faultOf(seen: Seen, least: number, y: number, at: (key: SeenKey) => number | undefined): string | undefined {
  if (Number.isNaN(y)) return undefined;
  const impossible = noWindow(seen, at) ?? noSides(seen, least, y, at);
  if (impossible !== undefined) return impossible;
  const kinds = censoredSides.flatMap((side) => {
    const told = seen[side];
    return told === undefined ? [] : [{ side, told: told === true ? undefined : told }];
  });
  if (kinds.some(({ side }) => at(side) === undefined)) return undefined;
  const [lower = -Infinity, upper = Infinity, end = NaN] = [at('lower'), at('upper'), at('interval')];
  const allowed = `"truncated" lets only what lies between ${lower} and ${upper} be seen`;
  const limited = limitedBy(kinds, y, (k) => at(kinds[k]!.side)!);
  switch (limited?.side) {
    case 'left':
      return limited.at <= lower ? `lies at or below its limit ${limited.at}, and ${allowed}` : undefined;
    case 'right':
      return limited.at >= upper ? `lies above its limit ${limited.at}, and ${allowed}` : undefined;
    case 'interval':
      return end <= lower || y >= upper ? `lies between ${y} and ${end}, and ${allowed}` : undefined;
    case undefined:
      if (end < y) return `is ${y}, and its interval ends before that, at ${end}`;
      return y < lower || y > upper ? `is ${y}, and ${allowed}` : undefined;
  }
}

/** What could be seen of it: nothing, or nobody knows what. */
function noWindow(seen: Seen, at: (key: SeenKey) => number | undefined): string | undefined {
  const [lower, upper] = [at('lower'), at('upper')];
  const missing = Number.isNaN(lower) ? 'lower' : Number.isNaN(upper) ? 'upper' : undefined;
  if (missing) {
    const none = missing === 'lower' ? '-Infinity' : 'Infinity';
    return `has no limit "truncated.${missing}": where there is none write ${none}`;
  }
  return seen.lower && seen.upper && lower !== undefined && upper !== undefined && lower >= upper
    ? `has nothing that "truncated" lets be seen, from ${lower} to ${upper}`
    : undefined;
}

/** Whether it is censored from more sides than one can be, or by a limit that says nothing. */
function noSides(seen: Seen, least: number, y: number, at: (key: SeenKey) => number | undefined): string | undefined {
  const [left, right, end] = [at('left'), at('right'), at('interval')];
  const isLimit = (side: 'left' | 'right'): boolean => seen[side] === 'limit';
  const isMarked = (side: 'left' | 'right', value: number | undefined): boolean =>
    seen[side] === 'mark' && value !== undefined && value !== 0;
  if (isLimit('left') && left === Infinity) return 'has the left limit Infinity, which says nothing';
  if (isLimit('right') && right === -Infinity) return 'has the right limit -Infinity, which says nothing';
  if (isLimit('left') && isLimit('right') && left! > right!)
    return `has the left limit ${left} above the right one ${right}, and so no number could be read`;
  const [markedLeft, markedRight] = [isMarked('left', left), isMarked('right', right)];
  if (markedLeft && markedRight) return 'is marked as censored on the left and on the right';
  if (markedLeft && isLimit('right') && right! <= y)
    return `is marked as censored on the left at ${y}, and has reached its right limit ${right}`;
  if (markedRight && isLimit('left') && y <= left!)
    return `is marked as censored on the right at ${y}, and has reached its left limit ${left}`;
  // An interval that says what the limit does is no contradiction.
  if (end === undefined || !(y < end)) return undefined;
  const sides = [
    { side: 'left', limit: isLimit('left') && y <= left! ? left : undefined, same: y <= least && end === left },
    {
      side: 'right',
      limit: isLimit('right') && right! <= y ? right : undefined,
      same: end === Infinity && y === right,
    },
  ];
  const reached = sides.find(({ limit, same }) => limit !== undefined && !same);
  return (
    reached &&
    `is ${y} with an interval to ${end} of its own, and has reached its ${reached.side} limit ${reached.limit}`
  );
}
