/**
 * Start values of a shape from data: what it is not linear in by a search that closes in on its best point, the rest by
 * linear least squares at each (variable projection: Golub and Pereyra, SIAM J. Numer. Anal. 10, 1973). No fit, but near
 * enough to one to be told from bad data.
 */
import { ascending } from '../../engine/index.ts';
import type { Points } from './data-range.ts';
import { rangeOf } from './data-range.ts';
import { type Column, evaluator } from './evaluate.ts';
import { project } from './projection.ts';
import type { SearchRange, Shape } from './shape.ts';

export interface Start {
  readonly values: ReadonlyMap<string, number>;
  /** What is minimised: the weighted sum of squares, or minus the sum of the log density. */
  readonly cost: number;
  /** Over so many rows. */
  readonly rows: number;
}

/** More rows say nothing more about a start. */
const mostRows = 80;
/** Points that are tried at first, by how many parameters are searched; and how often and with how many it closes in. */
const first = [1, 120, 300, 500, 700, 900] as const;
const rounds = 6;
const closer = [0, 9, 24, 48, 72, 96] as const;
/** Where no first search has gone before, it closes in with so many times as many. */
const closerNear = 2;
/** How much smaller the searched ranges are in each round. */
const shrink = 0.35;

/** Undefined where there is none: too few points, or none that is finite. `near` is where to look, if that is known. */
export function startValues(shape: Shape, points: Points, near?: ReadonlyMap<string, number>): Start | undefined {
  const names = Object.keys(shape.parameters);
  if (points.x.length <= names.length) return undefined;
  const range = rangeOf(points);
  if (!(range.span > 0)) return undefined;
  const rows = thinned(points);
  const constants = constantsOf(shape, points);
  const searched = names.flatMap((name) => {
    const { start } = shape.parameters[name]!;
    return typeof start === 'string' ? [] : [{ name, range: start(range) }];
  });
  const cost = costOf(shape, rows, constants);
  let axes = searched.map(({ range: { low, high, log } }) => axis(low, high, log));
  if (axes.some(({ low, high }) => !(high >= low))) return undefined;
  let best: Start | undefined;
  let centre: readonly number[] | undefined;
  const theta = new Map<string, number>();
  const attempt = (place: readonly number[]): void => {
    searched.forEach(({ name }, j) => theta.set(name, axes[j]!.log ? Math.exp(place[j]!) : place[j]!));
    const found = cost(theta, best?.cost ?? Infinity);
    if (found) [best, centre] = [found, place];
  };
  if (near)
    attempt(searched.map(({ name }, j) => (axes[j]!.log ? Math.log(near.get(name) ?? 1) : (near.get(name) ?? 0))));
  const dimension = Math.min(axes.length, first.length - 1);
  const each = closer[dimension]! * (near ? closerNear : 1);
  for (let round = near && best ? 1 : 0; round <= (axes.length > 0 ? rounds : 0); round++) {
    for (const place of spread(axes, round === 0 ? Math.max(1, first[dimension]!) : each)) attempt(place);
    if (!centre) return undefined;
    axes = axes.map(({ low, high, log }, j) => {
      // Of one alone, a grid says between which neighbours the best lies.
      const reach = ((high - low) / 2) * (axes.length === 1 ? 2.2 / (round === 0 ? first[1] : each) : shrink);
      return { low: centre![j]! - reach, high: centre![j]! + reach, log };
    });
  }
  return best && shape.meant ? { ...best, values: shape.meant(best.values) } : best;
}

/** The numbers that the data set: a window, a reference temperature. */
export function constantsOf(shape: Shape, points: Pick<Points, 'x' | 'y'>): ReadonlyMap<string, number> {
  const range = rangeOf(points);
  return new Map(Object.entries(shape.constants ?? {}).map(([name, { of }]) => [name, of(range)]));
}

/** The shape at these x. */
export function curveOf(
  shape: Shape,
  x: Float64Array,
  values: ReadonlyMap<string, Column>,
  constants: ReadonlyMap<string, Column>,
): Float64Array {
  return evaluator(shape.formula)(new Map<string, Column>([...constants, ...values, ['x', x]]), x.length);
}

function thinned({ x, y, weights, covariates }: Points): Points {
  if (x.length <= mostRows) return { x, y, weights, covariates };
  const step = x.length / mostRows;
  const rows = Array.from({ length: mostRows }, (_, i) => Math.floor(i * step));
  const order = ascending(x);
  const taken = (values: Float64Array): Float64Array => Float64Array.from(rows, (i) => values[order[i]!]!);
  return {
    ...{ x: taken(x), y: taken(y), weights: taken(weights) },
    covariates: new Map([...covariates].map(([name, values]) => [name, taken(values)])),
  };
}

/** Undefined where it is not less than `below`. What it needs on the way is kept from one to the next. */
type Cost = (theta: ReadonlyMap<string, number>, below: number) => Start | undefined;

function costOf(shape: Shape, { x, y, weights, covariates }: Points, constants: ReadonlyMap<string, number>): Cost {
  const evaluate = evaluator(shape.formula);
  const rows = x.length;
  const at = new Map<string, Column>([...constants, ...covariates, ['x', x]]);
  for (const [name, role] of Object.entries(shape.covariates ?? {}))
    if (role === 'dose' && !at.has(name)) at.set(name, 1);
  const column = (): Float64Array => new Float64Array(rows);
  const offset = column();
  if (shape.density)
    return (theta, below) => {
      for (const [name, value] of theta) at.set(name, value);
      const cost = -evaluate(at, rows, offset).reduce((sum, value) => sum + value, 0);
      return cost < below && cost > -Infinity ? { values: new Map(theta), cost, rows } : undefined;
    };
  const parts = Object.entries(shape.parameters).filter(([, { start }]) => typeof start === 'string');
  /** What takes the parameter out of the formula: 0, or of what stands below a fraction infinity. */
  const none = parts.map(([, { start }]) => (start === 'inverse' ? Infinity : 0));
  parts.forEach(([name], j) => at.set(name, none[j]!));
  const [basis, target] = [parts.map(column), column()];
  return (theta, below) => {
    for (const [name, value] of theta) at.set(name, value);
    evaluate(at, rows, offset);
    parts.forEach(([name], j) => {
      at.set(name, 1);
      evaluate(at, rows, basis[j]);
      at.set(name, none[j]!);
      for (let i = 0; i < rows; i++) basis[j]![i] = (basis[j]![i]! - offset[i]!) * weights[i]!;
    });
    for (let i = 0; i < rows; i++) target[i] = (y[i]! - offset[i]!) * weights[i]!;
    const found = project(basis, target);
    if (!found || !(found.squares < below)) return undefined;
    const linear = parts.map(([name, { start }], j): [string, number] => {
      const value = found.coefficients[j]!;
      return [name, start === 'inverse' ? 1 / value : value];
    });
    const positive = linear.every(([name, value]) => !shape.parameters[name]!.positive || value > 0);
    const values = new Map([...linear, ...theta]);
    return positive && [...values.values()].every(Number.isFinite) ? { values, cost: found.squares, rows } : undefined;
  };
}

const axis = (low: number, high: number, log: boolean): SearchRange =>
  log ? { low: Math.log(low), high: Math.log(high), log } : { low, high, log };

const bases = [2, 3, 5, 7, 11, 13, 17, 19] as const;

/** A grid along one axis; along several a sequence that fills them evenly (Halton, Numer. Math. 2, 1960). */
function* spread(axes: readonly SearchRange[], count: number): Iterable<readonly number[]> {
  for (let i = 0; i < count; i++)
    yield axes.map(({ low, high }, j) => {
      const share = axes.length === 1 ? (count > 1 ? i / (count - 1) : 0.5) : radicalInverse(i + 1, bases[j] ?? 23);
      return low + share * (high - low);
    });
}

function radicalInverse(index: number, base: number): number {
  let [value, digit] = [0, 1 / base];
  for (let rest = index; rest > 0; rest = Math.floor(rest / base), digit /= base) value += (rest % base) * digit;
  return value;
}
