/**
 * Active subspaces (Constantine 2015, DOI 10.1137/1.9781611973860): the directions along which the output changes most
 * on the average are the eigenvectors of
 *
 *   C = E[∇f·∇fᵀ] = W·Λ·Wᵀ,   ∇f by the elements in units of their spread (distribution.ts)
 *
 * An element's activity score is Σ_j λ_j·w_ij² over the directions before the widest gap of the eigenvalues
 * (Constantine & Diaz 2017, DOI 10.1016/j.ress.2017.01.013).
 */
import type { Device } from '../../5-runtime/device.ts';
import { singularValues } from '../svd.ts';
import { overGradients } from './gradients.ts';
import type { SampleOptions, SensitivityProblem, SensitivityResult } from './problem.ts';

export async function activeSubspace(
  problem: SensitivityProblem,
  device: Device,
  options: SampleOptions,
): Promise<SensitivityResult> {
  const spreads = problem.distributions.map(({ spread }) => spread);
  const d = spreads.length;
  const outer = Array.from({ length: d }, () => new Float64Array(d));
  let count = 0;
  const { samples, failures } = await overGradients(problem, device, options, (_, gradient) => {
    count++;
    const scaled = gradient.map((g, i) => g * (spreads[i] as number));
    outer.forEach((column, j) => {
      for (let i = 0; i < d; i++) column[i] = (column[i] as number) + (scaled[i] as number) * (scaled[j] as number);
    });
  });
  const { values, vectors } =
    count > 0
      ? singularValues(outer.map((column) => column.map((value) => value / count)))
      : { values: spreads.map(() => NaN), vectors: spreads.map(() => new Float64Array(d).fill(NaN)) };
  const active = beforeWidestGap(values);
  return {
    indices: spreads.map((_, i) => ({
      activityScore: vectors
        .slice(0, active)
        .reduce((total, vector, j) => total + (values[j] as number) * (vector[i] as number) ** 2, 0),
    })),
    samples,
    runs: samples,
    failed: failures.count,
    failures: failures.kept,
    cancelled: samples < options.samples,
    directions: vectors.map((vector) => [...vector]),
    eigenvalues: values,
  };
}

/** How many eigenvalues come before the largest ratio between neighbours. */
function beforeWidestGap(values: readonly number[]): number {
  const floor = 1e-16 * (values[0] ?? 0);
  let best = values.length;
  let widest = 1;
  for (let j = 1; j < values.length; j++) {
    const ratio = (values[j - 1] as number) / Math.max(values[j] as number, floor);
    if (ratio > widest) [best, widest] = [j, ratio];
  }
  return best;
}
