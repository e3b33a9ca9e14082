/**
 * Rao's score test of what was left out of a model, at a fit without it: with s and H the gradient and Hessian of −log L by β and
 * all else, θ, at β = 0,
 *
 *   S = sᵀ·V⁻¹·s ~ χ²,   V = H_ββ − H_βθ·H_θθ⁻¹·H_θβ,   β ≈ −V⁻¹·s with the covariance V⁻¹
 *
 * S is by how much −2 log L would fall, as far as it is a quadratic. Rao (1948).
 *
 * Far from 0 it is none: a strong covariate is told stronger than it is. By how much −2 log L does fall on the way to where the
 * quadratic has its minimum is therefore told as well.
 */
import { cholesky, choleskyInverse, choleskySolve } from '../6-fit/algebra/cholesky.ts';
import { aboveChiSquared } from './comparison.ts';

export interface ScoreTest {
  readonly statistic: number;
  readonly degrees: number;
  readonly pValue: number;
  /** What β would be, about. */
  readonly estimates: readonly { readonly value: number; readonly standardError: number }[];
  /** From the fit to the quadratic's minimum, in all coordinates. */
  readonly step: readonly number[];
  /** Why S is NaN: what β moves the others do (V is 0), or −log L curves down. */
  readonly unknown?: 'told' | 'curved';
}

/** What is left of H_ββ once the others follow, where they make up for β: rounding, or the differences of a Hessian. */
const NOTHING = 1e-6;

/** `at`: the places of β. NaN where V is not positive definite. */
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
  const isTold = at.some((j, k) => !(Math.abs(v[k]![k]!) > NOTHING * Math.abs(hessian[j]?.[j] ?? NaN)));
  if (!root || isTold) {
    const estimates = at.map(() => ({ value: NaN, standardError: NaN }));
    const unknown = isTold ? 'told' : 'curved';
    return { statistic: NaN, degrees: at.length, pValue: NaN, estimates, step: gradient.map(() => 0), unknown };
  }
  const s = Float64Array.from(at, (j) => gradient[j]!);
  const step = choleskySolve(root, s);
  const covariance = choleskyInverse(root);
  const statistic = step.reduce((sum, x, k) => sum + x * s[k]!, 0);
  const along = new Map<number, number>(at.map((j, k) => [j, -step[k]!]));
  others.forEach((j, i) =>
    along.set(
      j,
      away.reduce((sum, own, k) => sum + own[i]! * step[k]!, 0),
    ),
  );
  return {
    ...{ statistic, degrees: at.length, pValue: aboveChiSquared(statistic, at.length) },
    step: gradient.map((_, j) => along.get(j)!),
    estimates: Array.from(step, (x, k) => ({ value: -x, standardError: Math.sqrt(covariance[k]![k]!) })),
  };
}
