/** Gradients of the output over a sample: what DGSM and active subspaces are formed of. */
import { profiles } from '../../2-ad/cost.ts';
import type { Device } from '../../5-runtime/device.ts';
import { gradientName, withGradient } from '../../6-fit/derivative-programs.ts';
import { isCancelled } from '../../6-fit/problem.ts';
import { createEnsemble } from '../../6-fit/ensembles/ensemble.ts';
import { failureCount, type Failures } from './failures.ts';
import { elementsOf, type SampleOptions, type SensitivityProblem } from './problem.ts';
import { sobolSequence } from '../../6-fit/ensembles/sobol-sequence.ts';
import { orCancelled } from './stopping.ts';

/** Points held at once. */
const mostPoints = 2 ** 13;

export interface GradientRuns {
  readonly samples: number;
  readonly failures: Failures;
}

/** Calls `use` with value and gradient (by the free elements) at each point of a Sobol' sequence where both are finite. */
export async function overGradients(
  problem: SensitivityProblem,
  device: Device,
  { samples, seed, cancel, onProgress }: SampleOptions,
  use: (value: number, gradient: Float64Array) => void,
): Promise<GradientRuns> {
  const elements = elementsOf(problem);
  const d = elements.length;
  const names = [...new Set(elements.map(({ parameter }) => parameter.name))];
  const program = withGradient(problem.program, problem.output, names, { profile: profiles[device.kind] });
  const ensemble = await createEnsemble(device, { ...problem, program });
  const sequence = sobolSequence(d, seed);
  const failures = failureCount(d);
  const unit = new Float64Array(d);
  const found = new Float64Array(d + 1);
  let done = 0;
  try {
    while (done < samples && !isCancelled(cancel)) {
      const rows = Math.min(mostPoints, samples - done);
      const points = new Float64Array(rows * d);
      for (let row = 0; row < rows; row++) {
        sequence.point(done + row, unit);
        unit.forEach((u, i) => (points[row * d + i] = problem.distributions[i]?.quantile(u) as number));
      }
      const evaluated = await orCancelled(ensemble.evaluate(points, cancel));
      if (!evaluated) break;
      failures.batch(points, evaluated.faults);
      const value = evaluated.values.get(problem.output) as Float64Array;
      const columns = elements.map(({ parameter, element }) => ({
        values: evaluated.values.get(gradientName(parameter.name)) as Float64Array,
        stride: parameter.initial.length,
        element,
      }));
      for (let row = 0; row < rows; row++) {
        columns.forEach(({ values, stride, element }, i) => (found[i] = values[row * stride + element] as number));
        found[d] = value[row] as number;
        if (failures.finite(row, found)) use(found[d], found.subarray(0, d));
      }
      done += rows;
      onProgress?.(done / samples);
    }
  } finally {
    ensemble.release();
  }
  return { samples: done, failures };
}
