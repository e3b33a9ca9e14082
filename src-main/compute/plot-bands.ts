/**
 * Bands around what is plotted, at a stored fit: se² = J·C·Jᵀ with the fit's covariance C, on the curve's own grid, or at
 * the rows where there is no curve. The prediction band adds the noise of one more observation.
 */
import { type Band, bandsAtFit, type Device, type FitProblem } from '../../engine/index.ts';
import type { Link } from '../../models/graph/checked.ts';
import type { Model } from '../../models/load/model.ts';
import { lowerModel } from '../../models/lower/lower.ts';
import type { Drawing } from '../../models/plots/drawings.ts';
import type { FitReport } from '../contract/contract.ts';
import { fittedValues } from './fitted.ts';
import { problemOf } from './fit.ts';

/** Around each element of a prediction, on its own scale: half the width of its confidence band. */
export interface Around {
  readonly value: readonly number[];
  readonly half: readonly number[];
  /** By which a standard deviation of the noise is multiplied. */
  readonly quantile: number;
  /** By which its square is scaled, where it was estimated. */
  readonly variance: number;
}

/** One for each drawing, along its curve or at its rows. */
export async function bandsAround(
  model: Model,
  drawings: readonly Drawing[],
  fit: FitReport,
  level: number,
  device: Device,
): Promise<Around[]> {
  const problem = await problemOf(model, device, fittedValues(fit));
  const found: Around[] = [];
  for (const { curve, comparison } of drawings)
    found.push(await around(curve?.model ?? model, comparison.prediction, problem, fit, level, device));
  return found;
}

async function around(
  model: Model,
  link: Link,
  problem: FitProblem,
  { estimates, correlationNames, correlation, objective }: FitReport,
  level: number,
  device: Device,
): Promise<Around> {
  const { program, inputs, sizes } = lowerModel(model, { links: new Map([['prediction', link]]) });
  const ids = new Set(problem.parameters.map(({ name }) => name));
  const data = new Map([...inputs].flatMap(([name, { values }]) => (ids.has(name) ? [] : [[name, values] as const])));
  const stored = {
    estimates,
    correlation: { names: correlationNames, matrix: correlation },
    energy: objective,
  };
  const { bands, quantile, variance } = await bandsAtFit(problem, stored, { program, sizes, data }, level, device);
  const { value, upper } = bands[0] as Band;
  return { value, half: value.map((centre, i) => (upper[i] as number) - centre), quantile, variance };
}
