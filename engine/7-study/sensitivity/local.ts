/**
 * Local sensitivity at one point, exact by automatic differentiation:
 *
 *   derivative = ∂f/∂p,   elasticity = (p/f)·∂f/∂p = ∂log f/∂log p
 *
 * Of a scalar in reverse mode. Of an array in forward mode: a figure is then a list over the output's elements, row by
 * row (a time course).
 */
import { profiles } from '../../2-ad/cost.ts';
import type { Device } from '../../5-runtime/device.ts';
import { gradientName, jacobianName, withGradient, withJacobian } from '../../6-fit/derivative-programs.ts';
import { createEnsemble } from '../../6-fit/ensembles/ensemble.ts';
import { failureCount } from './failures.ts';
import { elementsOf, type Figures, type SensitivityProblem, type SensitivityResult } from './problem.ts';

export async function localSensitivity(
  problem: SensitivityProblem,
  device: Device,
  cancel?: Int32Array,
): Promise<SensitivityResult> {
  const { program, output } = problem;
  const elements = elementsOf(problem);
  const names = [...new Set(elements.map(({ parameter }) => parameter.name))];
  const scalar = program.results.find(({ name }) => name === output)?.value.type.shape.length === 0;
  const only = { ...program, results: program.results.filter(({ name }) => name === output) };
  const derived = scalar
    ? withGradient(program, output, names, { profile: profiles[device.kind] })
    : withJacobian(only, [output], names);
  const ensemble = await createEnsemble(device, { ...problem, program: derived }, { cancel });
  const failures = failureCount(elements.length);
  try {
    const point = Float64Array.from(elements, ({ parameter, element }) => parameter.initial[element]!);
    const { values, faults } = await ensemble.evaluate(point, cancel);
    failures.batch(point, faults);
    const value = values.get(output)!;
    const columns = elements.map(({ parameter, element }) => {
      const all = values.get(scalar ? gradientName(parameter.name) : jacobianName(output, parameter.name));
      return all!.slice(element * value.length, (element + 1) * value.length);
    });
    failures.finite(0, [...value, ...columns.flatMap((column) => [...column])]);
    const indices = columns.map((column, i): Figures => {
      const elasticity = column.map((slope, k) => (point[i]! * slope) / value[k]!);
      const listed = (list: Float64Array): number | number[] => (scalar ? list[0]! : [...list]);
      // A ratio to nothing, or to what has no size: 0/0, x/0 and x/∞ alike.
      return {
        derivative: listed(column),
        elasticity: listed(elasticity.map((ratio, k) => (value[k] !== 0 && Number.isFinite(value[k]) ? ratio : NaN))),
      };
    });
    return { indices, samples: 1, runs: 1, failed: failures.count, failures: failures.kept, cancelled: false };
  } finally {
    ensemble.release();
  }
}
