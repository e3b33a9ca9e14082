/**
 * Quantities q(p) that follow from parameters: what each method says of them. By the covariance
 *
 *   se² = ∇qᵀ·C·∇q   with the exact gradient (the delta method, as R's car::deltaMethod)
 *
 * scaled as for parameters; by profile with q held (quantity-held.ts); by replicates and draws as q of each of them.
 */
import { Cancelled } from '../../0-ir/errors.ts';
import { withoutDeadCode } from '../../1-optimize/dead-code.ts';
import { sizeProduct, sizeValue } from '../../0-ir/sizes.ts';
import type { Device } from '../../5-runtime/device.ts';
import { cholesky, choleskySolve } from '../../6-fit/algebra/cholesky.ts';
import { coordinates, coordinateSlopes } from '../../6-fit/coordinates.ts';
import { batchedLinearisation, batchedQuadratic } from '../../6-fit/ensembles/batched-objective.ts';
import { createEnsemble } from '../../6-fit/ensembles/ensemble.ts';
import { sortedQuantile } from '../../6-fit/ensembles/random.ts';
import { applied } from '../../6-fit/symmetry.ts';
import { slopesByElement, tiesAmong } from '../../6-fit/ties.ts';
import { isCancelled, type FitParameter, type FitProblem } from '../../6-fit/problem.ts';
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
import { asked, linesOf, slopesFrom } from './slopes.ts';
import { followSides, type End } from './profile-sides.ts';
import { answeringBoth, heldQuantity, type WithQuantities } from './quantity-held.ts';
import { besideFit, flatAtFit, type Flat } from './quantity-moves.ts';

/** A program each of whose results is a quantity, a scalar or an array of them. */
export interface QuantityModel extends BandModel {
  /** Of each quantity, the program's parameters and data that it reads. */
  readonly reads: ReadonlyMap<string, ReadonlySet<string>>;
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
  /** Elements that it reads and that are tied, in whose errors they are one. */
  readonly tied?: string;
  /** What it is made of that the data do not determine. */
  readonly loose?: readonly string[];
  /** Its slope is nothing beside how it moves. */
  readonly flat?: Flat | undefined;
  /** No free parameter moves it. */
  readonly constant?: true;
  /** Of random effects that are integrated out. */
  readonly ofEffects?: true;
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
  const lines = await linesOf(fitted, model, device);
  const atPoint = async () => {
    const slopes = await slopesFrom(fitted, lines);
    return { ...slopes, flats: await flatAtFit(fitted, model, slopes, lines) };
  };
  const { values, gradients, flats } = await atPoint().finally(lines.release);
  const elements = elementsOf(model, values.length);
  const free = new Set(fitted.all.map(({ parameter }) => parameter.name));
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
    const reads = model.reads.get(quantity);
    if (told && reads && readsEffects(fitted, reads))
      return { ...known, value: told.values[element]!, standardError: told.errors[element]!, ofEffects: true };
    if (reads && ![...reads].some((name) => free.has(name))) return { ...known, standardError: 0, constant: true };
    if (Number.isNaN(values[row])) return { ...known, standardError: NaN, why: 'it has no value where the fit ended' };
    const flat = flats[row];
    const across = acrossTies(fitted, withoutEdges(fitted, gradient), quantity);
    const { felt, tied = undefined } = flat ? { felt: withoutEdges(fitted, flat.moves) } : across;
    const variance = varianceAlong(felt, covariance);
    const along = Number.isNaN(variance) ? directions?.variance(felt) : undefined;
    const standardError = Math.sqrt(along ?? variance);
    const loose = fitted.names.filter((_, j) => felt[j] !== 0 && Number.isNaN(covariance[j]?.[j]));
    const held = loose.length > 0 && loose.every((name) => isAtBound(fitted, name));
    const edge = held && fitted.all[fitted.names.indexOf(loose[0]!)]?.parameter.edge;
    const ties = held ? tiesAmong(fitted.all, (j) => loose.includes(fitted.names[j]!)) : [];
    const at = ties.length > 0 ? ties.join('; ') : `${listed(loose)} is at a bound`;
    const where = edge === undefined || edge === false ? at : `it is at ${edge}`;
    return {
      // Of what has no slope it is known what moves it, and not how far it goes.
      ...{ ...known, gradient: flat ? gradient : felt, standardError: flat ? NaN : standardError, loose, flat },
      ...(tied !== undefined && { tied }),
      ...(held && { held: where }),
      ...(edge && { atEdge: true }),
    };
  });
}

/**
 * What is tied is one, and has the errors of one: of an element the distances below it that are held at 0 say nothing. What is made of
 * such distances alone is left as it is, and has none. `tied`: what of it is read. A parameter that lies beyond another which is at its
 * own bound has the error that it has there.
 */
function acrossTies(
  fitted: Fitted<StoredFit>,
  gradient: Float64Array,
  quantity: string,
): { readonly felt: Float64Array; readonly tied?: string } {
  const { all, names } = fitted;
  const isTie = all.map(({ parameter }, j) => parameter.ascending === true && isAtBound(fitted, names[j]!));
  const isParameter = all.some(({ parameter }) => parameter.name === quantity);
  const isOthers = ({ name, gap }: FitParameter): boolean => gap === true && isParameter && name !== quantity;
  const isHeld = all.map(({ parameter }, j) => isTie[j]! || (isOthers(parameter) && isAtBound(fitted, names[j]!)));
  const felt = gradient.map((slope, j) => (isHeld[j] ? 0 : slope));
  if (!isHeld.includes(true) || felt.every((slope) => slope === 0)) return { felt: gradient };
  const byElement = slopesByElement(all, gradient);
  const largest = byElement.reduce((most, slope) => Math.max(most, Math.abs(slope)), 0);
  const isRead = (j: number): boolean => Math.abs(byElement[j]!) > NOTHING * largest;
  // Of a run it may be the first or the last that is read.
  const reads = (j: number): boolean => {
    let [from, to] = [j - 1, j];
    while (isTie[from]) from--;
    while (isTie[to + 1]) to++;
    return byElement.subarray(from, to + 1).some((_, k) => isRead(from + k));
  };
  const tied = tiesAmong(all, (j) => isTie[j]! && reads(j));
  return { felt, ...(tied.length > 0 && { tied: tied.join('; ') }) };
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

/** `by`: what tells more, in the words of its choice. */
const withoutSlope = ({ jumps }: Flat, by: string): string =>
  `${jumps ? 'it moves by jumps' : 'its slope is 0 where the fit ended, or nearly'}: ${by}`;

function linearised(
  fitted: Fitted<StoredFit>,
  { value, standardError, held, flat, why = held, ...known }: AtFit,
  level: number,
): QuantityInterval {
  if (known.constant) return constantOf({ value, ...known });
  const half = criticalValue(fitted, level) * standardError;
  if (flat && known.loose?.length === 0)
    why ??= withoutSlope(flat, flat.jumps ? 'the bootstrap tells its interval' : 'its profile tells its interval');
  const interval = intervalOf({ ...known, value, standardError, lower: value - half, upper: value + half, why });
  const { verdict } = interval;
  const words =
    known.tied === undefined || verdict.status === 'none' ? '' : `; ${known.tied}, and have the error of one`;
  return { ...interval, verdict: { ...verdict, reason: verdict.reason + words }, gradient: known.gradient };
}

/** What no free parameter moves is as sure as what is fixed. */
const constantOf = ({ quantity, element, value }: Pick<AtFit, 'quantity' | 'element' | 'value'>): QuantityInterval => ({
  ...{ quantity, element, value, lower: value, upper: value, standardError: 0, figures: {} },
  verdict: { status: 'determined', reason: 'no free parameter moves it' },
});

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
  const both = answeringBoth(energy, await linesOf(fitted, ofParameters(fitted, model), device, options.cancel));
  const own = [...known.keys()].filter((index) => !known[index]!.ofEffects);
  const followed = own.filter((index) => {
    const { why, atEdge, constant, flat } = known[index]!;
    return why === undefined && !atEdge && !constant && !flat?.jumps;
  });
  try {
    const scales = await scalesOf(fitted, known, device);
    const exchanges = await exchangesOf(fitted, device, options.cancel);
    const images = exchanges.map((symmetry) => applied(symmetry, fitted.point));
    const held = followed.map((index) => {
      const { value, standardError, flat } = known[index]!;
      const about = flat ? besideFit(fitted, flat) : [];
      return [
        all.length + index,
        heldQuantity(fitted, {
          ...{ index: own.indexOf(index), value, scale: scales[index]!, images: [...images, ...about] },
          standardError: flat ? Math.max(...flat.moves) / 2 : standardError,
        }),
      ] as const;
    });
    const sides = await followSides<WithQuantities>(fitted, new Map(held), both.at, options);
    return known.map((each, index) => {
      const [below, above] = sides[followed.indexOf(index)] ?? [];
      if (below && above) return sidesInterval(each, below, above);
      const interval = linearised(fitted, each, options.level);
      // Held, it would be one of the parameters alone.
      return each.ofEffects ? withNote(interval, 'by the covariance, for its effects are integrated out') : interval;
    });
  } finally {
    both.release();
  }
}

/** The model of those quantities that no random effect moves. */
function ofParameters(fitted: Fitted<StoredFit>, model: QuantityModel): QuantityModel {
  const told = model.program.results.filter(({ name }) => !readsEffects(fitted, model.reads.get(name)!));
  if (told.length === model.program.results.length) return model;
  const program = withoutDeadCode({ ...model.program, results: told });
  const read = new Set(told.flatMap(({ name }) => [...model.reads.get(name)!]));
  const parameters = program.parameters.filter(({ name }) => read.has(name));
  const data = new Map([...model.data].filter(([name]) => read.has(name)));
  return { ...model, program: { ...program, parameters }, data };
}

const withNote = (interval: QuantityInterval, note: string): QuantityInterval => {
  const { status, reason } = interval.verdict;
  return { ...interval, verdict: { status, reason: `${reason}; ${note}` } };
};

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
  return known.map(({ gradient, standardError, flat }) => {
    // Where it has no slope, as the element that moves it furthest.
    const furthest = flat && flat.moves.indexOf(Math.max(...flat.moves));
    const along = furthest === undefined ? gradient : gradient.map((_, j) => (j === furthest ? 1 : 0));
    const slopes = along.map((g, j) => g * coordinateSlopes(all[j]!, point[j]!)[0]);
    const spread = factor ? dot(slopes, choleskySolve(factor, slopes)) : NaN;
    return (2 * spread) / (furthest === undefined ? standardError : fitted.errors[furthest]!) ** 2;
  });
}

/** Of the distance from the fit: an end of a range that is so near 0 is 0. */
const NEAR_ZERO = 1e-3;

function sidesInterval({ why: _, ...known }: AtFit, below: End, above: End): QuantityInterval {
  const width = above.u - below.u;
  const endOf = ({ u, kind }: End): number =>
    kind === 'bound' && Math.abs(u) <= NEAR_ZERO * (Math.abs(known.value - u) || width) ? 0 : u;
  const [lower, upper] = [endOf(below), endOf(above)];
  const ends = [below.kind, above.kind];
  const why = ends.includes('edge')
    ? 'the model has no value before the data exclude one'
    : ends.includes('jump')
      ? 'the objective jumps where it should cross the limit, and such an end is not known'
      : undefined;
  const interval = intervalOf({ ...known, lower, upper, why });
  const [around] = [below, above].flatMap((end) => end.around ?? []);
  if (around !== undefined && (lower > around || upper < around))
    return withNote(
      interval,
      `it goes on beyond infinity: what lies there, as ${short(around)}, is not excluded either`,
    );
  // Of one that stays where it is, all that it can be is one value.
  if (!ends.includes('bound') || lower === upper) return interval;
  if (ends.every((kind) => kind === 'bound' || kind === 'infinite'))
    return {
      ...interval,
      verdict: { status: 'none', reason: 'not determined: no value that it can take is excluded' },
    };
  const [side, end] = below.kind === 'bound' ? ['down to the least', lower] : ['up to the most', upper];
  const reason = `not excluded ${side} that it can be, ${short(end)}`;
  return { ...interval, verdict: { status: 'one-sided', reason } };
}

const short = (value: number): string => String(Number(value.toPrecision(4)));

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
      Float64Array.from(all.flatMap((chain) => [...chain].filter((value) => !Number.isNaN(value)))).sort();
    const series = seriesOf(whole);
    const sorted = sortedOf(series);
    const ends = reach === 1 ? sorted : sortedOf(seriesOf(far.get(at.quantity)!));
    if (at.constant) return constantOf(at);
    // Replicates have other groups, or others' effects: what these groups are is not drawn.
    if (at.ofEffects && chains === 1)
      return withNote(linearised(fitted, at, level), 'by the covariance, for replicates draw other effects');
    const isFlat = at.flat !== undefined && at.loose?.length === 0;
    // Replicates of what the data do not determine stay near the start, and say nothing.
    const undetermined = chains === 1 && Number.isNaN(at.standardError) && at.held === undefined && !isFlat;
    const isFixed = chains === 1 && hasNoSpread(sorted);
    const missing = 1 - ends.length / Math.max(1, chains * each);
    const none = `it has no value in ${Number((100 * missing).toPrecision(2))} % of the ${values ? 'draws' : 'replicates'}`;
    const why =
      at.why ??
      (undetermined ? undefined : missing > (1 - level) / 2 ? none : isFixed ? NO_SPREAD : 'there are too few draws');
    if (at.why !== undefined || undetermined || isFixed || sorted.length < 2 || missing > (1 - level) / 2)
      return intervalOf({ ...at, lower: NaN, upper: NaN, standardError: NaN, why });
    const { mean, variance } = momentsOf(series.map((chain) => chain.filter((value) => !Number.isNaN(value))));
    const median = sortedQuantile(sorted, 0.5);
    // Those without a value may lie beyond either end.
    const tail = (1 - level) / 2 - missing;
    const share = tail / (1 - missing);
    const interval = intervalOf({
      ...{ quantity: at.quantity, element: at.element },
      value: values ? median : at.value,
      lower: sortedQuantile(ends, share),
      upper: sortedQuantile(ends, 1 - share),
      standardError: Math.sqrt(variance),
      figures: chains === 1 ? { bias: mean - at.value } : { mean, median, ...errorsOf(series), ...mixingOf(series) },
    });
    const told = missing > 0 ? withNote(interval, none) : interval;
    return { ...told, series };
  });
}

function errorsOf(series: readonly Float64Array[]): Readonly<Record<'mcseMean' | 'mcseStandardDeviation', number>> {
  const { mean, standardDeviation } = monteCarloErrors(series);
  return { mcseMean: mean, mcseStandardDeviation: standardDeviation };
}
