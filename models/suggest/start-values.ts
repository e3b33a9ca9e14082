/**
 * Start values of a shape from data: θ by a grid that closes in on its best point, the coefficients by linear least
 * squares at each. No fit, but near enough to one to be told from bad data.
 */
import type { DataRange, Shape } from './shape.ts';

export interface Points {
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** 1/σ. */
  readonly weights: readonly number[];
}

export interface Start {
  /** Coefficients, then θ. */
  readonly values: readonly number[];
  /** Weighted sum of squares. */
  readonly squares: number;
}

/** Steps of the first grid along each of one or two θ, and how often it closes in. */
const steps = { 1: 160, 2: 28 } as const;
const rounds = 5;
const closer = 9;

export function rangeOf({ x }: Points): DataRange {
  const low = x.reduce((a, b) => Math.min(a, b), Infinity);
  const high = x.reduce((a, b) => Math.max(a, b), -Infinity);
  return { low, high, span: high - low, places: new Set(x).size };
}

/** Undefined where there is none: too few points, or none that are finite. */
export function startValues(shape: Shape, points: Points, range: DataRange): Start | undefined {
  const count = shape.coefficients.length + shape.nonlinear.length;
  if (points.x.length <= count || !(range.span > 0) || shape.suits?.(range) === false) return undefined;
  let axes = shape.nonlinear.map((each) => {
    const { low, high, log } = each.range(range);
    return { log, low: log ? Math.log(low) : low, high: log ? Math.log(high) : high };
  });
  let best = project(shape, points, []);
  const dimension = axes.length === 2 ? 2 : 1;
  for (let round = 0; axes.length > 0 && round <= rounds; round++) {
    const along = round === 0 ? steps[dimension] : closer;
    let at: readonly number[] | undefined;
    for (const place of grid(axes, along)) {
      const found = project(
        shape,
        points,
        place.map((value, j) => (axes[j]?.log ? Math.exp(value) : value)),
      );
      if (found && (!best || found.squares < best.squares)) [best, at] = [found, place];
    }
    axes = axes.map(({ log, low, high }, j) => {
      const reach = (high - low) / (along - 1);
      const centre = at?.[j] ?? centreOf(best, shape, j, log);
      return { log, low: centre - reach, high: centre + reach };
    });
  }
  return best;
}

/** Where the best point lies, for a round that has found no better. */
function centreOf(best: Start | undefined, shape: Shape, j: number, log: boolean): number {
  const value = best?.values[shape.coefficients.length + j] ?? NaN;
  return log ? Math.log(value) : value;
}

function* grid(axes: readonly { low: number; high: number }[], along: number): Iterable<readonly number[]> {
  const [first, second] = axes as [(typeof axes)[0], (typeof axes)[0] | undefined];
  const at = ({ low, high }: { low: number; high: number }, i: number): number =>
    low + ((high - low) * i) / (along - 1);
  for (let i = 0; i < along; i++)
    if (second) for (let j = 0; j < along; j++) yield [at(first, i), at(second, j)];
    else yield [at(first, i)];
}

/** The best coefficients for θ, by modified Gram–Schmidt. Undefined where the basis is dependent or not finite. */
function project(shape: Shape, { x, y, weights }: Points, theta: readonly number[]): Start | undefined {
  if (shape.nonlinear.length !== theta.length) return undefined;
  const count = shape.coefficients.length;
  const columns = Array.from({ length: count }, () => new Array<number>(x.length));
  for (const [i, at] of x.entries()) {
    const values = shape.basis(at, theta);
    for (let j = 0; j < count; j++) columns[j]![i] = (values[j] as number) * (weights[i] as number);
  }
  const rest = y.map((value, i) => value * (weights[i] as number));
  const r = columns.map(() => new Array<number>(count).fill(0));
  const along = new Array<number>(count).fill(0);
  for (const [j, column] of columns.entries()) {
    const before = norm(column);
    for (let k = 0; k < j; k++) r[k]![j] = takeOut(column, columns[k]!);
    const after = norm(column);
    if (!(after > 1e-9 * before) || !Number.isFinite(before)) return undefined;
    for (let i = 0; i < column.length; i++) column[i]! /= after;
    r[j]![j] = after;
    along[j] = takeOut(rest, column);
  }
  const coefficients = new Array<number>(count).fill(0);
  for (let j = count - 1; j >= 0; j--) {
    let value = along[j]!;
    for (let k = j + 1; k < count; k++) value -= r[j]![k]! * coefficients[k]!;
    coefficients[j] = value / r[j]![j]!;
  }
  const squares = norm(rest) ** 2;
  const values = [...coefficients, ...theta];
  return values.every(Number.isFinite) && Number.isFinite(squares) ? { values, squares } : undefined;
}

function norm(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
}

/** Takes what lies along the unit vector `unit` out of `values`, and gives how much it was. */
function takeOut(values: number[], unit: readonly number[]): number {
  let share = 0;
  for (let i = 0; i < values.length; i++) share += values[i]! * unit[i]!;
  for (let i = 0; i < values.length; i++) values[i]! -= share * unit[i]!;
  return share;
}
