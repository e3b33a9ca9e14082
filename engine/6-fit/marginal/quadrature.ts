/**
 * Adaptive Gauss–Hermite quadrature of a marginal likelihood, at the modes b̂ of the effects with R = L⁻ᵀ, H = L·Lᵀ:
 *
 *   log L_g = −½ log det H_g + (d/2)·log 2π + log S_g,   S_g = Σ_k ω_k·exp(½|z_k|² − E_g(θ, b̂ + R·z_k))
 *
 * with z_k and ω_k the points and weights for the standard normal density; one point is Laplace's approximation. With π_k
 * the shares of the points in S_g, u = Σ π_k·∂E/∂b and M = Σ π_k·∂E/∂b·z_kᵀ there, it moves with θ by
 *
 *   Σ π_k·∂E/∂θ + u·db̂ + tr(A·dH),   A = ½·(H⁻¹ − R·C·Rᵀ),   C symmetric, Cᵢⱼ = (RᵀM)ⱼᵢ for i ≥ j
 *
 * since dR = −R·Φ(RᵀdH·R)ᵀ, Φ taking the lower triangle with half its diagonal. Pinheiro and Bates (1995); Golub and
 * Welsch (1969) for the points.
 */
import { symmetricEigen } from '../algebra/eigen.ts';
import { dot } from '../algebra/vectors.ts';
import type { EffectLayout } from '../effects.ts';
import { rowsOf, taken, type Blocks } from './blocks.ts';

/** Points in d dimensions, with the logarithms of ω·exp(½|z|²). */
export interface Grid {
  readonly points: readonly Float64Array[];
  readonly logWeights: readonly number[];
}

/** The product of `n` points along each of `d` axes. */
export function hermiteGrid(n: number, d: number): Grid {
  // The eigenvalues of the Jacobi matrix of the Hermite polynomials.
  const jacobi = Array.from({ length: n }, (_, i) =>
    Float64Array.from({ length: n }, (__, j) => (Math.abs(i - j) === 1 ? Math.sqrt(Math.max(i, j)) : 0)),
  );
  const line = Array.from(symmetricEigen(jacobi).values, (z) => hermitePoint(n, z));
  let grid: { readonly z: readonly number[]; readonly log: number }[] = [{ z: [], log: 0 }];
  for (let axis = 0; axis < d; axis++)
    grid = grid.flatMap(({ z, log }) => line.map((point) => ({ z: [...z, point.z], log: log + point.log })));
  return {
    points: grid.map(({ z }) => Float64Array.from(z)),
    logWeights: grid.map(({ log }) => log),
  };
}

/**
 * A root z of the n-th Hermite polynomial by Newton's rule, and log ω + ½z² = −log Σ_{j<n} ψⱼ(z)², ψⱼ = pⱼ·exp(−¼z²) with pⱼ
 * orthonormal: the sum has all its digits where ω itself is too small for the first component of an eigenvector.
 */
function hermitePoint(n: number, about: number): { readonly z: number; readonly log: number } {
  let z = about;
  for (let step = 0; ; step++) {
    let [before, here, sum] = [0, Math.exp((-z * z) / 4), 0];
    for (let j = 0; j < n; j++) {
      sum += here * here;
      [before, here] = [here, (z * here - Math.sqrt(j) * before) / Math.sqrt(j + 1)];
    }
    if (step === 2) return { z, log: -Math.log(sum) };
    z -= here / (Math.sqrt(n) * before);
  }
}

/** b̂ + R·z, in all groups: Lᵀ·x = z from the last row up. */
export function spread(layout: EffectLayout, modes: Float64Array, factors: Blocks, z: Float64Array): Float64Array {
  const effects = modes.slice();
  layout.blocks.forEach((positions, t) => {
    const x = upward(rowsOf(layout, factors, t), z);
    for (let i = 0; i < positions.length; i++) {
      const at = positions[i]!;
      effects[at] = effects[at]! + x[i]!;
    }
  });
  return effects;
}

/** x with Lᵀ·x = z. */
function upward(l: readonly Float64Array[], z: Float64Array): Float64Array {
  const x = z.slice();
  for (let i = x.length - 1; i >= 0; i--) {
    for (let k = i + 1; k < x.length; k++) x[i] = x[i]! - l[k]![i]! * x[k]!;
    x[i] = x[i]! / l[i]![i]!;
  }
  return x;
}

/** x with L·x = b. */
function downward(l: readonly Float64Array[], b: Float64Array): Float64Array {
  const x = b.slice();
  for (let i = 0; i < x.length; i++) x[i] = (x[i]! - dot(l[i]!, x, 0, i)) / l[i]![i]!;
  return x;
}

/** log Σ exp(aₖ), and each term's share of the sum. */
export function shares(a: readonly number[]): { readonly log: number; readonly of: Float64Array } {
  const most = a.reduce((largest, value) => Math.max(largest, value), -Infinity);
  const terms = Float64Array.from(a, (value) => Math.exp(value - most));
  const sum = terms.reduce((total, value) => total + value, 0);
  return { log: most + Math.log(sum), of: terms.map((value) => value / sum) };
}

/** Σ_k of the points' gradients, each weighted in its own group already: u, and M by columns of z. */
export interface Moments {
  readonly u: Float64Array;
  /** For each axis of z, Σ π_k·∂E/∂b·z_k there. */
  readonly m: readonly Float64Array[];
}

/** A of each group. */
export function contractionOf(layout: EffectLayout, factors: Blocks, inverse: Blocks, { m }: Moments): Blocks {
  const contracted = new Float64Array(factors.length);
  for (const [t, positions] of layout.blocks.entries()) {
    const l = rowsOf(layout, factors, t);
    const d = positions.length;
    // B = L⁻¹·M, column by column; C takes its upper triangle.
    const b = Array.from({ length: d }, (_, j) => downward(l, taken(m[j]!, positions)));
    const c = Array.from({ length: d }, (_, i) =>
      Float64Array.from({ length: d }, (__, j) => b[Math.max(i, j)]![Math.min(i, j)]!),
    );
    // R·C·Rᵀ: Lᵀ·X = C by columns, then the same of its rows.
    const half = c.map((column) => upward(l, column));
    const rows = Array.from({ length: d }, (_, i) =>
      upward(
        l,
        Float64Array.from(half, (column) => column[i]!),
      ),
    );
    rows.forEach((row, i) => {
      const at = layout.corners[t]! + i * d;
      row.forEach((value, j) => (contracted[at + j] = (inverse[at + j]! - value) / 2));
    });
  }
  return contracted;
}
