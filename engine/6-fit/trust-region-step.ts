/**
 * The Levenberg–Marquardt step: min ‖J·s + r‖ subject to ‖D·s‖ ≤ δ, that is (JᵀJ + λD²)·s = -Jᵀr with the λ ≥ 0 for
 * which the bound holds (J. J. Moré, The Levenberg–Marquardt algorithm, 1978, DOI 10.1007/BFb0067700).
 */
import { bidiagonalise, solveRegularised } from './bidiagonal.ts';
import { backSubstitute, dot, factorise, norm, numericalRank, type Columns } from './qr.ts';

/** `jacobian`: columns; `scale`: D; the step s and its λ. */
export function trustRegionStep(
  jacobian: readonly Float64Array[],
  residuals: Float64Array,
  scale: Float64Array,
  radius: number,
): { step: Float64Array; lambda: number } {
  const n = jacobian.length;
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

  // With y = D·s: min ‖R·D⁻¹·y - c‖² + λ‖y‖², reduced once more so that every λ costs O(n).
  const scaled = r.map((column, j) => column.map((value) => value / (d[j] as number)));
  const bidiagonal = bidiagonalise(scaled, reduced.qtb);
  // φ(λ) = ‖y(λ)‖ decreases from ≥ δ to 0: bracket, then Newton's method on 1/φ, kept inside the bracket.
  let low = 0;
  let high = upperLambda(scaled, reduced.qtb) / radius;
  let lambda = Math.max(high * 1e-3, Number.MIN_VALUE);
  let damped = solveRegularised(bidiagonal, lambda);
  for (let iteration = 0; iteration < 60; iteration++) {
    const { size, slope } = damped;
    if (Math.abs(size - radius) <= 0.1 * radius || high - low <= 1e-15 * high) break;
    if (size > radius) low = lambda;
    else high = lambda;
    // (1/φ)′ = -φ′/φ².
    let next = lambda + ((1 - size / radius) * size) / slope;
    if (!(next > low && next < high)) next = low > 0 ? Math.sqrt(low * high) : high * 1e-3;
    lambda = next;
    damped = solveRegularised(bidiagonal, lambda);
    // A rank-deficient J may fit inside the region with any small λ: the shortest such step will do.
    if (low === 0 && lambda < 1e-30) break;
  }
  const x = bidiagonal.timesV(damped.y).map((value, j) => value / (d[j] as number));
  return { step: unpermute(x), lambda };
}

/** ‖Aᵀ·c‖ for A = R·D⁻¹: beyond this over δ, λ gives a step that is too short. */
function upperLambda(scaled: Columns, c: Float64Array): number {
  return norm(Float64Array.from(scaled, (column) => dot(column, c)));
}

export function scaledNorm(x: Float64Array, d: Float64Array): number {
  return norm(x.map((value, i) => value * (d[i] as number)));
}
