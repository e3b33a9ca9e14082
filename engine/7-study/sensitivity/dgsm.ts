/**
 * Derivative-based global sensitivity measures, and the bound that they set on total Sobol' indices
 * (Sobol' & Kucherenko 2009, DOI 10.1016/j.matcom.2009.01.023; Lamboni et al. 2013, DOI 10.1016/j.matcom.2013.02.002):
 *
 *   dgsm_i = E[(∂f/∂x_i)²],   ST_i ≤ bound_i = C_i·dgsm_i / V
 *
 * with C_i of the element's distribution (distribution.ts). Exact gradients in reverse mode: N runs, whatever d is.
 */
import type { Device } from '../../5-runtime/device.ts';
import { partSeed } from '../../6-fit/ensembles/random.ts';
import { overGradients } from './gradients.ts';
import { groupedSums } from './grouped-sums.ts';
import type { ReplayOptions, SampleOptions, SensitivityProblem, SensitivityResult } from './problem.ts';

/** Sums before those of each element: rows, Σf, Σf². */
const HEAD = 3;

export async function dgsm(
  problem: SensitivityProblem,
  device: Device,
  options: SampleOptions & ReplayOptions,
): Promise<SensitivityResult> {
  const d = problem.distributions.length;
  const sums = groupedSums(HEAD + d, options.samples, partSeed(options.seed, 1));
  const row = new Float64Array(HEAD + d);
  let centre: number | undefined;
  const { samples, failures, cancelled } = await overGradients(problem, device, options, (value, gradient) => {
    centre ??= value;
    row[0] = 1;
    row[1] = value - centre;
    row[2] = row[1] * row[1];
    for (let i = 0; i < d; i++) row[HEAD + i] = gradient[i]! ** 2;
    sums.add(row);
  });
  const measures = (total: Float64Array): Float64Array => {
    const n = total[0]!;
    const variance = total[2]! / n - (total[1]! / n) ** 2;
    const found = new Float64Array(2 * d);
    for (let i = 0; i < d; i++) {
      const mean = total[HEAD + i]! / n;
      const constant = problem.distributions[i]!.poincare;
      found[2 * i] = mean;
      found[2 * i + 1] = Number.isFinite(constant) && variance > 0 ? (constant * mean) / variance : NaN;
    }
    return found;
  };
  const total = sums.total();
  const found = measures(total);
  const intervals = sums.intervals(measures, options.cancel);
  const n = total[0]!;
  return {
    indices: Array.from({ length: d }, (_, i) => ({
      dgsm: found[2 * i]!,
      dgsmInterval: intervals[2 * i] ?? [NaN, NaN],
      bound: found[2 * i + 1]!,
      boundInterval: intervals[2 * i + 1] ?? [NaN, NaN],
    })),
    samples,
    runs: samples,
    failed: failures.count,
    failures: failures.kept,
    cancelled,
    mean: total[1]! / n + (centre ?? NaN),
    variance: total[2]! / n - (total[1]! / n) ** 2,
  };
}
