/**
 * What a fit knows of its parameters at the end: covariance, standard errors, correlation, 95 % intervals.
 *
 * Least squares: C = s²·(JᵀJ)⁻¹ by QR with column scaling, s² = SSR/(n - p) where sigma is not known (intervals by
 * Student's t), else 1 (by z). Otherwise C = H⁻¹, the inverse of the observed information, by z.
 */
import normalQuantile from '@stdlib/stats-base-dists-normal-quantile';
import studentQuantile from '@stdlib/stats-base-dists-t-quantile';
import { cholesky, choleskyInverse } from './cholesky.ts';
import { backSubstitute, factorise, numericalRank, type Factorisation } from './qr.ts';
import { norm } from './vectors.ts';

export interface Uncertainty {
  /** By rows, over the coordinates given; NaN where the data do not determine it. */
  readonly covariance: readonly Float64Array[];
  /** The factor between a standard error and half of a 95 % interval. */
  readonly quantile: number;
}

/** `jacobian`: columns by the parameters themselves. */
export function leastSquaresUncertainty(
  jacobian: readonly Float64Array[],
  sumOfSquares: number,
  observations: number,
  sigmaKnown: boolean,
): Uncertainty {
  const p = jacobian.length;
  const freedom = observations - p;
  const variance = sigmaKnown ? 1 : freedom > 0 ? sumOfSquares / freedom : NaN;
  const quantile = sigmaKnown ? normalQuantile(0.975, 0, 1) : freedom > 0 ? studentQuantile(0.975, freedom) : NaN;
  const scales = jacobian.map((column) => norm(column));
  const scaled = jacobian.map((column, j) => column.map((value) => value / ((scales[j] as number) || 1)));
  const factors = factorise(scaled, new Float64Array(jacobian[0]?.length ?? 0));
  const rank = numericalRank(factors, 1e-12);
  const undetermined = new Set(factors.permutation.slice(rank));
  // (RᵀR)⁻¹ = R⁻¹·R⁻ᵀ, column by column of R⁻¹.
  const inverse = Array.from({ length: rank }, (_, j) => {
    const unit = new Float64Array(p);
    unit[j] = 1;
    return backSubstitute(factors, unit, rank);
  });
  const covariance = jacobian.map(() => new Float64Array(p).fill(NaN));
  for (let i = 0; i < rank; i++)
    for (let j = 0; j < rank; j++) {
      let total = 0;
      for (const column of inverse) total += (column[i] as number) * (column[j] as number);
      const a = factors.permutation[i] as number;
      const b = factors.permutation[j] as number;
      (covariance[a] as Float64Array)[b] = (variance * total) / ((scales[a] as number) * (scales[b] as number));
    }
  // A direction without data leaves nothing determined that shares it.
  if (undetermined.size > 0) markUndetermined(covariance, factors, rank);
  return { covariance, quantile };
}

/** `hessian`: of the negative log-likelihood by the parameters themselves. */
export function informationUncertainty(hessian: readonly Float64Array[]): Uncertainty {
  const scales = hessian.map((row, i) => Math.sqrt(Math.abs(row[i] as number)) || 1);
  const scaled = hessian.map((row, i) =>
    row.map((value, j) => value / ((scales[i] as number) * (scales[j] as number))),
  );
  const factor = cholesky(scaled);
  const quantile = normalQuantile(0.975, 0, 1);
  if (!factor) return { covariance: hessian.map((row) => row.map(() => NaN)), quantile };
  const inverse = choleskyInverse(factor);
  return {
    covariance: inverse.map((row, i) => row.map((value, j) => value / ((scales[i] as number) * (scales[j] as number)))),
    quantile,
  };
}

/** Parameters that move along a null direction of R have no variance either. */
function markUndetermined(covariance: Float64Array[], factors: Factorisation, rank: number): void {
  const { n, r, permutation } = factors;
  for (let k = rank; k < n; k++) {
    const direction = backSubstitute(factors, r, rank, k * n);
    const largest = Math.max(1, norm(direction));
    for (let i = 0; i < rank; i++)
      if (Math.abs(direction[i] as number) > 1e-6 * largest) {
        const at = permutation[i] as number;
        covariance.forEach((row, j) => {
          row[at] = NaN;
          (covariance[at] as Float64Array)[j] = NaN;
        });
      }
  }
}
