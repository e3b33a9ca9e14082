/**
 * Rao's score test of what was left out of a model, at a fit without it: with s and H the gradient and Hessian of −log L by β and
 * all else, θ, at β = 0,
 *
 *   S = sᵀ·V⁻¹·s ~ χ²,   V = H_ββ − H_βθ·H_θθ⁻¹·H_θβ,   β ≈ −V⁻¹·s with the covariance V⁻¹
 *
 * S is by how much −2 log L would fall, as far as it is a quadratic. Rao (1948).
 */
import { cholesky, choleskyInverse, choleskySolve } from '../6-fit/algebra/cholesky.ts';
import { aboveChiSquared } from './comparison.ts';

export interface ScoreTest {
  readonly statistic: number;
  readonly degrees: number;
  readonly pValue: number;
  /** What β would be, about. */
  readonly estimates: readonly { readonly value: number; readonly standardError: number }[];
}

/** `at`: the places of β. NaN where H is not positive definite. */
export function scoreTest(
  gradient: readonly number[],
  hessian: readonly (readonly number[])[],
  at: readonly number[],
): ScoreTest {
  const others = gradient.flatMap((_, j) => (at.includes(j) ? [] : [j]));
  const between = (rows: readonly number[], columns: readonly number[]): Float64Array[] =>
    rows.map((i) => Float64Array.from(columns, (j) => hessian[i]?.[j] ?? NaN));
  const factor = cholesky(between(others, others));
  const cross = between(others, at);
  const away = at.map((_, k) =>
    factor
      ? choleskySolve(
          factor,
          Float64Array.from(cross, (row) => row[k]!),
        )
      : new Float64Array(),
  );
  const v = between(at, at).map((row, k) =>
    row.map((x, l) => x - cross.reduce((sum, own, i) => sum + own[k]! * (away[l]?.[i] ?? NaN), 0)),
  );
  const root = cholesky(v);
  if (!root) {
    const unknown = at.map(() => ({ value: NaN, standardError: NaN }));
    return { statistic: NaN, degrees: at.length, pValue: NaN, estimates: unknown };
  }
  const s = Float64Array.from(at, (j) => gradient[j]!);
  const step = choleskySolve(root, s);
  const covariance = choleskyInverse(root);
  const statistic = step.reduce((sum, x, k) => sum + x * s[k]!, 0);
  return {
    ...{ statistic, degrees: at.length, pValue: aboveChiSquared(statistic, at.length) },
    estimates: Array.from(step, (x, k) => ({ value: -x, standardError: Math.sqrt(covariance[k]![k]!) })),
  };
}
