/**
 * Whether chains have mixed, and how much their draws are worth (Vehtari, Gelman, Simpson, Carpenter & Bürkner 2021,
 * DOI 10.1214/20-BA1221; equations by their numbers):
 *
 *   R̂    = √(((n − 1)/n·W + B/n)/W) over halves of chains (3), of normal scores of the ranks (14), and of those of the
 *          distances from the median; the larger of the two
 *   ESS  = m·n/τ̂,  τ̂ = −1 + 2·Σ ρ̂_t by Geyer's initial monotone sequence (10)–(13)
 *   bulk: of the normal scores; tail: the smaller one of those of x ≤ q₅ and x ≤ q₉₅
 */
import normalQuantile from '@stdlib/stats-base-dists-normal-quantile';
import { ascending } from '../../6-fit/algebra/ascending.ts';
import { unitOf } from '../../6-fit/algebra/far-units.ts';
import { lagProduct, lagProducts } from '../../6-fit/algebra/lag-products.ts';
import { sortedQuantile } from '../../6-fit/ensembles/random.ts';

/** Draws of one quantity, of equal length. */
export type Chains = readonly Float64Array[];

export interface Mixing {
  readonly rHat: number;
  readonly essBulk: number;
  readonly essTail: number;
}

/** NaN where there are too few draws to say. */
export function mixingOf(chains: Chains): Mixing {
  const halves = halvesOf(chains);
  const scores = normalScores(halves);
  const median = sortedQuantile(sorted(halves), 0.5);
  const folded = normalScores(halves.map((chain) => chain.map((x) => Math.abs(x - median))));
  const ascended = sorted(chains);
  return {
    rHat: Math.max(potentialScaleReduction(scores), potentialScaleReduction(folded)),
    essBulk: geyerSize(scores),
    essTail: Math.min(...[0.05, 0.95].map((share) => quantileSize(chains, sortedQuantile(ascended, share)))),
  };
}

/** Standard errors that the mean and the standard deviation have because draws are finitely many. */
export function monteCarloErrors(chains: Chains): { readonly mean: number; readonly standardDeviation: number } {
  const unit = unitOf(joined(chains), 200);
  const own = unit === 1 ? chains : chains.map((chain) => chain.map((x) => x / unit));
  const { mean, deviation, size } = momentsOf(own);
  const squares = own.map((chain) => chain.map((x) => (x - mean) ** 2));
  const second = momentsOf(squares);
  // By the delta method: the standard deviation is the root of a mean.
  const ofVariance = second.deviation ** 2 / effectiveSize(squares);
  return {
    mean: (unit * deviation) / Math.sqrt(effectiveSize(own)),
    standardDeviation: unit * Math.sqrt(ofVariance / (4 * deviation ** 2 * (1 - 1 / size))),
  };
}

/** R-hat beyond which chains have not converged to one distribution. */
export const apart = 1.05;

/** Of the mean. */
export function effectiveSize(chains: Chains): number {
  return geyerSize(halvesOf(chains));
}

function quantileSize(chains: Chains, limit: number): number {
  return effectiveSize(chains.map((chain) => chain.map((x) => (x <= limit ? 1 : 0))));
}

/** Where the number of draws is odd, the one in the middle belongs to neither. */
export function halvesOf(chains: Chains): Float64Array[] {
  const half = Math.floor((chains[0]?.length ?? 0) / 2);
  return chains.flatMap((chain) => [chain.slice(0, half), chain.slice(chain.length - half)]);
}

const sorted = (chains: Chains): Float64Array => joined(chains).sort();

export function joined(chains: Chains): Float64Array {
  const all = new Float64Array(chains.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const chain of chains) {
    all.set(chain, at);
    at += chain.length;
  }
  return all;
}

export function momentsOf(chains: Chains): {
  readonly mean: number;
  readonly deviation: number;
  readonly size: number;
} {
  const all = joined(chains);
  const mean = meanOf(all);
  const unit = unitOf(all);
  const squares = all.reduce((sum, x) => sum + ((x - mean) / unit) ** 2, 0);
  return { mean, deviation: unit * Math.sqrt(squares / Math.max(0, all.length - 1)), size: all.length };
}

const meanOf = (x: Float64Array): number => x.reduce((sum, value) => sum + value, 0) / x.length;

/** Φ⁻¹((rank − 3/8)/(S + 1/4)) among all draws; equal ones share their mean rank. */
function normalScores(chains: Chains): Float64Array[] {
  const all = joined(chains);
  const order = ascending(all);
  const scores = new Float64Array(all.length);
  for (let from = 0; from < order.length;) {
    const value = all[order[from]!];
    let to = from + 1;
    while (to < order.length && all[order[to]!] === value) to++;
    const rank = (from + 1 + to) / 2;
    const score = normalQuantile((rank - 3 / 8) / (all.length + 1 / 4), 0, 1);
    for (let k = from; k < to; k++) scores[order[k]!] = score;
    from = to;
  }
  const n = chains[0]?.length ?? 0;
  return chains.map((_, c) => scores.slice(c * n, (c + 1) * n));
}

interface Spread {
  readonly means: Float64Array;
  /** W, and B/n. */
  readonly within: number;
  readonly between: number;
}

function spreadOf(chains: Chains): Spread {
  const n = chains[0]?.length ?? 0;
  const means = Float64Array.from(chains, meanOf);
  const all = meanOf(means);
  const squares = chains.map((chain, c) => chain.reduce((sum, x) => sum + (x - means[c]!) ** 2, 0));
  return {
    means,
    within: squares.reduce((sum, value) => sum + value, 0) / (chains.length * (n - 1)),
    between: chains.length < 2 ? 0 : means.reduce((sum, mean) => sum + (mean - all) ** 2, 0) / (chains.length - 1),
  };
}

function potentialScaleReduction(chains: Chains): number {
  const n = chains[0]?.length ?? 0;
  if (n < 2) return NaN;
  const { within, between } = spreadOf(chains);
  return Math.sqrt((n - 1) / n + between / within);
}

/** Lags of which each is summed by itself. */
const summed = 24;

function geyerSize(chains: Chains): number {
  const n = chains[0]?.length ?? 0;
  if (n < 3) return NaN;
  const { means, within, between } = spreadOf(chains);
  const pooled = ((n - 1) / n) * within + between;
  const centred = chains.map((chain, c) => chain.map((x) => x - means[c]!));
  // Chains that forget soon are asked of few lags; of others all are had at once.
  let all: Float64Array | undefined;
  const product = (lag: number): number =>
    lag < summed ? lagProduct(centred, lag) : (all ??= lagProducts(centred))[lag]!;
  const correlation = (lag: number): number => 1 - (within - product(lag) / (n * chains.length)) / pooled;
  // Sums of pairs are positive and fall: what rises is noise, and so is all from the first negative one on, of which the
  // even lag alone counts, once. That lowers the variance for chains that alternate.
  let even = 1;
  let pair = 1 + correlation(1);
  let least = pair;
  let time = -1;
  for (let lag = 2; lag < n - 3 && pair > 0; lag += 2) {
    time += 2 * least;
    even = correlation(lag);
    pair = even + correlation(lag + 1);
    least = Math.min(least, pair);
  }
  time += Math.max(0, even);
  const size = chains.length * n;
  return size / Math.max(time, 1 / Math.log10(size));
}
