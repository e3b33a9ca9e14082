/**
 * The Levenberg–Marquardt step: min ‖J·s + r‖ subject to ‖D·s‖ ≤ δ, that is (JᵀJ + λD²)·s = -Jᵀr with the λ ≥ 0 for
 * which the bound holds (J. J. Moré, The Levenberg–Marquardt algorithm, 1978, DOI 10.1007/BFb0067700).
 */
import { backSubstitute, factorise, norm, numericalRank, type Columns } from './qr.ts';

/** `jacobian`: columns; `scale`: D; the step s and its λ. */
export function trustRegionStep(
  jacobian: readonly Float64Array[],
  residuals: Float64Array,
  scale: Float64Array,
  radius: number,
): { step: Float64Array; lambda: number } {
  const n = jacobian.length;
  // Once reduced to R and Qᵀr, every λ costs O(n³), whatever the number of rows.
  const reduced = factorise(jacobian, residuals);
  const { r, permutation } = reduced;
  const d = Float64Array.from(permutation, (j) => scale[j] as number);
  const rank = numericalRank(reduced, 1e-14);
  const unpermute = (x: Float64Array): Float64Array => {
    const step = new Float64Array(n);
    permutation.forEach((j, i) => (step[j] = -(x[i] as number)));
    return step;
  };

  const gaussNewton = backSubstitute(r, reduced.qtb, rank);
  if (radius === Infinity || (rank === n && scaledNorm(gaussNewton, d) <= 1.1 * radius))
    return { step: unpermute(gaussNewton), lambda: 0 };

  const damped = (lambda: number): Float64Array => solveDamped(r, reduced.qtb, d, lambda);
  // φ(λ) = ‖D·s(λ)‖ decreases from ≥ δ to 0: bracket, then the secant on 1/φ, kept inside the bracket.
  let low = 0;
  let high = upperLambda(r, reduced.qtb, d) / radius;
  let lambda = Math.max(high * 1e-3, Number.MIN_VALUE);
  let x = damped(lambda);
  for (let iteration = 0; iteration < 60; iteration++) {
    const size = scaledNorm(x, d);
    if (Math.abs(size - radius) <= 0.1 * radius || high - low <= 1e-15 * high) break;
    if (size > radius) low = lambda;
    else high = lambda;
    const nearby = scaledNorm(damped(lambda * 1.001), d);
    const slope = (1 / nearby - 1 / size) / (lambda * 0.001);
    let next = lambda + (1 / radius - 1 / size) / slope;
    if (!(next > low && next < high)) next = low > 0 ? Math.sqrt(low * high) : high * 1e-3;
    lambda = next;
    x = damped(lambda);
    // A rank-deficient J may fit inside the region with any small λ: the shortest such step will do.
    if (low === 0 && lambda < 1e-30) break;
  }
  return { step: unpermute(x), lambda };
}

/** min ‖R·x - c‖² + λ‖D·x‖², by QR of the stacked matrix. */
function solveDamped(r: Columns, c: Float64Array, d: Float64Array, lambda: number): Float64Array {
  const n = r.length;
  const root = Math.sqrt(lambda);
  const stacked = r.map((column, j) => {
    const tall = new Float64Array(2 * n);
    tall.set(column);
    tall[n + j] = root * (d[j] as number);
    return tall;
  });
  const rhs = new Float64Array(2 * n);
  rhs.set(c);
  const solved = factorise(stacked, rhs);
  const y = backSubstitute(solved.r, solved.qtb, numericalRank(solved, 1e-300));
  const x = new Float64Array(n);
  solved.permutation.forEach((j, i) => (x[j] = y[i] as number));
  return x;
}

/** ‖D⁻¹·Rᵀ·c‖: beyond this over δ, λ gives a step that is too short. */
function upperLambda(r: Columns, c: Float64Array, d: Float64Array): number {
  const scaled = r.map((column, j) => {
    let product = 0;
    for (let i = 0; i <= j; i++) product += (column[i] as number) * (c[i] as number);
    return product / (d[j] as number);
  });
  return norm(Float64Array.from(scaled));
}

export function scaledNorm(x: Float64Array, d: Float64Array): number {
  return norm(x.map((value, i) => value * (d[i] as number)));
}
