/** What a parameter may be, by the name that `support` has in a document, and what that means. */
export const supportFacts = {
  real: 'any number, between its bounds',
  positive: 'above 0, on a log scale unless another is said',
  simplex: 'shares, each above 0, that add up to 1',
  ordered: 'no element below the one before it',
  correlation: 'a matrix of correlations',
} as const satisfies Readonly<Record<string, string>>;

export type SupportName = keyof typeof supportFacts;
export const supportNames = Object.keys(supportFacts) as [SupportName, ...SupportName[]];

/** Between what a number of it lies, where that is not anything. */
const supportRanges: Readonly<Partial<Record<SupportName, Reach>>> = {
  positive: [0, Infinity],
  simplex: [0, 1],
  correlation: [-1, 1],
};

/** The least and the most that a number can be. */
export type Reach = readonly [least: number, most: number];

/** What an element of a parameter can be, by what its block says; `lower` and `upper` are its own bounds, undefined where there are none. */
export function reachOf(
  { support, scale }: { readonly support?: unknown; readonly scale?: unknown },
  lower = -Infinity,
  upper = Infinity,
): Reach {
  const own = Object.hasOwn(supportRanges, String(support)) ? supportRanges[support as SupportName]! : anything;
  if (scale === 'logit') return [Number.isFinite(lower) ? lower : 0, Number.isFinite(upper) ? upper : 1];
  const least = Math.max(own[0], scale === 'log' ? 0 : -Infinity);
  return [Math.max(least, lower), Math.min(own[1], upper)];
}

const anything: Reach = [-Infinity, Infinity];

/** What the deviations and correlations of random effects can be, by their names: `u.sd.b0`, `u.correlation`. */
export function reachOfDistribution(name: string): Reach {
  const [, kind] = /\.(sd|correlation)(?:[.[]|$)/.exec(name) ?? [];
  return kind === 'sd' ? [0, Infinity] : kind === 'correlation' ? [-1, 1] : anything;
}

/**
 * An interval that is symmetric by its making, open where it reaches beyond what can be: no number stands there. One that is a point
 * stays.
 */
export function openBeyond(
  lower: number,
  upper: number,
  [least, most]: Reach,
): readonly [lower: number, upper: number] {
  if (!(lower < upper)) return [lower, upper];
  return [lower <= least ? -Infinity : lower, upper >= most ? Infinity : upper];
}
