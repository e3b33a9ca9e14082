/**
 * Quantities q(p) that follow from parameters: what each method says of them. By the covariance
 *
 *   se² = ∇qᵀ·C·∇q   with the exact gradient (the delta method, as R's car::deltaMethod)
 *
 * scaled as for parameters; by profile with q held (quantity-held.ts); by replicates and draws as q of each of them.
 */
import { Cancelled } from '../../0-ir/errors.ts';
import { sizeProduct, sizeValue } from '../../0-ir/sizes.ts';
import type { Device } from '../../5-runtime/device.ts';
import { cholesky, choleskySolve } from '../../6-fit/algebra/cholesky.ts';
import { coordinates, coordinateSlopes } from '../../6-fit/coordinates.ts';
import { batchedLinearisation, batchedQuadratic } from '../../6-fit/ensembles/batched-objective.ts';
import { createEnsemble } from '../../6-fit/ensembles/ensemble.ts';
import { sortedQuantile } from '../../6-fit/ensembles/random.ts';
import { applied } from '../../6-fit/symmetry.ts';
import { isCancelled, type FitProblem } from '../../6-fit/problem.ts';
import { dot } from '../../6-fit/algebra/vectors.ts';
import { listed, unknownVerdict, verdictOf, type Verdict } from '../../6-fit/report/verdict.ts';
import { mixingOf, momentsOf, monteCarloErrors } from '../chains/diagnostics.ts';
import { bandsOf, type BandModel } from './bands.ts';
import { hasNoSpread, NO_SPREAD } from './bootstrap.ts';
import { exchangesOf } from './exchanges.ts';
import { varianceAlong } from './covariance.ts';
import { directionsAtGaps, type Directions } from './directions.ts';
import type { MethodOptions, MethodResult } from './problem.ts';
import {
  covarianceOf,
  criticalValue,
  fittedFrom,
  replicateReach,
  stretched,
  type Fitted,
  type StoredFit,
} from './fitted.ts';
import { asked, linesOf, slopesAtFit } from './slopes.ts';
import { followSides, type End } from './profile-sides.ts';
import { answeringBoth, heldQuantity, type WithQuantities } from './quantity-held.ts';

/** A program each of whose results is a quantity, a scalar or an array of them. */
export interface QuantityModel extends BandModel {
  /** Free parameters that a quantity reads and the objective does not: nothing is known of such a quantity. */
  readonly unread: ReadonlyMap<string, readonly string[]>;
}

/** Of one element of a quantity. NaN where undefined, ±∞ where an interval has no end. */
export interface QuantityInterval {
  readonly quantity: string;
  readonly element: number;
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
  readonly standardError: number;
  readonly verdict: Verdict;
  readonly figures: Readonly<Record<string, number>>;
  /** Of a linearised one: by the free elements of the fit. */
  readonly gradient?: Float64Array;
  /** Of one that was drawn: by chain. */
  readonly series?: readonly Float64Array<ArrayBuffer>[];
}

/** By what the covariance says, of parameters or of `along` where these are not determined one by one. */
interface AtFit {
  readonly quantity: string;
  readonly element: number;
  readonly value: number;
  /** By the parameters' own values. */
  readonly gradient: Float64Array;
  readonly standardError: number;
  /** Why it is not determined, where that is not the data. */
  readonly why?: string;
  /** Why its error is none, where all that has none is at a bound. */
  readonly held?: string;
  /** It is at its edge with what it is made of: a share that is 0. */
  readonly atEdge?: true;
  /** What it is made of that the data do not determine. */
  readonly loose?: readonly string[];
}

/** Where a fit has ended that is stored, by its covariance. */
export async function quantitiesAtFit(
  problem: FitProblem,
  result: StoredFit,
  model: QuantityModel,
  level: number,
  device: Device,
): Promise<QuantityInterval[]> {
  const fitted = fittedFrom(problem, result);
  const covariance = covarianceOf(fitted);
  const isKnown = result.status === 'converged';
  const directions = isKnown ? await directionsAtGaps(fitted, covariance) : undefined;
  const found = await atFit(fitted, model, covariance, directions, device);
  return found.map((each) => ({
    ...linearised(fitted, each, level),
    ...(!isKnown && { standardError: NaN, lower: NaN, upper: NaN, verdict: unknownVerdict }),
  }));
}

/** What a study by `method` says, given what it `found` of the parameters. */
export async function quantitiesOf(
  fitted: Fitted,
  model: QuantityModel,
  {
    directions,
    covariance,
    found,
  }: { directions: Directions | undefined; covariance: readonly Float64Array[]; found: MethodResult },
  device: Device,
  method: 'covariance' | 'profile' | 'bootstrap' | 'hmc',
  options: Pick<MethodOptions, 'level' | 'cancel'>,
): Promise<QuantityInterval[]> {
  const known = await atFit(fitted, model, covariance, directions, device);
  switch (method) {
    case 'covariance':
      return known.map((each) => linearised(fitted, each, options.level));
    case 'profile':
      // Held, a quantity of effects would be one of the parameters alone.
      if (readsEffects(fitted, new Set(model.program.parameters.map(({ name }) => name))))
        return known.map((each) => linearised(fitted, each, options.level));
      return profiled(fitted, model, known, device, options);
    case 'bootstrap':
      return drawn(fitted, model, known, found, device, {
        ...options,
        reach: replicateReach(fitted, options.level),
      });
    case 'hmc':
      return drawn(fitted, model, known, found, device, { ...options, reach: 1 });
  }
}

/** What draws say where no fit does. */
export async function quantitiesOfDraws(
  fitted: Fitted,
  model: QuantityModel,
  found: MethodResult,
  device: Device,
  options: Pick<MethodOptions, 'level' | 'cancel'>,
): Promise<QuantityInterval[]> {
  const nothing = fitted.all.map(() => new Float64Array(fitted.all.length).fill(NaN));
  return drawn(fitted, model, await atFit(fitted, model, nothing, undefined, device), found, device, {
    ...options,
    reach: 1,
  });
}

async function atFit(
  fitted: Fitted<StoredFit>,
  model: QuantityModel,
  covariance: readonly Float64Array[],
  directions: Directions | undefined,
  device: Device,
): Promise<AtFit[]> {
  const { values, gradients } = await slopesAtFit(fitted, model, device);
  const elements = elementsOf(model, values.length);
  const drawn = await ofEffects(fitted, model, { covariance, directions }, device);
  return elements.map(({ quantity, element }, row): AtFit => {
    const gradient = gradients[row]!;
    const unread = model.unread.get(quantity) ?? [];
    const known = { quantity, element, value: values[row]!, gradient };
    if (unread.length > 0)
      return {
        ...known,
        standardError: NaN,
        why: `it depends on ${unread.join(', ')}, which the objective does not read`,
      };
    const told = drawn?.get(quantity);
    if (told) return { ...known, value: told.values[element]!, standardError: told.errors[element]! };
    const felt = withoutEdges(fitted, gradient);
    const variance = varianceAlong(felt, covariance);
    const along = Number.isNaN(variance) ? directions?.variance(felt) : undefined;
    const standardError = Math.sqrt(along ?? variance);
    const loose = fitted.names.filter((_, j) => felt[j] !== 0 && Number.isNaN(covariance[j]?.[j]));
    const held = loose.length > 0 && loose.every((name) => isAtBound(fitted, name));
    const edge = held && fitted.all[fitted.names.indexOf(loose[0]!)]?.parameter.edge;
    const where = edge === undefined || edge === false ? `${listed(loose)} is at a bound` : `it is at ${edge}`;
    return { ...known, standardError, loose, ...(held && { held: where }), ...(edge && { atEdge: true }) };
  });
}

/** By what has come to its edge, where a share is 0, other shares do not change but by rounding. */
function withoutEdges(fitted: Fitted<StoredFit>, gradient: Float64Array): Float64Array {
  const largest = gradient.reduce((most, slope) => Math.max(most, Math.abs(slope)), 0);
  return gradient.map((slope, j) => {
    const hasEdge = fitted.all[j]?.parameter.edge !== undefined && isAtBound(fitted, fitted.names[j]!);
    return hasEdge && Math.abs(slope) < NOTHING * largest ? 0 : slope;
  });
}

/** Of a slope beside others. */
const NOTHING = 1e-12;

const isAtBound = ({ result }: Fitted<StoredFit>, parameter: string): boolean =>
  result.estimates.some(({ name, atBound }) => name === parameter && atBound !== undefined);

/**
 * Quantities of random effects that are integrated out: at their modes, which move with the parameters and about which the
 * effects vary (bands.ts). Undefined where none is read.
 */
async function ofEffects(
  fitted: Fitted<StoredFit>,
  model: QuantityModel,
  known: { readonly covariance: readonly Float64Array[]; readonly directions: Directions | undefined },
  device: Device,
): Promise<
  ReadonlyMap<string, { readonly values: readonly number[]; readonly errors: readonly number[] }> | undefined
> {
  const read = new Set(model.program.parameters.map(({ name }) => name));
  if (!readsEffects(fitted, read)) return undefined;
  const level = 0.95;
  const quantile = criticalValue(fitted, level);
  const bands = await bandsOf(fitted, known, model, level, device);
  return new Map(
    bands.map(({ output, value, upper, held }) => [
      output,
      {
        values: value,
        errors: upper.map((end, i) => (held.length > 0 ? NaN : (end - value[i]!) / quantile)),
      },
    ]),
  );
}

const readsEffects = ({ problem }: Fitted<StoredFit>, read: ReadonlySet<string>): boolean =>
  (problem.effects ?? []).some(({ effects }) => effects.some((name) => read.has(name)));

/** Scalars are given as results of one number, arrays as results of several: all results have their share of the rows. */
function elementsOf({ program, sizes }: QuantityModel, rows: number): { quantity: string; element: number }[] {
  const found = program.results.flatMap(({ name, value }) =>
    Array.from({ length: sizeValue(sizeProduct(value.type.shape), sizes) }, (_, element) => ({
      quantity: name,
      element,
    })),
  );
  if (found.length !== rows) throw new Error(`${rows} rows of quantities, and ${found.length} elements`);
  return found;
}

function linearised(
  fitted: Fitted<StoredFit>,
  { value, standardError, held, why = held, ...known }: AtFit,
  level: number,
): QuantityInterval {
  const half = criticalValue(fitted, level) * standardError;
  const interval = intervalOf({ ...known, value, standardError, lower: value - half, upper: value + half, why });
  return { ...interval, gradient: known.gradient };
}

function intervalOf({
  quantity,
  element,
  value,
  lower,
  upper,
  standardError,
  why,
  loose = [],
  figures = {},
}: Omit<QuantityInterval, 'verdict' | 'figures'> & {
  readonly why?: string | undefined;
  readonly loose?: readonly string[] | undefined;
  readonly figures?: QuantityInterval['figures'];
}): QuantityInterval {
  const verdict = verdictOf({
    value,
    lower,
    upper,
    partners: [],
    why: why ?? `the data do not determine ${loose.length > 0 ? `${listed(loose)}, of which it is made` : 'it'}`,
  });
  return { quantity, element, value, lower, upper, standardError, verdict, figures };
}

async function profiled(
  fitted: Fitted,
  model: QuantityModel,
  known: readonly AtFit[],
  device: Device,
  options: Pick<MethodOptions, 'level' | 'cancel'>,
): Promise<QuantityInterval[]> {
  const { problem, all } = fitted;
  const energy = await (problem.residuals.length > 0 ? batchedLinearisation : batchedQuadratic)(
    problem,
    device,
    all,
    options.cancel,
  );
  const both = answeringBoth(energy, await linesOf(fitted, model, device, options.cancel));
  const followed = known.flatMap(({ why, atEdge }, index) => (why === undefined && !atEdge ? [index] : []));
  try {
    const scales = await scalesOf(fitted, known, device);
    const exchanges = await exchangesOf(fitted, device, options.cancel);
    const images = exchanges.map((symmetry) => applied(symmetry, fitted.point));
    const held = followed.map((index) => {
      const { value, standardError } = known[index]!;
      return [
        all.length + index,
        heldQuantity(fitted, { index, value, standardError, scale: scales[index]!, images }),
      ] as const;
    });
    const sides = await followSides<WithQuantities>(fitted, new Map(held), both.at, options);
    return known.map((each, index) => {
      const [below, above] = sides[followed.indexOf(index)] ?? [];
      return below && above ? sidesInterval(each, below, above) : linearised(fitted, each, options.level);
    });
  } finally {
    both.release();
  }
}

/**
 * By what a rise of the energy is multiplied to be τ². Of a robust loss, whose covariance C is no inverse of the curvature H:
 * E rises by Δq²/(2·∇qᵀH⁻¹∇q), and τ is Δq in units of √(∇qᵀC∇q) (Kent 1982, DOI 10.1093/biomet/69.1.19).
 */
async function scalesOf(fitted: Fitted, known: readonly AtFit[], device: Device): Promise<number[]> {
  const { problem, all, point, variance } = fitted;
  if (problem.residuals.length === 0) return known.map(() => 2);
  if (!problem.robust) return known.map(() => 1 / variance);
  const quadratic = await batchedQuadratic(problem, device, all);
  const [found] = await quadratic.at([point]).finally(quadratic.release);
  const factor = found && cholesky(found.hessian);
  return known.map(({ gradient, standardError }) => {
    const slopes = gradient.map((g, j) => g * coordinateSlopes(all[j]!, point[j]!)[0]);
    const spread = factor ? dot(slopes, choleskySolve(factor, slopes)) : NaN;
    return (2 * spread) / standardError ** 2;
  });
}

function sidesInterval({ why: _, ...known }: AtFit, below: End, above: End): QuantityInterval {
  const [lower, upper] = [below.u, above.u];
  const ends = [below.kind, above.kind];
  const why = ends.includes('edge')
    ? 'the model has no value before the data exclude one'
    : ends.includes('jump')
      ? 'the objective jumps where it should cross the limit, and such an end is not known'
      : undefined;
  const interval = intervalOf({ ...known, lower, upper, why });
  if (!ends.includes('bound')) return interval;
  if (ends.every((kind) => kind === 'bound' || kind === 'infinite'))
    return {
      ...interval,
      verdict: { status: 'none', reason: 'not determined: no value that it can take is excluded' },
    };
  const [side, end] = below.kind === 'bound' ? ['down to the least', lower] : ['up to the most', upper];
  const reason = `not excluded ${side} that it can be, ${Number(end.toPrecision(4))}`;
  return { ...interval, verdict: { status: 'one-sided', reason } };
}

async function drawn(
  fitted: Fitted,
  model: QuantityModel,
  known: readonly AtFit[],
  { draws, values }: MethodResult,
  device: Device,
  { level, reach, cancel }: Pick<MethodOptions, 'level' | 'cancel'> & { readonly reach: number },
): Promise<QuantityInterval[]> {
  const chains = draws?.[0]?.length ?? 0;
  const each = draws?.[0]?.[0]?.length ?? 0;
  const problem = asked(fitted, model);
  const read = coordinates(problem.parameters).map(({ parameter, element }) =>
    fitted.all.findIndex((other) => other.parameter.name === parameter.name && other.element === element),
  );
  const points = Float64Array.from({ length: chains * each * read.length }, (_, i) => {
    const member = Math.floor(i / read.length);
    return draws?.[read[i % read.length]!]?.[Math.floor(member / each)]?.[member % each] ?? NaN;
  });
  // Ends are of draws that are stretched as the parameters' own are: what rises with a parameter has those made of its ends.
  const further = read.map((j) => stretched(fitted, j, reach));
  const farther = points.map((value, i) => (further[i % read.length] as (value: number) => number)(value));
  const ensemble = await createEnsemble(device, problem);
  const valuesAt = async (each: Float64Array) => (await ensemble.evaluate(each)).values;
  const both = async () => {
    const found = await valuesAt(points);
    return { found, far: reach === 1 ? found : await valuesAt(farther) };
  };
  const { found, far } = await both().finally(() => ensemble.release());
  return known.map((at): QuantityInterval => {
    if (isCancelled(cancel)) throw new Cancelled();
    const whole = found.get(at.quantity)!;
    const width = whole.length / Math.max(1, chains * each);
    const seriesOf = (values: Float64Array): Float64Array<ArrayBuffer>[] =>
      Array.from({ length: chains }, (_, c) =>
        Float64Array.from({ length: each }, (__, k) => values[(c * each + k) * width + at.element]!),
      );
    const sortedOf = (all: readonly Float64Array[]): Float64Array =>
      Float64Array.from(all.flatMap((chain) => [...chain])).sort();
    const series = seriesOf(whole);
    const sorted = sortedOf(series);
    const ends = reach === 1 ? sorted : sortedOf(seriesOf(far.get(at.quantity)!));
    // Replicates of what the data do not determine stay near the start, and say nothing.
    const undetermined = chains === 1 && Number.isNaN(at.standardError) && at.held === undefined;
    const isFixed = chains === 1 && hasNoSpread(sorted);
    if (at.why !== undefined || undetermined || isFixed || sorted.length < 2)
      return intervalOf({
        ...at,
        lower: NaN,
        upper: NaN,
        standardError: NaN,
        why: at.why ?? (undetermined ? undefined : isFixed ? NO_SPREAD : 'there are too few draws'),
      });
    const { mean, variance } = momentsOf(series);
    const median = sortedQuantile(sorted, 0.5);
    const interval = intervalOf({
      ...{ quantity: at.quantity, element: at.element },
      value: values ? median : at.value,
      lower: sortedQuantile(ends, (1 - level) / 2),
      upper: sortedQuantile(ends, (1 + level) / 2),
      standardError: Math.sqrt(variance),
      figures: chains === 1 ? { bias: mean - at.value } : { mean, median, ...errorsOf(series), ...mixingOf(series) },
    });
    return { ...interval, series };
  });
}

function errorsOf(series: readonly Float64Array[]): Readonly<Record<'mcseMean' | 'mcseStandardDeviation', number>> {
  const { mean, standardDeviation } = monteCarloErrors(series);
  return { mcseMean: mean, mcseStandardDeviation: standardDeviation };
}
