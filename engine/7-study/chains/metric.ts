/**
 * The metric of a chain, Σ ≈ the covariance of what it samples: momentum ~ N(0, Σ⁻¹), velocity = Σ·momentum. Estimated
 * from few and correlated draws, Σ is shrunk towards its diagonal as far as the estimates of the correlations are noise:
 *
 *   r̃_ij = (1 − λ)·r_ij,  λ = Σ_{i≠j} var(r_ij) / Σ_{i≠j} r_ij²    (Schäfer & Strimmer 2005, DOI 10.2202/1544-6115.1175)
 */
import { cholesky } from '../../6-fit/algebra/cholesky.ts';
import type { Random } from '../../6-fit/ensembles/random.ts';
import { dot, numbers } from '../../6-fit/algebra/vectors.ts';

export interface Metric {
  /** The diagonal of Σ. */
  readonly variances: Float64Array;
  /** Σ·x */
  times(x: Float64Array): Float64Array;
  /** Of N(0, Σ⁻¹). */
  momentum(random: Random): Float64Array;
}

export function diagonalMetric(variances: Float64Array): Metric {
  return {
    variances,
    times: (x) => numbers(x.length, (i) => variances[i]! * x[i]!),
    momentum: (random) => numbers(variances.length, (i) => random.normal() / Math.sqrt(variances[i]!)),
  };
}

/** Undefined where Σ is not positive definite. */
export function denseMetric(covariance: readonly Float64Array[]): Metric | undefined {
  const factor = cholesky(covariance);
  return (
    factor && {
      variances: numbers(covariance.length, (i) => covariance[i]![i]!),
      times: (x) => numbers(covariance.length, (i) => dot(covariance[i]!, x)),
      // L⁻ᵀ·z, solved backward.
      momentum(random) {
        const n = factor.length;
        const z = numbers(n, () => random.normal());
        for (let i = n - 1; i >= 0; i--) {
          for (let k = i + 1; k < n; k++) z[i] = z[i]! - factor[k]![i]! * z[k]!;
          z[i] = z[i]! / factor[i]![i]!;
        }
        return z;
      },
    }
  );
}

/** No window may take a variance further than this from the one before: a chain that runs away must not carry its step along. */
const furthest = 1e6;
/** Draws for each coordinate. */
const enough = 10;
/** Beyond so many coordinates a matrix takes longer than what it saves. */
const mostDense = 400;

/** Of the draws of a window of the warm-up, regularised as Stan does: n/(n + 5) of the estimate, the rest a small share of what was. */
export function metricFrom(draws: readonly Float64Array[], before: Metric): Metric {
  const n = draws.length;
  const d = before.variances.length;
  if (n < 3) return before;
  const mean = numbers(d, (j) => draws.reduce((sum, draw) => sum + draw[j]!, 0) / n);
  const spread = numbers(d, (j) => {
    const centre = mean[j]!;
    return draws.reduce((sum, draw) => sum + (draw[j]! - centre) ** 2, 0) / (n - 1);
  });
  const variances = numbers(d, (j) => {
    const known = before.variances[j]!;
    const own = (n / (n + 5)) * spread[j]! + 1e-3 * (5 / (n + 5)) * known;
    return Math.min(Math.max(own, known / furthest), known * furthest);
  });
  if (d === 1 || d > mostDense) return diagonalMetric(variances);
  const columns = Array.from({ length: d }, (_, j) => {
    const [centre, scale] = [mean[j]!, 1 / Math.sqrt(spread[j]!) || 0];
    return numbers(n, (k) => (draws[k]![j]! - centre) * scale);
  });
  const correlation = columns.map((x) => numbers(d, (j) => dot(x, columns[j]!) / (n - 1)));
  // From so many draws on, errors of the eigenvalues are small shares of these, and what is added to the small ones is not.
  const kept = n < enough * d ? 1 - shrinkage(columns, correlation) : 1;
  const covariance = correlation.map((row, i) =>
    numbers(d, (j) => (i === j ? variances[i]! : kept * row[j]! * Math.sqrt(variances[i]! * variances[j]!))),
  );
  return denseMetric(covariance) ?? diagonalMetric(variances);
}

/** λ, of standardised columns. */
function shrinkage(columns: readonly Float64Array[], correlation: readonly Float64Array[]): number {
  let noise = 0;
  let signal = 0;
  columns.forEach((x, i) => {
    const n = x.length;
    for (let j = 0; j < i; j++) {
      const y = columns[j]!;
      const mean = dot(x, y) / n;
      let squares = 0;
      for (let k = 0; k < n; k++) squares += (x[k]! * y[k]! - mean) ** 2;
      noise += (n / (n - 1) ** 3) * squares;
      signal += correlation[i]![j]! ** 2;
    }
  });
  return signal > 0 ? Math.min(1, noise / signal) : 1;
}
