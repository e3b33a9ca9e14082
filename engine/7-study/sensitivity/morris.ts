/**
 * Morris's screening: elementary effects along random trajectories through a grid of 4 levels
 * (Morris 1991, DOI 10.1080/00401706.1991.10484804).
 *
 *   EE_i = (f(x + Δ·e_i) − f(x)) / Δ,   Δ = ±2/3 in the unit cube of probabilities
 *   mu = mean EE,  sigma = standard deviation of EE,
 *   muStar = mean |EE|                       (Campolongo et al. 2007, DOI 10.1016/j.envsoft.2006.10.004)
 *
 * N trajectories of d + 1 runs; they begin at points of a scrambled Sobol' sequence, so that levels are met evenly. The
 * levels are 0, 1/3, 2/3, 1 of a bounded range, and 0.5 % to 99.5 % of a prior without ends. An effect with a run that
 * is not finite is left out.
 */
import { orCancelled } from '../../0-ir/errors.ts';
import type { Device } from '../../5-runtime/device.ts';
import { isCancelled } from '../../6-fit/problem.ts';
import { createEnsemble } from '../../6-fit/ensembles/ensemble.ts';
import { rowsWithin } from '../../6-fit/ensembles/parts.ts';
import { partSeed, randomFrom, type Random } from '../../6-fit/ensembles/random.ts';
import { failureCount } from './failures.ts';
import type { Design, ReplayOptions, SampleOptions, SensitivityProblem, SensitivityResult } from './problem.ts';
import { sobolSequence } from '../../6-fit/ensembles/sobol-sequence.ts';

const LEVELS = 4;
const STEP = LEVELS / (2 * (LEVELS - 1));
const TAIL = 0.005;
const mostPoints = 2 ** 14;

export async function morris(
  problem: SensitivityProblem,
  device: Device,
  { samples, seed, cancel, onProgress, ...replay }: SampleOptions & ReplayOptions,
): Promise<SensitivityResult> {
  const d = problem.distributions.length;
  const design = morrisDesign(problem, seed);
  const ensemble = replay.ensemble ?? (await createEnsemble(device, problem, { cancel }));
  const failures = failureCount(d);
  const effects = Array.from({ length: d }, () => ({ count: 0, mean: 0, squares: 0, size: 0 }));
  const block = Math.max(1, Math.floor(mostPoints / (d + 1)));
  let done = 0;
  let taken = 0;
  try {
    while (done < samples && !isCancelled(cancel)) {
      const end = Math.min(samples, done + block);
      const rows = rowsWithin(replay.parts, done, end);
      const points = new Float64Array(rows.length * (d + 1) * d);
      const moves = rows.map((row, at) => design.write(points, at, row));
      const evaluated = await orCancelled(() => ensemble.evaluate(points, cancel));
      if (!evaluated) break;
      const f = evaluated.values.get(problem.output)!;
      failures.batch(points, evaluated.faults);
      moves.forEach((order, row) => {
        const at = row * (d + 1);
        let before = failures.finite(at, f.subarray(at, at + 1));
        order.forEach(({ element, sign }, k) => {
          const now = failures.finite(at + k + 1, f.subarray(at + k + 1, at + k + 2));
          const effect = ((f[at + k + 1]! - f[at + k]!) * sign) / STEP;
          const found = effects[element];
          if (before && now && found) {
            // Welford: no cancellation where the mean is large.
            found.count++;
            const change = effect - found.mean;
            found.mean += change / found.count;
            found.squares += change * (effect - found.mean);
            found.size += Math.abs(effect);
          }
          before = now;
        });
      });
      done = end;
      taken += rows.length;
      onProgress?.(done / samples);
    }
  } finally {
    ensemble.release();
  }
  const indices = effects.map(({ count, mean, squares, size }) => ({
    mu: count > 0 ? mean : NaN,
    muStar: count > 0 ? size / count : NaN,
    sigma: count > 1 ? Math.sqrt(squares / (count - 1)) : NaN,
  }));
  return {
    indices,
    samples: taken,
    runs: taken * (d + 1),
    failed: failures.count,
    failures: failures.kept,
    cancelled: done < samples,
  };
}

interface Move {
  readonly element: number;
  readonly sign: 1 | -1;
}

interface Trajectories extends Design {
  /** The moves between the d + 1 points: every element moves once, in random order. */
  write(points: Float64Array, at: number, row: number): Move[];
}

export function morrisDesign({ distributions }: Pick<SensitivityProblem, 'distributions'>, seed: number): Trajectories {
  const d = distributions.length;
  const sequence = sobolSequence(d, seed);
  const unit = new Float64Array(d);
  return {
    runs: d + 1,
    write(points, at, row) {
      sequence.point(row, unit);
      const levels = unit.map((u) => Math.floor(u * LEVELS) / (LEVELS - 1));
      const write = (k: number): void =>
        levels.forEach((level, i) => {
          const distribution = distributions[i]!;
          const probability = distribution.bounded ? level : TAIL + level * (1 - 2 * TAIL);
          points[(at * (d + 1) + k) * d + i] = distribution.quantile(probability);
        });
      write(0);
      return shuffled(d, randomFrom(partSeed(seed, row))).map((element, k) => {
        const sign = levels[element]! < 0.5 ? 1 : -1;
        levels[element] = Math.min(1, Math.max(0, levels[element]! + sign * STEP));
        write(k + 1);
        return { element, sign };
      });
    },
  };
}

function shuffled(count: number, random: Random): number[] {
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = random.integer(i + 1);
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}
