/**
 * The Levenberg–Marquardt step: min ‖J·s + r‖ subject to ‖D·s‖ ≤ δ, that is (JᵀJ + λD²)·s = -Jᵀr with the λ ≥ 0 for
 * which the bound holds (J. J. Moré, The Levenberg–Marquardt algorithm, 1978, DOI 10.1007/BFb0067700).
 */
import { bidiagonalise, solveRegularised } from './bidiagonal.ts';
import { backSubstitute, dot, factorise, norm, numbers, numericalRank, type Columns } from './qr.ts';

/** The step s for a radius δ, and its λ. */
export type StepWithin = (radius: number) => { step: Float64Array; lambda: number };

/** `jacobian`: columns; `scale`: D. Both factorisations are made once, whatever number of radii is tried. */
export function trustRegionSteps(
  jacobian: readonly Float64Array[],
  residuals: Float64Array,
  scale: Float64Array,
): StepWithin {
  const n = jacobian.length;
  const reduced = factorise(jacobian, residuals);
  const { r, permutation } = reduced;
  const d = numbers(n, (i) => scale[permutation[i] as number] as number);
  const rank = numericalRank(reduced, 1e-14);
  const unpermute = (x: Float64Array): Float64Array => {
    const step = new Float64Array(n);
    permutation.forEach((j, i) => (step[j] = -(x[i] as number)));
    return step;
  };
  const gaussNewton = backSubstitute(r, reduced.qtb, rank);
  const length = scaledNorm(gaussNewton, d);
  let damping: Damping | undefined;
  return (radius) => {
    if (radius === Infinity || (rank === n && length <= 1.1 * radius))
      return { step: unpermute(gaussNewton), lambda: 0 };
    damping ??= prepareDamping(r, reduced.qtb, d);
    const { x, lambda } = damped(damping, radius);
    return { step: unpermute(x), lambda };
  };
}

/** With y = D·s: min ‖R·D⁻¹·y - c‖² + λ‖y‖², reduced once more so that every λ costs O(n). */
interface Damping {
  readonly bidiagonal: ReturnType<typeof bidiagonalise>;
  /** ‖Aᵀ·c‖ for A = R·D⁻¹: beyond this over δ, λ gives a step that is too short. */
  readonly upper: number;
  readonly d: Float64Array;
}

function prepareDamping(r: Columns, c: Float64Array, d: Float64Array): Damping {
  const scaled = r.map((column, j) => column.map((value) => value / (d[j] as number)));
  const upper = norm(numbers(c.length, (j) => dot(scaled[j] as Float64Array, c)));
  return { bidiagonal: bidiagonalise(scaled, c), upper, d };
}

/** φ(λ) = ‖y(λ)‖ decreases from ≥ δ to 0: bracket, then Newton's method on 1/φ, kept inside the bracket. */
function damped({ bidiagonal, upper, d }: Damping, radius: number): { x: Float64Array; lambda: number } {
  let low = 0;
  let high = upper / radius;
  let lambda = Math.max(high * 1e-3, Number.MIN_VALUE);
  let solved = solveRegularised(bidiagonal, lambda);
  for (let iteration = 0; iteration < 60; iteration++) {
    const { size, slope } = solved;
    if (Math.abs(size - radius) <= 0.1 * radius || high - low <= 1e-15 * high) break;
    if (size > radius) low = lambda;
    else high = lambda;
    // (1/φ)′ = -φ′/φ².
    let next = lambda + ((1 - size / radius) * size) / slope;
    if (!(next > low && next < high)) next = low > 0 ? Math.sqrt(low * high) : high * 1e-3;
    lambda = next;
    solved = solveRegularised(bidiagonal, lambda);
    // A rank-deficient J may fit inside the region with any small λ: the shortest such step will do.
    if (low === 0 && lambda < 1e-30) break;
  }
  return { x: bidiagonal.timesV(solved.y).map((value, j) => value / (d[j] as number)), lambda };
}

export function scaledNorm(x: Float64Array, d: Float64Array): number {
  return norm(x.map((value, i) => value * (d[i] as number)));
}
