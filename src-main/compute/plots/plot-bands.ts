/**
 * Bands around what is plotted, at a stored fit: se² = J·C·Jᵀ with the fit's covariance C, on the curve's own grid, or at
 * the rows where there is no curve. The prediction band adds the noise of one more observation.
 */
import {
  bandsAtFit,
  coordinateName,
  type Coordinate,
  coordinates,
  type Device,
  type FitProblem,
  type StoredFit,
} from '../../../engine/index.ts';
import type { Link } from '../../../models/graph/checked.ts';
import type { Model } from '../../../models/load/model.ts';
import { freed, freedIds } from '../../../models/lower/freed.ts';
import { lowerModel } from '../../../models/lower/lower.ts';
import type { Drawing } from '../../../models/plots/drawing.ts';
import type { FitReport } from '../../contract/contract.ts';
import { fittedValues } from '../fit/fitted.ts';
import { problemOf } from '../fit/fit.ts';
import { variedEffects } from '../fit/random-effects.ts';

/** Around each element of a prediction, on its own scale: half the width of its confidence band. */
export interface Around {
  readonly half: readonly number[];
  /** By which a standard deviation is multiplied. */
  readonly quantile: number;
  /** By which the square of a relative deviation is scaled; NaN where it was not estimated. */
  readonly variance: number;
  /** Parameters of which it is made that are held at a bound. */
  readonly held: readonly string[];
}

/** One for each drawing, along its curve or at its rows. */
export async function bandsAround(
  model: Model,
  drawings: readonly Drawing[],
  fit: FitReport,
  level: number,
  device: Device,
): Promise<Around[]> {
  const values = fittedValues(fit);
  // What parameters are made of may be undetermined, and what is made of it not: that is told by what is varied.
  const told = new Set(freedIds(model));
  const hasGaps = fit.estimates.some(({ block, standardError }) => told.has(block) && Number.isNaN(standardError));
  // What is held (a distance of 0) is one of these, and counts for none.
  const inner = told.size > 0 ? await problemOf(freed(model, values), device, values) : undefined;
  const isVaried = inner !== undefined && (hasGaps || coordinates(inner.parameters).some(isHeldDistance));
  const varied = (of: Model): Model => (isVaried ? freed(of, values) : of);
  const problem = isVaried ? inner : await problemOf(model, device, values);
  const stored = storedFit(problem, fit, isVaried ? told : new Set());
  // Drawings of one model, as all curves of a solution are, are derived by one program.
  const found: Around[] = [];
  for (const of of new Set(drawings.map(({ curve }) => curve?.model ?? model))) {
    const own = [...drawings.keys()].filter((i) => (drawings[i]!.curve?.model ?? model) === of);
    const links = own.map((i) => drawings[i]!.comparison.prediction);
    const bands = await around(varied(of), links, problem, stored, level, device);
    own.forEach((i, at) => (found[i] = bands[at]!));
  }
  return found;
}

const isHeldDistance = ({ parameter: { initial, gap, ascending }, element, lower }: Coordinate): boolean =>
  (gap === true || ascending === true) && initial[element]! <= lower;

/** By the coordinates of the problem; of those in the place of `told`, which no report tells, nothing but where they are is known. */
function storedFit(
  { parameters }: FitProblem,
  { status, estimates, unseen, exact, correlationNames, correlation, objective }: FitReport,
  told: ReadonlySet<string>,
): StoredFit {
  const all = coordinates(parameters);
  const names = all.map(coordinateName);
  const at = names.map((name, i) => (told.has(all[i]!.parameter.name) ? -1 : correlationNames.indexOf(name)));
  const free = all.flatMap((coordinate, i) => {
    const { parameter, element } = coordinate;
    if (!told.has(parameter.name)) return [];
    const at = { name: names[i]!, value: parameter.initial[element]!, standardError: NaN };
    return [{ ...at, ...(isHeldDistance(coordinate) && { atBound: 'lower' as const }) }];
  });
  const matrix = at.map((i) => at.map((j) => correlation[i]?.[j] ?? NaN));
  return {
    status,
    estimates: [...estimates.filter(({ block }) => !told.has(block)), ...free],
    correlation: { names, matrix },
    energy: objective,
    unseen,
    exact,
  };
}

/** One for each link; a number in the document, where there is none, is known. */
async function around(
  model: Model,
  links: readonly (Link | undefined)[],
  problem: FitProblem,
  stored: StoredFit,
  level: number,
  device: Device,
): Promise<Around[]> {
  const named = new Map(links.flatMap((link, i) => (link ? [[`prediction ${i}`, link] as const] : [])));
  const { program, inputs, sizes } = lowerModel(variedEffects(model, problem), { links: named });
  const ids = new Set(problem.parameters.map(({ name }) => name));
  const data = new Map([...inputs].flatMap(([name, { values }]) => (ids.has(name) ? [] : [[name, values] as const])));
  const { bands, quantile, variance } = await bandsAtFit(problem, stored, { program, sizes, data }, level, device);
  const estimated = problem.residuals.length > 0 && !problem.sigmaKnown;
  const byName = new Map(bands.map((band) => [band.output, band]));
  return links.map((_, i) => {
    const { value, upper, held } = byName.get(`prediction ${i}`) ?? { value: [0], upper: [0], held: [] };
    return {
      half: value.map((centre, element) => upper[element]! - centre),
      ...{ quantile, held },
      variance: estimated ? variance : NaN,
    };
  });
}
