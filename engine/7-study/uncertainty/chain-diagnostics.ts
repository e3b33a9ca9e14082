/**
 * Whether chains have mixed, and how much their draws are worth.
 *
 *   split R̂ = √(((n − 1)/n·W + B/n)/W) over the halves of all chains   (Gelman et al. 2013, Bayesian Data Analysis, 11.4)
 *   effective sample size = m·n/(1 + 2·Σ ρ_t), ρ_t summed by Geyer's initial monotone sequence
 *                                                                       (Vehtari et al. 2021, DOI 10.1214/20-BA1221)
 */

/** `chains`: draws of one quantity, of equal length. */
export function splitRHat(chains: readonly Float64Array[]): number {
  const half = Math.floor((chains[0]?.length ?? 0) / 2);
  if (half < 2) return NaN;
  const halves = chains.flatMap((chain) => [chain.slice(0, half), chain.slice(chain.length - half)]);
  const { within, between } = variances(halves);
  return Math.sqrt((((half - 1) / half) * within + between / half) / within);
}

function variances(chains: readonly Float64Array[]): { within: number; between: number } {
  const n = chains[0]?.length ?? 0;
  const means = chains.map((chain) => chain.reduce((sum, value) => sum + value, 0) / n);
  const all = means.reduce((sum, value) => sum + value, 0) / means.length;
  const within =
    chains.reduce(
      (sum, chain, c) => sum + chain.reduce((s, x) => s + (x - (means[c] as number)) ** 2, 0) / (n - 1),
      0,
    ) / chains.length;
  const between = (n * means.reduce((sum, mean) => sum + (mean - all) ** 2, 0)) / Math.max(1, means.length - 1);
  return { within, between };
}

export function effectiveSampleSize(chains: readonly Float64Array[]): number {
  const n = chains[0]?.length ?? 0;
  if (n < 4) return NaN;
  const { within, between } = variances(chains);
  const pooled = ((n - 1) / n) * within + (chains.length > 1 ? between / n : 0);
  const means = chains.map((chain) => chain.reduce((sum, value) => sum + value, 0) / n);
  const correlation = (lag: number): number => {
    let total = 0;
    chains.forEach((chain, c) => {
      const mean = means[c] as number;
      for (let t = 0; t + lag < n; t++) total += ((chain[t] as number) - mean) * ((chain[t + lag] as number) - mean);
    });
    return 1 - (within - total / (n * chains.length)) / pooled;
  };
  let sum = 0;
  let least = Infinity;
  for (let lag = 0; lag + 1 < n; lag += 2) {
    const pair = correlation(lag) + correlation(lag + 1);
    if (!(pair > 0)) break;
    least = Math.min(least, pair);
    sum += least;
  }
  const size = chains.length * n;
  return Math.min(size / (2 * sum - 1), size * Math.log10(size));
}
