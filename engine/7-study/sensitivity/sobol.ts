/**
 * Sobol' indices: the share of the output's variance that a parameter explains alone (first order), and with all its
 * interactions (total).
 *
 *   S1_i = E[f(B)·(f(A_B^i) − f(A))] / V      (Saltelli et al. 2010, DOI 10.1016/j.cpc.2009.09.018)
 *   ST_i = E[(f(A) − f(A_B^i))²] / (2V)       (Jansen 1999, DOI 10.1016/S0010-4655(98)00154-4)
 *
 * A and B are the two halves of a scrambled Sobol' sequence in 2d dimensions, A_B^i is A with column i of B; N·(d + 2)
 * runs. f is centred, which changes no expectation and lowers the variance of S1. A row with a run that is not finite is
 * left out. Intervals are percentiles of a bootstrap over the rows: on Sobol' points they are too wide rather than too
 * narrow.
 */
import type { Device } from '../../5-runtime/device.ts';
import { isCancelled } from '../../6-fit/problem.ts';
import { createEnsemble } from '../../6-fit/ensembles/ensemble.ts';
import { rowsWithin } from '../../6-fit/ensembles/parts.ts';
import { partSeed } from '../../6-fit/ensembles/random.ts';
import { failureCount } from './failures.ts';
import { groupedSums } from './grouped-sums.ts';
import type {
  Design,
  Figures,
  ReplayOptions,
  SampleOptions,
  SensitivityProblem,
  SensitivityResult,
} from './problem.ts';
import { sobolSequence } from '../../6-fit/ensembles/sobol-sequence.ts';
import { orCancelled } from './stopping.ts';

/** Points held at once. */
const mostPoints = 2 ** 14;
/** Sums before those of each parameter: rows, Σf, Σf² over A and B. */
const HEAD = 3;

export async function sobolIndices(
  problem: SensitivityProblem,
  device: Device,
  { samples, seed, cancel, onProgress, ...replay }: SampleOptions & ReplayOptions,
): Promise<SensitivityResult> {
  const d = problem.distributions.length;
  const design = sobolDesign(problem, seed);
  const ensemble = replay.ensemble ?? (await createEnsemble(device, problem));
  const failures = failureCount(d);
  const sums = groupedSums(HEAD + 2 * d, samples, partSeed(seed, 1));
  const convergence: { samples: number; indices: Figures[] }[] = [];
  const block = Math.max(1, Math.min(samples, Math.floor(mostPoints / (d + 2))));
  const statistic = new Float64Array(HEAD + 2 * d);
  let centre: number | undefined;
  let done = 0;
  let taken = 0;
  try {
    while (done < samples && !isCancelled(cancel)) {
      // Up to the next power of two, so that the convergence sequence can be noted there.
      const end = done + Math.min(block, samples - done, 2 ** Math.floor(Math.log2(done) + 1) - done || 16);
      const rows = rowsWithin(replay.parts, done, end);
      const points = new Float64Array(rows.length * (d + 2) * d);
      rows.forEach((row, at) => design.write(points, at, row));
      const evaluated = await orCancelled(ensemble.evaluate(points, cancel));
      if (!evaluated) break;
      const f = evaluated.values.get(problem.output) as Float64Array;
      failures.batch(points, evaluated.faults);
      if (rows.length > 0) centre ??= meanOfFinite(f);
      for (let row = 0; row < rows.length; row++) {
        const at = row * (d + 2);
        let whole = true;
        for (let k = 0; k < d + 2; k++) whole = failures.finite(at + k, f.subarray(at + k, at + k + 1)) && whole;
        if (!whole) continue;
        const a = (f[at] as number) - (centre as number);
        const b = (f[at + 1] as number) - (centre as number);
        statistic[0] = 1;
        statistic[1] = a + b;
        statistic[2] = a * a + b * b;
        for (let i = 0; i < d; i++) {
          const mixed = (f[at + 2 + i] as number) - (centre as number);
          statistic[HEAD + 2 * i] = b * (mixed - a);
          statistic[HEAD + 2 * i + 1] = (a - mixed) ** 2;
        }
        sums.add(statistic);
      }
      done = end;
      taken += rows.length;
      if (Number.isInteger(Math.log2(done)) || done === samples)
        convergence.push({ samples: taken, indices: figures(indicesOf(sums.total())) });
      onProgress?.(done / samples);
    }
  } finally {
    ensemble.release();
  }
  const total = sums.total();
  const intervals = sums.intervals(indicesOf);
  const indices = figures(indicesOf(total)).map((found, i) => ({
    S1: found['S1'] as number,
    S1Interval: intervals[2 * i] ?? [NaN, NaN],
    ST: found['ST'] as number,
    STInterval: intervals[2 * i + 1] ?? [NaN, NaN],
  }));
  const mean = (total[1] as number) / (2 * (total[0] as number));
  return {
    indices,
    samples: taken,
    runs: taken * (d + 2),
    failed: failures.count,
    failures: failures.kept,
    cancelled: done < samples,
    mean: mean + (centre ?? NaN),
    variance: varianceOf(total),
    convergence,
  };
}

/** A, B, then A with column i of B for each i. */
export function sobolDesign({ distributions }: Pick<SensitivityProblem, 'distributions'>, seed: number): Design {
  const d = distributions.length;
  const sequence = sobolSequence(2 * d, seed);
  const unit = new Float64Array(2 * d);
  const value = (i: number, half: number): number => distributions[i]?.quantile(unit[half * d + i] as number) as number;
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

function varianceOf(sums: Float64Array): number {
  const n = 2 * (sums[0] as number);
  return (sums[2] as number) / n - ((sums[1] as number) / n) ** 2;
}

/** S1 and ST of each parameter in turn; NaN where nothing varies. */
function indicesOf(sums: Float64Array): Float64Array {
  const n = sums[0] as number;
  const variance = varianceOf(sums);
  const scale = variance > 0 ? 1 / (n * variance) : NaN;
  return sums.slice(HEAD).map((value, k) => (k % 2 === 0 ? value : value / 2) * scale);
}

function figures(values: Float64Array): Figures[] {
  return Array.from({ length: values.length / 2 }, (_, i) => ({
    S1: values[2 * i] as number,
    ST: values[2 * i + 1] as number,
  }));
}

function meanOfFinite(values: Float64Array): number {
  const finite = values.filter(Number.isFinite);
  return finite.length === 0 ? 0 : finite.reduce((total, value) => total + value, 0) / finite.length;
}
