/**
 * A = U·Σ·Vᵀ by one-sided Jacobi rotations (Hestenes 1958; Demmel & Veselić 1992, DOI 10.1137/0613074): small singular
 * values keep their relative accuracy where the columns are scaled. Of a symmetric positive semidefinite matrix these are
 * the eigenvalues and eigenvectors.
 */
import { dot } from './vectors.ts';

export interface SingularValues {
  /** The largest first. */
  readonly values: readonly number[];
  /** The columns of V in that order, each with its largest entry positive. */
  readonly vectors: readonly Float64Array[];
}

/** `a`: a list of columns, of equal length. */
export function singularValues(a: readonly Float64Array[]): SingularValues {
  const n = a.length;
  const u = a.map((column) => column.slice());
  const v = a.map((_, j) => Float64Array.from({ length: n }, (__, i) => (i === j ? 1 : 0)));
  for (let sweep = 0; sweep < 60; sweep++) {
    let rotated = false;
    for (let p = 0; p < n; p++)
      for (let q = p + 1; q < n; q++) {
        const [up, uq] = [u[p] as Float64Array, u[q] as Float64Array];
        const alpha = dot(up, up);
        const beta = dot(uq, uq);
        const gamma = dot(up, uq);
        if (!(Math.abs(gamma) > 1e-15 * Math.sqrt(alpha * beta))) continue;
        rotated = true;
        const zeta = (beta - alpha) / (2 * gamma);
        const t = (zeta >= 0 ? 1 : -1) / (Math.abs(zeta) + Math.hypot(1, zeta));
        const c = 1 / Math.hypot(1, t);
        rotate(up, uq, c, c * t);
        rotate(v[p] as Float64Array, v[q] as Float64Array, c, c * t);
      }
    if (!rotated) break;
  }
  const sizes = u.map((column) => Math.sqrt(dot(column, column)));
  const order = sizes.map((_, j) => j).sort((i, j) => sizes[j]! - sizes[i]!);
  return {
    values: order.map((j) => sizes[j]!),
    vectors: order.map((j) => withPositiveLead(v[j] as Float64Array)),
  };
}

function rotate(x: Float64Array, y: Float64Array, c: number, s: number): void {
  for (let i = 0; i < x.length; i++) {
    const [p, q] = [x[i]!, y[i]!];
    x[i] = c * p - s * q;
    y[i] = s * p + c * q;
  }
}

function withPositiveLead(vector: Float64Array): Float64Array {
  let lead = 0;
  vector.forEach((value, i) => {
    // A tie within rounding must not decide the sign.
    if (Math.abs(value) > Math.abs(vector[lead]!) * (1 + 1e-9)) lead = i;
  });
  return vector[lead]! < 0 ? vector.map((value) => (value === 0 ? 0 : -value)) : vector;
}
