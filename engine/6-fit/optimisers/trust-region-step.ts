/**
 * The Levenberg–Marquardt step: min ‖J·s + r‖ subject to ‖D·s‖ ≤ δ, that is (JᵀJ + λD²)·s = -Jᵀr with the λ ≥ 0 for
 * which the bound holds (J. J. Moré, The Levenberg–Marquardt algorithm, 1978, DOI 10.1007/BFb0067700).
 */
import { applyV, bidiagonalise, emptyBidiagonal, solveRegularised, type Bidiagonal } from '../algebra/bidiagonal.ts';
import { backSubstitute, emptyFactorisation, factorise, numericalRank, type Factorisation } from '../algebra/qr.ts';
import { dot, norm, numbers, rootOf } from '../algebra/vectors.ts';

/** The step s for a radius δ, which stands until the next is asked for, and its λ. */
export type StepWithin = (radius: number) => { readonly step: Float64Array; readonly lambda: number };

/** Memory for the steps of one fit, one after the other. */
export interface StepRoom {
  readonly reduced: Factorisation;
  readonly gaussNewton: Float64Array;
  readonly step: Float64Array;
  /** From the first step on that is damped. */
  damping?: Damping;
}

/** With y = D·s: min ‖R·D⁻¹·y - c‖² + λ‖y‖², reduced once more so that every λ costs O(n). */
interface Damping {
  readonly bidiagonal: Bidiagonal;
  /** R·D⁻¹, and D in the order of the pivots. */
  readonly scaled: Float64Array;
  readonly d: Float64Array;
}

export function stepRoom(most: number): StepRoom {
  const vector = () => new Float64Array(most);
  return { reduced: emptyFactorisation(most), gaussNewton: vector(), step: vector() };
}

function dampingRoom(most: number): Damping {
  const [scaled, d] = [new Float64Array(most * most), new Float64Array(most)];
  return { bidiagonal: emptyBidiagonal(most), scaled, d };
}

/**
 * `jacobian`: columns, with their norms; `scale`: D. Both factorisations are made once, whatever number of radii is tried; they stand in
 * `room` until the next steps are asked for.
 */
export function trustRegionSteps(
  jacobian: readonly Float64Array[],
  residuals: Float64Array,
  norms: Float64Array,
  scale: Float64Array,
  room: StepRoom,
): StepWithin {
  const n = jacobian.length;
  const { gaussNewton, step } = room;
  const reduced = factorise(jacobian, residuals, norms, room.reduced);
  const { permutation, qtb } = reduced;
  const rank = numericalRank(reduced, 1e-14);
  /** -P·x. */
  const unpermute = (x: Float64Array, into: Float64Array): void => {
    for (let i = 0; i < n; i++) into[permutation[i]!] = -x[i]!;
  };
  backSubstitute(reduced, qtb, rank, 0, step);
  unpermute(step, gaussNewton);
  const length = scaledNorm(gaussNewton, scale, n);
  /** ‖Aᵀ·c‖ for A = R·D⁻¹, once that is prepared. */
  let slope: number | undefined;
  return (radius) => {
    if (radius === Infinity || (rank === n && length <= 1.1 * radius)) {
      for (let j = 0; j < n; j++) step[j] = gaussNewton[j]!;
      return { step, lambda: 0 };
    }
    const damping = (room.damping ??= dampingRoom(step.length));
    slope ??= prepareDamping(damping, reduced, scale);
    const { bidiagonal, d } = damping;
    const lambda = damp(bidiagonal, slope, radius);
    applyV(bidiagonal);
    const { y } = bidiagonal;
    for (let j = 0; j < n; j++) y[j] = y[j]! / d[j]!;
    unpermute(y, step);
    return { step, lambda };
  };
}

/** Returns ‖Aᵀ·c‖ for A = R·D⁻¹: a λ beyond this over δ gives a step that is too short. */
function prepareDamping({ bidiagonal, scaled, d }: Damping, reduced: Factorisation, scale: Float64Array): number {
  const { n, r, permutation, qtb } = reduced;
  let squares = 0;
  for (let j = 0; j < n; j++) {
    const size = scale[permutation[j]!]!;
    d[j] = size;
    for (let i = 0; i < n; i++) scaled[j * n + i] = r[j * n + i]! / size;
    squares += dot(scaled, qtb, j * n, (j + 1) * n, 0) ** 2;
  }
  bidiagonalise(scaled, qtb, n, bidiagonal);
  return Math.sqrt(squares);
}

/** The λ of δ, with its y: φ(λ) = ‖y(λ)‖ decreases from ≥ δ to 0. Bracket, then Newton's method on 1/φ, kept inside. */
function damp(bidiagonal: Bidiagonal, slope: number, radius: number): number {
  let low = 0;
  let high = slope / radius;
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
  return lambda;
}

/** ‖D·x‖ of the first n elements. */
export function scaledNorm(x: Float64Array, d: Float64Array, n = x.length): number {
  let squares = 0;
  for (let i = 0; i < n; i++) {
    const value = x[i]! * d[i]!;
    squares += value * value;
  }
  return rootOf(squares) ?? norm(numbers(n, (i) => x[i]! * d[i]!));
}
