/**
 * Which shapes a table's readings could have, with start values: those of the library that suit the data, the best first
 * by Schwarz's criterion at their start values. A fit decides among them.
 */
import { rangeOf, type Points } from '../library/data-range.ts';
import { comesFirst, library } from '../library/index.ts';
import type { DataRange, Shape } from '../library/shape.ts';
import { constantsOf, curveOf, startValues, type Start } from '../library/start-values.ts';
import { deviance, possibleNoises, spansDecades, weightUnder } from './noise.ts';
import type { Readings } from './readings.ts';
import { contradicts, namesOf, relevanceOf, saysSomething } from './relevance.ts';
import type { Noise } from './roles.ts';

export interface Candidate {
  readonly shape: Shape;
  /** By group, or one for all. */
  readonly starts: readonly Start[];
  /** Subtracted from x, where x is far from 0 and nothing depends on where it begins. */
  readonly origin: number;
  readonly constants: ReadonlyMap<string, number>;
  /** How the readings scatter about it. */
  readonly noise: Noise;
  /** How near its field is to the names of the columns. */
  readonly relevance: number;
  /** Of a mechanism, or of a kind of x, that the columns speak of another than. */
  readonly strange: boolean;
}

/** Shapes of which start values are found in every group: the best in the largest. */
const mostScreened = 18;
/** Under another noise as many of the best are tried. */
const mostCompared = 24;
/** Of the candidates so many may be shapes that the columns contradict. */
const strangersShare = 0.4;
/** More than any field is nearer than another. */
const unnamed = 10;
/** Far from zero: so many spans away. */
const far = 3;

/**
 * By noise, the usual one first. Throws nothing: a table that no shape suits has no candidate. `only` asks for one shape,
 * whether it suits or not.
 */
export function candidatesOf(readings: Readings, most: number, only?: Shape): Candidate[][] {
  const groups = pointsOf(readings);
  // Each group has a curve of its own at first: none has more readings than the largest.
  const rows = groups.reduce((most, { y }) => Math.max(most, y.length), 0);
  const whole = { ...rangeOfAll(groups), rows };
  if (!(whole.span > 0)) return [];
  const [usual, ...others] = possibleNoises(readings);
  const [named, isContradicted] = [namesOf(readings), contradicts(readings)];
  const isOutOfPlace = (shape: Shape): boolean =>
    shape.narrow === true && named(shape.field) === 0 && isContradicted(shape);
  const able = library.filter((shape) => suits(shape, readings, whole) && !isOutOfPlace(shape));
  const first = screened(readings, usual, only ? [only] : able);
  // What is far off under one noise is not meant under another, unless squares see but the largest readings.
  const best = first.shapes.slice(0, mostCompared).map(({ shape }) => shape);
  const near = only ? [only] : spansDecades(readings.y.values) ? able : best;
  const screenings = [first, ...others.map((noise) => screened(readings, noise, near))];
  return screenings.map((screening) => chosen(readings, screening, most, only));
}

interface Screened {
  readonly shape: Shape;
  /** By group, counted from where x begins. */
  readonly moved: readonly Points[];
  readonly start: Start;
  readonly criterion: number;
}

/** Shapes under one noise, the best first. */
interface Screening {
  readonly noise: Noise;
  readonly groups: readonly Points[];
  readonly origin: number;
  /** The group of most readings. */
  readonly largest: number;
  readonly shapes: readonly Screened[];
}

/** In every group, found near the start of the largest. */
const startsIn = (shape: Shape, groups: readonly Points[], start: Start, largest: number): Start[] =>
  groups.map((points, g) => (g === largest ? start : (startValues(shape, points, start.values) ?? start)));

function screened(readings: Readings, noise: Noise, among: readonly Shape[]): Screening {
  const groups = pointsOf(readings, noise);
  const { low, span } = rangeOfAll(groups);
  const origin = Math.abs(low) > far * span ? low : 0;
  const largest = groups.reduce((most, points, g) => (points.x.length > groups[most]!.x.length ? g : most), 0);
  const suited = among.flatMap((shape) =>
    shape.density && (readings.above ?? readings.below) ? (withCensored(shape, readings) ?? []) : shape,
  );
  const shapes = suited.flatMap((shape) => {
    const moved = shape.shifts && origin !== 0 ? groups.map((points) => shifted(points, origin)) : groups;
    const start = startValues(shape, moved[largest]!);
    const criterion = start ? criterionOf(shape, start, moved[largest]!, noise) : Infinity;
    return start && criterion < Infinity ? [{ shape, moved, start, criterion }] : [];
  });
  shapes.sort((a, b) => a.criterion - b.criterion);
  return { noise, groups, origin, largest, shapes };
}

function chosen(
  readings: Readings,
  { noise, groups, origin, largest, shapes }: Screening,
  most: number,
  only: Shape | undefined,
): Candidate[] {
  const [nearness, named, isContradicted] = [relevanceOf(readings), namesOf(readings), contradicts(readings)];
  const isUnnamed = ({ narrow, field }: Shape): boolean => narrow === true && named(field) === 0;
  /** Of one curve under two names the mechanism is meant only where it is spoken of. */
  const relevance = (shape: Shape): number => nearness(shape) - (isUnnamed(shape) ? unnamed : 0);
  const isStrange = (shape: Shape): boolean => isContradicted(shape) || (isUnnamed(shape) && saysSomething(readings));
  const suitable = distinct(shapes, ({ shape }) => relevance(shape))
    .slice(0, mostScreened)
    .map(({ shape, moved, start }): Candidate => ({
      shape,
      origin: moved === groups ? 0 : origin,
      starts: startsIn(shape, moved, start, largest),
      constants: constantsOf(shape, together(groups)),
      noise,
      relevance: relevance(shape),
      strange: only === undefined && isStrange(shape),
    }));
  const inOrder = groups.length > 1 ? byCriterion(readings, suitable) : suitable;
  // What the columns speak against leaves room for what they could mean.
  const strange = inOrder.filter((each) => each.strange).slice(0, Math.floor(strangersShare * most));
  return inOrder.filter((each) => !each.strange || strange.includes(each)).slice(0, most);
}

/** What is the best in the largest group need not be so in all of them together. */
function byCriterion(readings: Readings, candidates: readonly Candidate[]): Candidate[] {
  const rows = usedRows(readings);
  const criterion = (each: Candidate): number =>
    devianceAtStart(readings, each) + countOf(readings, each) * Math.log(rows);
  const known = new Map(candidates.map((each) => [each, criterion(each)]));
  return [...candidates].sort((a, b) => known.get(a)! - known.get(b)!);
}

/**
 * AICc at the starts, an estimated σ counted; infinite where the groups have too few readings. Of few readings in each group
 * a shape of many parameters meets nearly all, under any noise: Schwarz's criterion does not see that.
 */
export function aiccAtStart(readings: Readings, candidate: Candidate): number {
  const [n, k] = [usedRows(readings), countOf(readings, candidate) + 1];
  return n > k + 1 ? devianceAtStart(readings, candidate) + 2 * k + (2 * k * (k + 1)) / (n - k - 1) : Infinity;
}

const usedRows = ({ y, excluded }: Readings): number => y.values.length - excluded.size;

/** All of them each group's own. */
const countOf = ({ group }: Readings, { shape }: Candidate): number =>
  Object.keys(shape.parameters).length * (group?.labels.length ?? 1);

function devianceAtStart(readings: Readings, { shape, starts, origin, noise }: Candidate): number {
  const groups = pointsOf(readings, noise).map((points) => (origin === 0 ? points : shifted(points, origin)));
  const curves = groups.map((points, g) => startCurve(shape, starts[g]!, points));
  const [y, weights] = [joined(groups, 'y'), joined(groups, 'weights')];
  return deviance(noise, y, Float64Array.from(curves.flatMap((curve) => [...curve])), weights);
}

/** For each value 0, or 1 where it is known to lie above what stands there (a time that has not ended), or −1 for below. */
export const censoredName = 'censored';

/** Of a censored value the probability of what is known; undefined where that has no formula. */
function withCensored(shape: Shape, { above, below }: Pick<Readings, 'above' | 'below'>): Shape | undefined {
  const { beyond, formula, covariates } = shape;
  if (beyond === undefined) return undefined;
  const orAbove = above ? `if(${censoredName} > 0, ${beyond}, ${formula})` : formula;
  const all = below ? `if(${censoredName} < 0, log(-expm1(${beyond})), ${orAbove})` : orAbove;
  return { ...shape, formula: all, covariates: { ...covariates, [censoredName]: 'censored' } };
}

/** The marks of readings, undefined where none is censored. */
export function marksOf({ above, below, y }: Pick<Readings, 'above' | 'below' | 'y'>): Float64Array | undefined {
  if (!above && !below) return undefined;
  const isAt = (limits: Readings['above'], i: number): number =>
    Number(limits !== undefined && !Number.isNaN(limits.values[i]));
  return Float64Array.from(y.values, (_, i) => isAt(above, i) - isAt(below, i));
}

/** Rows that count, by group, with the weights that they have where they scatter so. */
export function pointsOf(readings: Readings, noise: Noise = 'constant'): Points[] {
  const { x, y, sigma, weight, trials, group, excluded, dose, condition, controls } = readings;
  const marks = marksOf(readings);
  const count = group?.labels.length ?? 1;
  const per = controls ? 100 / Math.abs(controls.full - controls.zero) : 1;
  const rowsOf = Array.from({ length: count }, (): number[] => []);
  for (let i = 0; i < y.values.length; i++) if (!excluded.has(i)) rowsOf[group ? group.of[i]! : 0]!.push(i);
  return rowsOf.map((rows) => {
    const taken = (values: Float64Array): Float64Array => Float64Array.from(rows, (i) => values[i]!);
    const weights = Float64Array.from(rows, (i) =>
      sigma
        ? 1 / (per * sigma.values[i]!)
        : weight || trials
          ? Math.sqrt((weight ?? trials)!.values[i]!)
          : weightUnder(noise, y.values[i]!),
    );
    const covariates = [
      ...(dose ? [['dose', taken(dose.values)] as const] : []),
      ...(condition ? [['I', taken(condition.values)] as const] : []),
      ...(marks ? [[censoredName, taken(marks)] as const] : []),
    ];
    return { x: taken((x ?? y).values), y: taken(y.values), weights, covariates: new Map(covariates) };
  });
}

const together = (groups: readonly Points[]): Pick<Points, 'x' | 'y'> => ({
  x: joined(groups, 'x'),
  y: joined(groups, 'y'),
});

const joined = (groups: readonly Points[], key: 'x' | 'y' | 'weights'): Float64Array =>
  Float64Array.from(groups.flatMap((points) => [...points[key]]));

/** Of all groups, but for the trend, which is that within them. */
function rangeOfAll(groups: readonly Points[]): DataRange {
  const trends = groups.filter(({ x }) => x.length > 2).map((points) => rangeOf(points).trend);
  const trend = trends.reduce((sum, each) => sum + each, 0) / Math.max(1, trends.length);
  return { ...rangeOf(together(groups)), trend };
}

function suits(shape: Shape, { x, trials, condition }: Readings, range: DataRange): boolean {
  if ((shape.proportion === true) !== (trials !== undefined)) return false;
  if ((shape.density === true) !== (x === undefined)) return false;
  // Total and nonspecific binding side by side are no plain curve.
  if ((shape.marked === true) !== (condition?.marks === true)) return false;
  const lacksCondition = Object.values(shape.covariates ?? {}).includes('condition') && !condition;
  return !lacksCondition && (shape.suits?.(range) ?? true);
}

const shifted = (points: Points, origin: number): Points => ({ ...points, x: points.x.map((value) => value - origin) });

/** What `deviance` says of the shape at its start, of a density twice its cost, and p log n. */
function criterionOf(shape: Shape, start: Start, points: Points, noise: Noise): number {
  const penalty = Object.keys(shape.parameters).length * Math.log(points.y.length);
  if (shape.density) return 2 * start.cost + penalty;
  return deviance(noise, points.y, startCurve(shape, start, points), points.weights) + penalty;
}

function startCurve(shape: Shape, { values }: Start, points: Points): Float64Array {
  const { x, covariates } = points;
  const known = new Map<string, number | Float64Array>([['dose', 1], ...constantsOf(shape, points), ...covariates]);
  return curveOf(shape, x, values, known);
}

/** Of shapes that are one curve under several names, the one whose field is nearest. */
function distinct<T extends { readonly shape: Shape; readonly criterion: number }>(
  found: readonly T[],
  relevance: (each: T) => number,
): T[] {
  const isSame = (a: T, b: T): boolean =>
    Math.abs(a.criterion - b.criterion) < 1e-3 * (1 + 1e-3 * Math.abs(a.criterion)) &&
    Object.keys(a.shape.parameters).length === Object.keys(b.shape.parameters).length;
  return found.filter(
    (each, i) =>
      !found.some((other, j) => {
        if (i === j || !isSame(each, other)) return false;
        const [own, its] = [relevance(each), relevance(other)];
        return its > own || (its === own && comesFirst(other.shape, each.shape));
      }),
  );
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}
