/**
 * Profile likelihood: for each element p_j the energy minimised over all others, E(p_j), and where it has risen so far
 * that p_j is excluded. The signed root
 *
 *   τ(p) = sign(p − p̂)·√((E(p) − E(p̂))/s²)   least squares (Bates & Watts 1988, DOI 10.1002/9780470316757, ch. 6)
 *        = sign(p − p̂)·√(2·(E(p) − E(p̂)))     likelihoods and posteriors
 *
 * (under a robust loss by C over A⁻¹ of the element in place of s², 6-fit/report/statistics.ts: Kent 1982, DOI 10.1093/biomet/69.1.19)
 *
 * meets ± the critical value of Student's t (noise estimated) or z at the ends: R's `confint`, but the ends are solved for
 * and not interpolated (profile-sides.ts).
 */
import { fromCoordinate, type Coordinate } from '../../6-fit/coordinates.ts';
import { symmetryInWords, type Symmetry } from '../../6-fit/symmetry.ts';
import type { Directions } from './directions.ts';
import type { ElementInterval, MethodOptions, MethodResult, Profile } from './problem.ts';
import { criticalValue, type Fitted } from './fitted.ts';
import type { End, Sides } from './profile-sides.ts';
import {
  aroundInfinity,
  boundedVerdict,
  closestTo,
  unboundedVerdict,
  type Verdict,
  verdictOf,
} from '../../6-fit/report/verdict.ts';

/** `sides`: by element; undefined of one that nobody has followed. `exchanges`: of the model (exchanges.ts). */
export function profileOf(
  fitted: Fitted,
  directions: Directions,
  sides: readonly (Sides | undefined)[],
  exchanges: readonly Symmetry[],
  { level }: Pick<MethodOptions, 'level'>,
): MethodResult {
  const { all, names, errors, result } = fitted;
  const ends = sides.flatMap((pair) => pair ?? []);
  const lowest = Math.min(...ends.map((end) => end.lowest));
  const better = result.energy - lowest > 1e-6 * Math.abs(result.energy);
  const intervals = all.map((coordinate, j) => {
    const pair = sides[j];
    return pair
      ? intervalOf(fitted, directions, coordinate, j, ...pair)
      : { lower: NaN, upper: NaN, figures: { standardError: errors[j]! }, verdict: notFollowed };
  });
  return {
    intervals,
    diagnostics: {},
    warnings: [
      ...(better
        ? [
            `a profile found a better point than the fit, with ${lowest} for ${result.energy}: fit again from more starts`,
          ]
        : []),
      ...exchanges.flatMap((symmetry) => exchangeAdvice(fitted, symmetry, intervals)),
    ],
    cancelled: ends.some(({ kind }) => kind === 'cancelled'),
    cutoff: criticalValue(fitted, level),
    profiles: names.flatMap((name, j) => {
      const pair = sides[j];
      return pair ? [drawn(name, all[j]!, ...pair)] : [];
    }),
  };
}

/** Where an interval reaches over the place of what its element may change places with. */
function exchangeAdvice(
  { all, values }: Fitted,
  symmetry: Symmetry,
  intervals: readonly Pick<ElementInterval, 'lower' | 'upper'>[],
): string[] {
  const reaches = intervals.some(({ lower, upper }, j) => {
    const from = symmetry.moves[j]!.from;
    return from !== j && lower <= values[from]! && values[from]! <= upper;
  });
  const words = reaches ? symmetryInWords(all, symmetry) : undefined;
  return words === undefined
    ? []
    : [
        `the model is the same with ${words}, and these profiles reach over both places: a bound of one by the other ("lower": the id of the other) tells them apart`,
      ];
}

const notFollowed: Verdict = { status: 'none', reason: 'not known: its profile was not followed' };

function intervalOf(
  fitted: Fitted,
  directions: Directions,
  coordinate: Coordinate,
  j: number,
  low: End,
  high: End,
): ElementInterval {
  const { values, names, correlation } = fitted;
  // However far a logit goes, its parameter comes to a bound.
  const come = (side: End): End =>
    side.kind === 'infinite' && coordinate.parameter.scale === 'logit' ? { ...side, kind: 'bound' } : side;
  const [below, above] = [come(low), come(high)];
  const value = values[j]!;
  const end = ({ u, kind }: End): number =>
    Number.isNaN(u)
      ? NaN
      : kind === 'infinite' && coordinate.parameter.scale === 'linear'
        ? u
        : fromCoordinate(coordinate, u);
  const [lower, upper] = [end(below), end(above)];
  const figures = { standardError: fitted.errors[j]! };
  const both = (kind: End['kind']): boolean => below.kind === kind && above.kind === kind;
  const atBound = below.kind === 'bound' ? 'lower' : above.kind === 'bound' ? 'upper' : undefined;
  const partners = directions.partners[j] ?? [];
  const open = below.kind === 'infinite' || above.kind === 'infinite';
  const idle = directions.idle[j] ?? false;
  if (!idle && !open && atBound && !both('bound')) {
    const [bound, other] = atBound === 'lower' ? [lower, upper] : [upper, lower];
    const verdict = boundedVerdict(atBound, bound, other);
    return { lower, upper, figures, verdict };
  }
  if (!idle && (both('bound') || (open && atBound)))
    return { lower, upper, figures, verdict: unboundedVerdict(partners) };
  const either = (kind: End['kind']): boolean => below.kind === kind || above.kind === kind;
  const verdict = verdictOf({
    value,
    // On a log scale the end at 0 is as far away as infinity.
    lower: below.kind === 'infinite' ? -Infinity : lower,
    upper: above.kind === 'infinite' ? Infinity : upper,
    partners,
    closest: closestTo(names, correlation, j),
    idle,
    exact: fitted.exact,
    why:
      fitted.noVariance ??
      (either('edge')
        ? 'the model has no value before the data exclude one'
        : either('jump')
          ? 'the objective jumps where it should cross the limit, and such an end is not known'
          : undefined),
  });
  const [around] = [below, above].flatMap((side) => side.around ?? []);
  const goesOn = around !== undefined && (lower > around || upper < around);
  return { lower, upper, figures, verdict: goesOn ? aroundInfinity(verdict, around) : verdict };
}

function drawn(name: string, coordinate: Coordinate, below: End, above: End): Profile {
  const points = [...below.path, ...above.path.slice(1)].sort(([a], [b]) => a - b);
  return {
    name,
    values: points.map(([u]) => fromCoordinate(coordinate, u)),
    roots: points.map(([, root]) => root),
  };
}
