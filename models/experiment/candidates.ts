/**
 * Which shapes a table's readings could have, with start values: those of the library that suit the data, the best first
 * by Schwarz's criterion at their start values. A fit decides among them.
 */
import { rangeOf, type Points } from '../library/data-range.ts';
import { comesFirst, library } from '../library/index.ts';
import type { DataRange, Shape } from '../library/shape.ts';
import { constantsOf, startValues, type Start } from '../library/start-values.ts';
import type { Readings } from './readings.ts';
import { contradicts, namesOf, relevanceOf, saysSomething } from './relevance.ts';

export interface Candidate {
  readonly shape: Shape;
  /** By group, or one for all. */
  readonly starts: readonly Start[];
  /** Subtracted from x, where x is far from 0 and nothing depends on where it begins. */
  readonly origin: number;
  readonly constants: ReadonlyMap<string, number>;
  /** How near its field is to the names of the columns. */
  readonly relevance: number;
  /** Of a mechanism, or of a kind of x, that the columns speak of another than. */
  readonly strange: boolean;
}

/** Shapes of which start values are found in every group: the best in the largest. */
const mostScreened = 18;
/** Of the candidates so many may be shapes that the columns contradict. */
const strangersShare = 0.4;
/** More than any field is nearer than another. */
const unnamed = 10;
/** Far from zero: so many spans away. */
const far = 3;

/** Throws nothing: a table that no shape suits has no candidate. `only` asks for one shape, whether it suits or not. */
export function candidatesOf(readings: Readings, most: number, only?: Shape): Candidate[] {
  const groups = pointsOf(readings);
  const whole = rangeOfAll(groups);
  if (!(whole.span > 0)) return [];
  const [nearness, named, isContradicted] = [relevanceOf(readings), namesOf(readings), contradicts(readings)];
  const isUnnamed = ({ narrow, field }: Shape): boolean => narrow === true && named(field) === 0;
  /** Of one curve under two names the mechanism is meant only where it is spoken of. */
  const relevance = (shape: Shape): number => nearness(shape.field) - (isUnnamed(shape) ? unnamed : 0);
  const isStrange = (shape: Shape): boolean =>
    isContradicted(shape.field) || (isUnnamed(shape) && saysSomething(readings));
  const origin = Math.abs(whole.low) > far * whole.span ? whole.low : 0;
  const largest = groups.reduce((most, points, g) => (points.x.length > groups[most]!.x.length ? g : most), 0);
  const asked = only ? [only] : library.filter((shape) => suits(shape, readings, whole));
  const suited = asked.flatMap((shape) => (shape.density && readings.above ? (withCensored(shape) ?? []) : shape));
  const screened = suited.flatMap((shape) => {
    const moved = shape.shifts && origin !== 0 ? groups.map((points) => shifted(points, origin)) : groups;
    const start = startValues(shape, moved[largest]!);
    return start ? [{ shape, moved, start, criterion: criterionOf(shape, start, moved[largest]!) }] : [];
  });
  screened.sort((a, b) => a.criterion - b.criterion);
  const suitable = distinct(screened, ({ shape }) => relevance(shape)).slice(0, mostScreened);
  // What the columns speak against leaves room for what they could mean.
  const strange = suitable.filter(({ shape }) => isStrange(shape)).slice(0, Math.floor(strangersShare * most));
  return suitable
    .filter((each) => !isStrange(each.shape) || strange.includes(each))
    .slice(0, most)
    .map(({ shape, moved, start }) => ({
      shape,
      origin: moved === groups ? 0 : origin,
      starts: moved.map((points, g) => (g === largest ? start : (startValues(shape, points, start.values) ?? start))),
      constants: constantsOf(shape, together(groups)),
      relevance: relevance(shape),
      strange: only === undefined && isStrange(shape),
    }));
}

/** A 0 or a 1 for each time: whether it ended before what was waited for. */
export const censoredName = 'censored';

/** Of a time that has not ended the probability that it goes on; undefined where that has no formula. */
function withCensored(shape: Shape): Shape | undefined {
  const { beyond, formula, covariates } = shape;
  if (beyond === undefined) return undefined;
  const both = `if(${censoredName} > 0, ${beyond}, ${formula})`;
  return { ...shape, formula: both, covariates: { ...covariates, [censoredName]: 'censored' } };
}

/** Rows that count, by group. */
export function pointsOf(readings: Readings): Points[] {
  const { x, y, sigma, weight, trials, above, group, excluded, dose, condition, controls } = readings;
  const count = group?.labels.length ?? 1;
  const per = controls ? 100 / Math.abs(controls.full - controls.zero) : 1;
  const rowsOf = Array.from({ length: count }, (): number[] => []);
  for (let i = 0; i < y.values.length; i++) if (!excluded.has(i)) rowsOf[group ? group.of[i]! : 0]!.push(i);
  return rowsOf.map((rows) => {
    const taken = (values: Float64Array): Float64Array => Float64Array.from(rows, (i) => values[i]!);
    const weights = Float64Array.from(rows, (i) =>
      sigma ? 1 / (per * sigma.values[i]!) : weight || trials ? Math.sqrt((weight ?? trials)!.values[i]!) : 1,
    );
    const covariates = [
      ...(dose ? [['dose', taken(dose.values)] as const] : []),
      ...(condition ? [['I', taken(condition.values)] as const] : []),
      ...(above ? [[censoredName, taken(above.values).map((limit) => Number(!Number.isNaN(limit)))] as const] : []),
    ];
    return { x: taken((x ?? y).values), y: taken(y.values), weights, covariates: new Map(covariates) };
  });
}

function together(groups: readonly Points[]): Pick<Points, 'x' | 'y'> {
  const joined = (key: 'x' | 'y'): Float64Array => Float64Array.from(groups.flatMap((points) => [...points[key]]));
  return { x: joined('x'), y: joined('y') };
}

/** Of all groups, but for the trend, which is that within them. */
function rangeOfAll(groups: readonly Points[]): DataRange {
  const trends = groups.filter(({ x }) => x.length > 2).map((points) => rangeOf(points).trend);
  const trend = trends.reduce((sum, each) => sum + each, 0) / Math.max(1, trends.length);
  return { ...rangeOf(together(groups)), trend };
}

function suits(shape: Shape, { x, trials, condition }: Readings, range: DataRange): boolean {
  if ((shape.proportion === true) !== (trials !== undefined)) return false;
  if ((shape.density === true) !== (x === undefined)) return false;
  const lacksCondition = Object.values(shape.covariates ?? {}).includes('condition') && !condition;
  return !lacksCondition && (shape.suits?.(range) ?? true);
}

const shifted = (points: Points, origin: number): Points => ({ ...points, x: points.x.map((value) => value - origin) });

/**
 * n log(SSR/n) + p log n, of a density twice its cost. SSR has a floor of one in 10¹² of the data's own squares: beyond
 * that nothing is gained, and the plainer shape is meant.
 */
function criterionOf(shape: Shape, { cost }: Start, { y, weights }: Points): number {
  const [n, p] = [y.length, Object.keys(shape.parameters).length];
  if (shape.density) return 2 * cost + p * Math.log(n);
  const own = y.reduce((sum, value, i) => sum + (value * weights[i]!) ** 2, 0);
  return n * Math.log(Math.max(cost, 1e-12 * own, Number.MIN_VALUE) / n) + p * Math.log(n);
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
