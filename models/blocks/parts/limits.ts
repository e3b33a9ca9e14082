/** Whether an observation can be what limits say of it: an interval that does not end before it begins, among what could be seen. */
import { censoredSides, limitedBy } from '../../objective/limited.ts';
import type { Seen, SeenKey } from '../../objective/observation.ts';
import type { InferContext, Output } from '../kind.ts';
import { knownValues } from './known.ts';

/** One value, or one for each observation; undefined where nobody knows before a fit. */
export type Limits = ReadonlyMap<SeenKey, ArrayLike<number> | undefined>;

/** Says of the first that cannot, and returns false. */
export function checkLimits(context: InferContext, seen: Seen, limits: Limits, observed: Output): boolean {
  const ys = knownValues(context, 'observed', observed);
  if (!ys) return true;
  // Of arrays that broadcast otherwise than row by row nothing is said here.
  if ([...limits.values()].some((values) => values && values.length !== 1 && values.length !== ys.length)) return true;
  for (let row = 0; row < ys.length; row++) {
    const fault = faultOf(seen, ys[row]!, (key) => {
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
function faultOf(seen: Seen, y: number, at: (key: SeenKey) => number | undefined): string | undefined {
  const kinds = censoredSides.flatMap((side) => {
    const told = seen[side];
    return told === undefined ? [] : [{ side, told: told === true ? undefined : told }];
  });
  if (Number.isNaN(y) || kinds.some(({ side }) => at(side) === undefined)) return undefined;
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
