/**
 * Leave-one-out prediction of draws that were made once (PSIS-LOO: Vehtari, Gelman & Gabry 2017, DOI
 * 10.1007/s11222-016-9696-4): without observation i the draw s would have had the weight r_s = 1/p(y_i | θ_s), and
 *
 *   elpd_i = log Σ_s w_s·p(y_i | θ_s) / Σ_s w_s
 *
 * with weights w whose largest ones are replaced by the order statistics of a generalised Pareto distribution that is
 * fitted to them (Vehtari, Simpson, Gelman, Yao & Gabry 2024, JMLR 25). Its shape k says what the estimate is worth: from
 * 0.7 on, little. WAIC is Σ log mean p − Σ var log p (Watanabe 2010).
 */
import { effectiveSize, type Chains } from './diagnostics.ts';

export interface Loo {
  readonly elpdLoo: number;
  /** Of elpdLoo, by how its terms differ. */
  readonly elpdLooStandardError: number;
  /** Effective parameters: what the fit to these very data adds. */
  readonly pLoo: number;
  readonly elpdWaic: number;
  readonly pWaic: number;
  readonly observations: number;
  readonly largestParetoK: number;
  /** Observations whose k is above 0.7. */
  readonly paretoKAbove: number;
}

/** Beyond it the estimate of an observation is not to be trusted. */
export const doubtfulK = 0.7;

/** Of one observation: log p(y_i | θ_s), by chain and draw. */
export interface Pointwise {
  readonly elpd: number;
  readonly logMean: number;
  readonly variance: number;
  readonly k: number;
}

/** `relativeSize`: effective draws of p for each draw; found from the chains unless said. */
export function pointwiseOf(chains: Chains, relativeSize = relativeSizeOf(chains)): Pointwise {
  const logs = chains.flatMap((chain) => [...chain]);
  const { logWeights, k } = smoothed(
    logs.map((x) => -x),
    relativeSize,
  );
  const total = logSum(logWeights);
  const mean = logs.reduce((sum, x) => sum + x, 0) / logs.length;
  return {
    elpd: logSum(logs.map((x, s) => x + logWeights[s]!)) - total,
    logMean: logSum(logs) - Math.log(logs.length),
    variance: logs.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (logs.length - 1),
    k,
  };
}

export function looOf(all: readonly Pointwise[]): Loo {
  const sum = (of: (each: Pointwise) => number): number => all.reduce((total, each) => total + of(each), 0);
  const elpdLoo = sum(({ elpd }) => elpd);
  const logMean = sum(({ logMean }) => logMean);
  const pWaic = sum(({ variance }) => variance);
  const n = all.length;
  const spread = all.reduce((total, { elpd }) => total + (elpd - elpdLoo / n) ** 2, 0) / (n - 1);
  return {
    elpdLoo,
    elpdLooStandardError: Math.sqrt(n * spread),
    pLoo: logMean - elpdLoo,
    elpdWaic: logMean - pWaic,
    pWaic,
    observations: n,
    largestParetoK: all.reduce((most, { k }) => Math.max(most, k), -Infinity),
    paretoKAbove: all.filter(({ k }) => k > doubtfulK).length,
  };
}

function relativeSizeOf(chains: Chains): number {
  const largest = chains.reduce((most, chain) => chain.reduce((a, b) => Math.max(a, b), most), -Infinity);
  const draws = chains.reduce((total, { length }) => total + length, 0);
  const size = effectiveSize(chains.map((chain) => chain.map((x) => Math.exp(x - largest)))) / draws;
  return Number.isFinite(size) ? size : 1;
}

function logSum(x: readonly number[]): number {
  const largest = x.reduce((a, b) => Math.max(a, b), -Infinity);
  return largest + Math.log(x.reduce((sum, value) => sum + Math.exp(value - largest), 0));
}

/** Too few in the tail to fit anything to. */
const fewest = 5;

/** Logarithms of the weights, up to a constant. */
function smoothed(
  logRatios: readonly number[],
  relativeSize: number,
): { readonly logWeights: readonly number[]; readonly k: number } {
  const draws = logRatios.length;
  const largest = logRatios.reduce((a, b) => Math.max(a, b), -Infinity);
  const weights = logRatios.map((x) => x - largest);
  const inTail = Math.ceil(Math.min(0.2 * draws, 3 * Math.sqrt(draws / relativeSize)));
  if (inTail < fewest) return { logWeights: weights, k: Infinity };
  const order = weights.map((_, s) => s).sort((a, b) => weights[a]! - weights[b]!);
  const tail = order.slice(draws - inTail);
  const cutoff = Math.exp(weights[order[draws - inTail - 1]!]!);
  const excess = tail.map((s) => Math.exp(weights[s]!) - cutoff);
  if (!(excess.at(-1)! > excess[0]!)) return { logWeights: weights, k: -Infinity };
  const { k, sigma } = paretoFit(excess);
  if (Number.isFinite(k))
    tail.forEach((s, rank) => {
      const share = (rank + 0.5) / inTail;
      const quantile = k === 0 ? -sigma * Math.log1p(-share) : (sigma * Math.expm1(-k * Math.log1p(-share))) / k;
      // No weight may exceed the largest that was seen.
      weights[s] = Math.min(0, Math.log(quantile + cutoff));
    });
  return { logWeights: weights, k };
}

/**
 * Of x ≥ 0 in ascending order: the posterior mean of θ over a grid, by the profile of the likelihood (Zhang & Stephens
 * 2009, DOI 10.1198/tech.2009.08017), k drawn towards ½ as by ten observations.
 */
export function paretoFit(x: readonly number[]): { readonly k: number; readonly sigma: number } {
  const n = x.length;
  const [prior, grid] = [3, 30 + Math.floor(Math.sqrt(n))];
  const quarter = x[Math.floor(n / 4 + 0.5) - 1]!;
  const largest = x[n - 1]!;
  const shape = (theta: number): number => x.reduce((sum, value) => sum + Math.log1p(-theta * value), 0) / n;
  const thetas = Array.from(
    { length: grid },
    (_, j) => 1 / largest + (1 - Math.sqrt(grid / (j + 0.5))) / (prior * quarter),
  );
  const profile = thetas.map((theta) => {
    const k = shape(theta);
    return n * (Math.log(-theta / k) - k - 1);
  });
  const total = logSum(profile);
  const theta = thetas.reduce((sum, value, j) => sum + value * Math.exp(profile[j]! - total), 0);
  const k = shape(theta);
  return { k: (k * n + 0.5 * 10) / (n + 10), sigma: -k / theta };
}
