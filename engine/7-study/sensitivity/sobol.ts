/**
 * Sobol' indices: the share of the output's variance that a parameter explains alone (first order), and with all its
 * interactions (total).
 *
 *   S1_i = E[f(B)·(f(A_B^i) − f(A))] / V      (Saltelli et al. 2010, DOI 10.1016/j.cpc.2009.09.018)
 *   ST_i = E[(f(A) − f(A_B^i))²] / (2V)       (Jansen 1999, DOI 10.1016/S0010-4655(98)00154-4)
 *
 * Of an array these are its generalised indices, beside those of its elements (sobol-sums.ts). A and B are the two halves of a scrambled Sobol' sequence in 2d dimensions, A_B^i is A with column i of B; N·(d + 2)
 * runs. f is centred, which changes no expectation and lowers the variance of S1. A row with a run that is not finite is
 * left out. Intervals are percentiles of a bootstrap over the rows: on Sobol' points they are too wide rather than too
 * narrow.
 */
import { orCancelled } from '../../0-ir/errors.ts';
import { sizeProduct, sizeValue } from '../../0-ir/sizes.ts';
import type { Device } from '../../5-runtime/device.ts';
import { isCancelled } from '../../6-fit/problem.ts';
import { createEnsemble } from '../../6-fit/ensembles/ensemble.ts';
import { rowsWithin } from '../../6-fit/ensembles/parts.ts';
import { partSeed } from '../../6-fit/ensembles/random.ts';
import { failureCount } from './failures.ts';
import type {
  Design,
  Figures,
  ReplayOptions,
  SampleOptions,
  SensitivityProblem,
  SensitivityResult,
} from './problem.ts';
import { sobolSequence } from '../../6-fit/ensembles/sobol-sequence.ts';
import { sobolSums, type SobolSums } from './sobol-sums.ts';

/** Points held at once, and values of the output. */
const mostPoints = 2 ** 14;
const mostValues = 2 ** 21;

export async function sobolIndices(
  problem: SensitivityProblem,
  device: Device,
  { samples, seed, cancel, onProgress, ...replay }: SampleOptions & ReplayOptions,
): Promise<SensitivityResult> {
  const d = problem.distributions.length;
  const design = sobolDesign(problem, seed);
  const ensemble = replay.ensemble ?? (await createEnsemble(device, problem, { cancel }));
  const failures = failureCount(d);
  const elements = outputElements(problem);
  const convergence: { samples: number; indices: readonly Figures[] }[] = [];
  const most = Math.min(mostPoints, Math.floor(mostValues / Math.max(1, elements)));
  const block = Math.max(1, Math.min(samples, Math.floor(most / (d + 2))));
  let sums: SobolSums | undefined;
  let done = 0;
  let taken = 0;
  try {
    while (done < samples && !isCancelled(cancel)) {
      // Up to the next power of two, so that the convergence sequence can be noted there.
      const end = done + Math.min(block, samples - done, 2 ** Math.floor(Math.log2(done) + 1) - done || 16);
      const rows = rowsWithin(replay.parts, done, end);
      const points = new Float64Array(rows.length * (d + 2) * d);
      rows.forEach((row, at) => design.write(points, at, row));
      const evaluated = await orCancelled(() => ensemble.evaluate(points, cancel));
      if (!evaluated) break;
      const f = evaluated.values.get(problem.output)!;
      failures.batch(points, evaluated.faults);
      if (rows.length > 0)
        sums ??= sobolSums({ d, elements, rows: samples, seed: partSeed(seed, 1), centre: meansOfFinite(f, elements) });
      for (let row = 0; row < rows.length; row++) {
        const at = row * (d + 2);
        let whole = true;
        for (let k = at; k < at + d + 2; k++)
          whole = failures.finite(k, f.subarray(k * elements, (k + 1) * elements)) && whole;
        if (whole) sums?.add(f.subarray(at * elements, (at + d + 2) * elements));
      }
      done = end;
      taken += rows.length;
      if (sums && (Number.isInteger(Math.log2(done)) || done === samples))
        convergence.push({ samples: taken, indices: sums.figures() });
      onProgress?.(done / samples);
    }
  } finally {
    ensemble.release();
  }
  const nothing = { S1: NaN, S1Interval: [NaN, NaN], ST: NaN, STInterval: [NaN, NaN] };
  return {
    indices: sums?.final(cancel) ?? Array.from({ length: d }, () => nothing),
    samples: taken,
    runs: taken * (d + 2),
    failed: failures.count,
    failures: failures.kept,
    cancelled: done < samples,
    mean: sums?.mean ?? NaN,
    variance: sums?.variance ?? NaN,
    convergence,
  };
}

function outputElements({ program, output, sizes }: SensitivityProblem): number {
  const shape = program.results.find(({ name }) => name === output)?.value.type.shape ?? [];
  return sizeValue(sizeProduct(shape), sizes);
}

/** A, B, then A with column i of B for each i. */
export function sobolDesign({ distributions }: Pick<SensitivityProblem, 'distributions'>, seed: number): Design {
  const d = distributions.length;
  const sequence = sobolSequence(2 * d, seed);
  const unit = new Float64Array(2 * d);
  const value = (i: number, half: number): number => distributions[i]!.quantile(unit[half * d + i]!);
  return {
    runs: d + 2,
    write(points, at, row) {
      sequence.point(row, unit);
      const first = at * (d + 2) * d;
      for (let i = 0; i < d; i++) {
        const [a, b] = [value(i, 0), value(i, 1)];
        for (let k = 0; k < d + 2; k++) points[first + k * d + i] = k === 1 || k === i + 2 ? b : a;
      }
    },
  };
}

/** Of each element over the runs; 0 where it never is finite. */
function meansOfFinite(f: Float64Array, elements: number): Float64Array {
  const means = new Float64Array(elements);
  for (let t = 0; t < elements; t++) {
    let [sum, count] = [0, 0];
    for (let at = t; at < f.length; at += elements) {
      if (!Number.isFinite(f[at])) continue;
      sum += f[at]!;
      count++;
    }
    means[t] = count === 0 ? 0 : sum / count;
  }
  return means;
}
