/** Gradients of the output over a sample: what DGSM and active subspaces are formed of. */
import { orCancelled } from '../../0-ir/errors.ts';
import { profiles } from '../../2-ad/cost.ts';
import type { Device } from '../../5-runtime/device.ts';
import { gradientName, withGradient } from '../../6-fit/derivative-programs.ts';
import { isCancelled } from '../../6-fit/problem.ts';
import { createEnsemble } from '../../6-fit/ensembles/ensemble.ts';
import { rowsWithin } from '../../6-fit/ensembles/parts.ts';
import { sobolSequence } from '../../6-fit/ensembles/sobol-sequence.ts';
import { failureCount, type Failures } from './failures.ts';
import { elementsOf, type Design, type ReplayOptions, type SampleOptions, type SensitivityProblem } from './problem.ts';

/** Points held at once, and their coordinates: while they are drawn nobody hears *Stop*. */
const mostPoints = 2 ** 13;
const mostCoordinates = 2 ** 16;

export interface GradientRuns {
  readonly samples: number;
  readonly failures: Failures;
  readonly cancelled: boolean;
}

const varied = (problem: SensitivityProblem): string[] => [
  ...new Set(elementsOf(problem).map(({ parameter }) => parameter.name)),
];

/** The problem whose program gives the gradient by every free parameter beside the output. */
export function withGradients(problem: SensitivityProblem, { kind }: Pick<Device, 'kind'>): SensitivityProblem {
  const program = withGradient(problem.program, problem.output, varied(problem), { profile: profiles[kind] });
  return { ...problem, program };
}

/** The results of `withGradients` that are read, and how many values a run has of each. */
export function gradientResults(problem: SensitivityProblem): ReadonlyMap<string, number> {
  const sizes = elementsOf(problem).map(
    ({ parameter }) => [gradientName(parameter.name), parameter.initial.length] as const,
  );
  return new Map([[problem.output, 1], ...sizes]);
}

/** Points of a Sobol' sequence, one a row. */
export function gradientDesign({ distributions }: Pick<SensitivityProblem, 'distributions'>, seed: number): Design {
  const d = distributions.length;
  const sequence = sobolSequence(d, seed);
  const unit = new Float64Array(d);
  return {
    runs: 1,
    write(points, at, row) {
      sequence.point(row, unit);
      unit.forEach((u, i) => (points[at * d + i] = distributions[i]!.quantile(u)));
    },
  };
}

/** Calls `use` with value and gradient (by the free elements) at each point of the design where both are finite. */
export async function overGradients(
  problem: SensitivityProblem,
  device: Device,
  { samples, seed, cancel, onProgress, ...replay }: SampleOptions & ReplayOptions,
  use: (value: number, gradient: Float64Array) => void,
): Promise<GradientRuns> {
  const elements = elementsOf(problem);
  const d = elements.length;
  const design = gradientDesign(problem, seed);
  const ensemble = replay.ensemble ?? (await createEnsemble(device, withGradients(problem, device), { cancel }));
  const failures = failureCount(d);
  const block = Math.max(1, Math.min(mostPoints, Math.floor(mostCoordinates / d)));
  const found = new Float64Array(d + 1);
  let done = 0;
  let taken = 0;
  try {
    while (done < samples && !isCancelled(cancel)) {
      const end = Math.min(done + block, samples);
      const rows = rowsWithin(replay.parts, done, end);
      const points = new Float64Array(rows.length * d);
      rows.forEach((row, at) => design.write(points, at, row));
      const evaluated = await orCancelled(() => ensemble.evaluate(points, cancel));
      if (!evaluated) break;
      failures.batch(points, evaluated.faults);
      const value = evaluated.values.get(problem.output)!;
      const columns = elements.map(({ parameter, element }) => ({
        values: evaluated.values.get(gradientName(parameter.name))!,
        stride: parameter.initial.length,
        element,
      }));
      for (let row = 0; row < rows.length; row++) {
        columns.forEach(({ values, stride, element }, i) => (found[i] = values[row * stride + element]!));
        found[d] = value[row]!;
        if (failures.finite(row, found)) use(found[d], found.subarray(0, d));
      }
      done = end;
      taken += rows.length;
      onProgress?.(done / samples);
    }
  } finally {
    ensemble.release();
  }
  return { samples: taken, failures, cancelled: done < samples };
}
