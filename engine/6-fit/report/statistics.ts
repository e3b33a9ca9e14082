/**
 * What a fit knows of its parameters at the end: covariance, standard errors, correlation, 95 % intervals.
 *
 * Least squares: C = s²·(JᵀJ)⁻¹ by QR with column scaling, s² = SSR/(n − rank J) where sigma is not known (intervals by
 * Student's t), else 1 (by z): a direction that the data do not see takes no freedom from the residuals, as R's lm has it.
 * Otherwise C = H⁻¹, the inverse of the observed information, by z.
 *
 * A robust loss ρ has no such likelihood: C = n/(n − rank A)·A⁻¹·B·A⁻¹ with A = ½∇²Σρ and B = Σ ψ·ψᵀ, ψ = ½∇ρ of each row
 * (Huber 1967, The behavior of maximum likelihood estimates under nonstandard conditions; Huber 1981, section 7.6), by t.
 */
import normalQuantile from '@stdlib/stats-base-dists-normal-quantile';
import studentQuantile from '@stdlib/stats-base-dists-t-quantile';
import { cholesky, choleskyInverse } from '../algebra/cholesky.ts';
import { farUnit } from '../algebra/far-units.ts';
import { backSubstitute, factorise, numericalRank, type Factorisation } from '../algebra/qr.ts';
import { singularValues } from '../algebra/svd.ts';
import { dot, norm } from '../algebra/vectors.ts';

export interface Uncertainty {
  /** By rows, over the coordinates given; NaN where the data do not determine it. Each coordinate is in its unit. */
  readonly covariance: readonly Float64Array[];
  /** Of each coordinate, a power of two: 1 unless said. The square of an error of 10²⁰⁰ is no number. */
  readonly units?: readonly number[];
  /** The factor between a standard error and half of a 95 % interval. */
  readonly quantile: number;
  /** For each direction in which the data say nothing, the coordinates that move along it; these have no variance. */
  readonly blind: readonly (readonly number[])[];
  /** Of a robust loss, C over A⁻¹ by parameter: what a rise of the energy is measured by (Kent 1982, DOI 10.1093/biomet/69.1.19). */
  readonly rises?: readonly number[];
}

/** Of a scaled Hessian's eigenvalues, and of the pivots of its factor: what is less, relative to the largest, is rounding. */
const nullCurvature = 1e-12;
/** What differences of gradients make of a curvature of 0 may be so far below it: the fit has said that it is a minimum. */
const slightlyDown = 1e-6;
/** Components of a direction that are no rounding. */
const moving = 1e-6;
/** Coordinates beyond which a singular Hessian is not taken apart. */
const mostTakenApart = 200;

/** `jacobian`: columns by the parameters themselves. */
export function leastSquaresUncertainty(
  jacobian: readonly Float64Array[],
  sumOfSquares: number,
  observations: number,
  sigmaKnown: boolean,
): Uncertainty {
  const p = jacobian.length;
  const scales = jacobian.map((column) => norm(column));
  const scaled = jacobian.map((column, j) => column.map((value) => value / (scales[j]! || 1)));
  const factors = factorise(scaled, new Float64Array(jacobian[0]?.length ?? 0));
  const rank = numericalRank(factors, 1e-12);
  const freedom = observations - rank;
  const variance = sigmaKnown ? 1 : freedom > 0 ? sumOfSquares / freedom : NaN;
  const quantile = sigmaKnown ? normalQuantile(0.975, 0, 1) : freedom > 0 ? studentQuantile(0.975, freedom) : NaN;
  // (RᵀR)⁻¹ = R⁻¹·R⁻ᵀ, column by column of R⁻¹.
  const inverse = Array.from({ length: rank }, (_, j) => {
    const unit = new Float64Array(p);
    unit[j] = 1;
    return backSubstitute(factors, unit, rank);
  });
  const covariance = jacobian.map(() => new Float64Array(p).fill(NaN));
  const units = scales.map((scale) => 1 / farUnit(scale));
  const inUnits = scales.map((scale, j) => scale * units[j]!);
  for (let i = 0; i < rank; i++)
    for (let j = 0; j < rank; j++) {
      let total = 0;
      for (const column of inverse) total += column[i]! * column[j]!;
      const a = factors.permutation[i]!;
      const b = factors.permutation[j]!;
      (covariance[a] as Float64Array)[b] = (variance * total) / (inUnits[a]! * inUnits[b]!);
    }
  return blindTo({ covariance, units, quantile, blind: nullDirections(factors, rank) });
}

/** `hessian`: of the negative log-likelihood by the parameters themselves. */
export function informationUncertainty(hessian: readonly Float64Array[]): Uncertainty {
  const scales = hessian.map((row, i) => Math.sqrt(Math.abs(row[i]!)) || 1);
  const scaled = hessian.map((row, i) => row.map((value, j) => value / (scales[i]! * scales[j]!)));
  const quantile = normalQuantile(0.975, 0, 1);
  const factor = cholesky(scaled);
  const regular = factor?.every((row, i) => row[i]! ** 2 > nullCurvature);
  const { inverse, blind } =
    factor && regular ? { inverse: choleskyInverse(factor), blind: [] } : pseudoInverse(scaled);
  const units = scales.map((scale) => 1 / farUnit(scale));
  const inUnits = scales.map((scale, j) => scale * units[j]!);
  const covariance = inverse.map((row, i) => row.map((value, j) => value / (inUnits[i]! * inUnits[j]!)));
  return blindTo({ covariance, units, quantile, blind });
}

/** Of a symmetric matrix that is singular; NaN where it curves down in some direction: that is no minimum. */
function pseudoInverse(a: readonly Float64Array[]): { inverse: Float64Array[]; blind: number[][] } {
  const unknown = { inverse: a.map((row) => row.map(() => NaN)), blind: [] };
  if (a.length > mostTakenApart || a.some((row) => row.some(Number.isNaN))) return unknown;
  const { values, vectors } = singularValues(a);
  const rounding = nullCurvature * (values[0] ?? 0);
  const directions = vectors.map((v) => ({
    v,
    curvature: a.reduce((sum, row, i) => sum + v[i]! * dot(row, v), 0),
  }));
  if (directions.some(({ curvature }) => curvature < -slightlyDown * (values[0] ?? 0))) return unknown;
  const seen = directions.filter(({ curvature }) => curvature > rounding);
  const inverse = a.map((_, i) =>
    Float64Array.from(a, (__, j) => seen.reduce((sum, { v, curvature }) => sum + (v[i]! * v[j]!) / curvature, 0)),
  );
  const blind = directions.filter(({ curvature }) => !(curvature > rounding)).map(({ v }) => coordinatesAlong(v));
  return { inverse, blind };
}

/** In coordinates, of the directions that R of rank `rank` sends to 0. */
function nullDirections(factors: Factorisation, rank: number): number[][] {
  const { n, r, permutation } = factors;
  return Array.from({ length: n - rank }, (_, i) => {
    const k = rank + i;
    const direction = backSubstitute(factors, r, rank, k * n).subarray(0, rank);
    const largest = Math.max(1, norm(direction));
    return [...coordinatesAlong(direction, largest), k].map((at) => permutation[at]!);
  });
}

const coordinatesAlong = (direction: Float64Array, largest = 1): number[] =>
  [...direction.keys()].filter((i) => Math.abs(direction[i]!) > moving * largest);

/** The standard error of a coordinate; NaN where the data do not determine it. */
export const errorOf = ({ covariance, units }: Uncertainty, j: number): number =>
  Math.sqrt(covariance[j]?.[j] ?? NaN) * (units?.[j] ?? 1);

/** Without variances of what moves along a direction that the data do not see; all others are what they are. */
function blindTo(uncertainty: Uncertainty): Uncertainty {
  const moved = new Set(uncertainty.blind.flat());
  if (moved.size === 0) return uncertainty;
  const covariance = uncertainty.covariance.map((row, i) =>
    row.map((value, j) => (moved.has(i) || moved.has(j) ? NaN : value)),
  );
  return { ...uncertainty, covariance };
}

/** `jacobian`: columns of the residuals whose squares are ρ; `hessian`: of Σρ; both by the parameters themselves. */
export function robustUncertainty(
  residuals: Float64Array,
  jacobian: readonly Float64Array[],
  hessian: readonly Float64Array[],
  observations: number,
): Uncertainty {
  const p = jacobian.length;
  const { blind, ...found } = informationUncertainty(hessian.map((row) => row.map((value) => value / 2)));
  const unit = (j: number): number => found.units?.[j] ?? 1;
  const known = found.covariance.map((row, i) => row.map((value, j) => value * unit(i) * unit(j)));
  const freedom = observations - (p - blind.length);
  const inverse =
    blind.length === 0 ? known : known.map((row) => row.map((value) => (Number.isNaN(value) ? 0 : value)));
  // ψ = r·∂r/∂p, and A⁻¹ψ is how far one row has pulled the estimate.
  const covariance = inverse.map(() => new Float64Array(p));
  const pull = new Float64Array(p);
  residuals.forEach((r, row) => {
    inverse.forEach((entries, i) => {
      let total = 0;
      for (let j = 0; j < p; j++) total += entries[j]! * jacobian[j]![row]!;
      pull[i] = total * r;
    });
    covariance.forEach((entries, i) => {
      for (let j = 0; j < p; j++) entries[j] = entries[j]! + pull[i]! * pull[j]!;
    });
  });
  const scale = freedom > 0 ? observations / freedom : NaN;
  for (const entries of covariance) for (let j = 0; j < p; j++) entries[j] = entries[j]! * scale;
  const quantile = freedom > 0 ? studentQuantile(0.975, freedom) : NaN;
  const rises = covariance.map((entries, j) => entries[j]! / (inverse[j]?.[j] ?? NaN));
  return blindTo({ covariance, quantile, blind, rises });
}
