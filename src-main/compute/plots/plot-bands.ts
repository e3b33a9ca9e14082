/**
 * Bands around what is plotted, at a stored fit: se² = J·C·Jᵀ with the fit's covariance C, on the curve's own grid, or at
 * the rows where there is no curve. The prediction band adds the noise of one more observation.
 */
import { bandsAtFit, type Device, type FitProblem } from '../../../engine/index.ts';
import type { Link } from '../../../models/graph/checked.ts';
import type { Model } from '../../../models/load/model.ts';
import { lowerModel } from '../../../models/lower/lower.ts';
import type { Drawing } from '../../../models/plots/drawings.ts';
import type { FitReport } from '../../contract/contract.ts';
import { fittedValues } from '../fit/fitted.ts';
import { problemOf } from '../fit/fit.ts';

/** Around each element of a prediction, on its own scale: half the width of its confidence band. */
export interface Around {
  readonly half: readonly number[];
  /** By which a standard deviation is multiplied. */
  readonly quantile: number;
  /** By which the square of a relative deviation is scaled; NaN where it was not estimated. */
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
  link: Link | undefined,
  problem: FitProblem,
  { estimates, correlationNames, correlation, objective }: FitReport,
  level: number,
  device: Device,
): Promise<Around> {
  const stored = {
    estimates,
    correlation: { names: correlationNames, matrix: correlation },
    energy: objective,
  };
  const lowered = lowerModel(model, { links: new Map(link ? [['prediction', link]] : []) });
  const ids = new Set(problem.parameters.map(({ name }) => name));
  const { program, inputs, sizes } = lowered;
  const data = new Map([...inputs].flatMap(([name, { values }]) => (ids.has(name) ? [] : [[name, values] as const])));
  const { bands, quantile, variance } = await bandsAtFit(problem, stored, { program, sizes, data }, level, device);
  const estimated = problem.residuals.length > 0 && !problem.sigmaKnown;
  // A number in the document is known.
  const { value, upper } = bands[0] ?? { value: [0], upper: [0] };
  return {
    half: value.map((centre, i) => (upper[i] as number) - centre),
    quantile,
    variance: estimated ? variance : NaN,
  };
}
