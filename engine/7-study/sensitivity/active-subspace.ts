/**
 * Active subspaces (Constantine 2015, DOI 10.1137/1.9781611973860): the directions along which the output changes most
 * on the average are the eigenvectors of
 *
 *   C = E[∇f·∇fᵀ] = W·Λ·Wᵀ,   ∇f by the elements in units of their spread (distribution.ts)
 *
 * An element's activity score is Σ_j λ_j·w_ij² over the directions that hold 99 % of Σ λ_j
 * (Constantine & Diaz 2017, DOI 10.1016/j.ress.2017.01.013).
 */
import type { Device } from '../../5-runtime/device.ts';
import { singularValues } from '../../6-fit/algebra/svd.ts';
import { overGradients } from './gradients.ts';
import type { ReplayOptions, SampleOptions, SensitivityProblem, SensitivityResult } from './problem.ts';

export async function activeSubspace(
  problem: SensitivityProblem,
  device: Device,
  options: SampleOptions & ReplayOptions,
): Promise<SensitivityResult> {
  const spreads = problem.distributions.map(({ spread }) => spread);
  const d = spreads.length;
  const outer = Array.from({ length: d }, () => new Float64Array(d));
  let count = 0;
  const { samples, failures, cancelled } = await overGradients(problem, device, options, (_, gradient) => {
    count++;
    const scaled = gradient.map((g, i) => g * spreads[i]!);
    outer.forEach((column, j) => {
      for (let i = 0; i < d; i++) column[i] = column[i]! + scaled[i]! * scaled[j]!;
    });
  });
  const { values, vectors } =
    count > 0
      ? singularValues(outer.map((column) => column.map((value) => value / count)))
      : { values: spreads.map(() => NaN), vectors: spreads.map(() => new Float64Array(d).fill(NaN)) };
  const active = holdingMost(values);
  return {
    indices: spreads.map((_, i) => ({
      activityScore: vectors.slice(0, active).reduce((total, vector, j) => total + values[j]! * vector[i]! ** 2, 0),
    })),
    samples,
    runs: samples,
    failed: failures.count,
    failures: failures.kept,
    cancelled,
    directions: vectors.map((vector) => [...vector]),
    eigenvalues: values,
  };
}

/** How many of the first eigenvalues add up to 99 % of their sum. */
function holdingMost(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  let held = 0;
  const last = values.findIndex((value) => (held += value) >= 0.99 * sum);
  return last < 0 ? values.length : last + 1;
}
