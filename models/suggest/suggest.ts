/** Which shapes explain y over x best, with start values: what a first model is made of. */
import type { Shape } from './shape.ts';
import { shapes } from './shapes.ts';
import { rangeOf, startValues, type Points, type Start } from './start-values.ts';

export interface Suggestion {
  readonly name: string;
  readonly title: string;
  /** In which `{x}` stands for the abscissa and `{k}` for the parameter k. */
  readonly formula: string;
  readonly parameters: readonly { readonly name: string; readonly initial: number }[];
  /** The shape at `grid`, with these start values. */
  readonly curve: readonly number[];
}

export interface Suggestions {
  /** The best first; a line at least, where there are two different x. */
  readonly shapes: readonly Suggestion[];
  /** Some of the rows, in the order of x. */
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly grid: readonly number[];
}

/** More points say nothing more about a start. */
const mostPoints = 400;
const gridPoints = 121;
/** Digits of a start value. */
const digits = 4;

/** `sigma` may hold NaN, as may the others: such rows are left out. */
export function suggest(x: ArrayLike<number>, y: ArrayLike<number>, sigma?: ArrayLike<number>): Suggestions {
  const points = choosePoints(x, y, sigma);
  const range = rangeOf(points);
  // Far from zero, exponentials of x itself would leave the numbers; they begin at the first x instead.
  const origin = Math.abs(range.low) > 3 * range.span ? range.low : 0;
  const shifted = { ...points, x: points.x.map((value) => value - origin) };
  const moved = rangeOf(shifted);
  const tried = shapes.flatMap((shape) => {
    const start = startValues(shape, shifted, moved);
    return start ? [{ shape, start, criterion: informationOf(shape, start, shifted) }] : [];
  });
  tried.sort((a, b) => a.criterion - b.criterion);
  const grid = Array.from({ length: gridPoints }, (_, i) => range.low + (range.span * i) / (gridPoints - 1));
  return {
    shapes: tried.map(({ shape, start }) => suggestion(shape, start, grid, origin)),
    x: points.x,
    y: points.y,
    grid: range.span > 0 ? grid : [],
  };
}

/** Rows that have both, evenly spaced among all, in the order of x. */
function choosePoints(x: ArrayLike<number>, y: ArrayLike<number>, sigma: ArrayLike<number> | undefined): Points {
  const rows: number[] = [];
  for (let i = 0; i < x.length; i++) {
    const weight = sigma === undefined ? 1 : 1 / (sigma[i] as number);
    if (Number.isFinite(x[i]) && Number.isFinite(y[i]) && Number.isFinite(weight)) rows.push(i);
  }
  const step = Math.max(1, rows.length / mostPoints);
  const chosen = Array.from(
    { length: Math.min(rows.length, mostPoints) },
    (_, k) => rows[Math.floor(k * step)] as number,
  );
  chosen.sort((a, b) => (x[a] as number) - (x[b] as number));
  return {
    x: chosen.map((i) => x[i] as number),
    y: chosen.map((i) => y[i] as number),
    weights: chosen.map((i) => (sigma === undefined ? 1 : 1 / (sigma[i] as number))),
  };
}

/**
 * Schwarz's criterion, n log(SSR/n) + p log n, and 2p more: a first model is a plain one. SSR has a floor of one in 10⁸ of the data's own squares: beyond that
 * nothing is gained, and the plainer shape is meant.
 */
function informationOf(shape: Shape, { squares }: Start, { y, weights }: Points): number {
  const n = y.length;
  const whole = y.reduce((sum, value, i) => sum + (value * (weights[i] as number)) ** 2, 0);
  const parameters = shape.coefficients.length + shape.nonlinear.length;
  return n * Math.log(Math.max(squares, 1e-8 * whole, Number.MIN_VALUE) / n) + parameters * (Math.log(n) + 2);
}

function suggestion(shape: Shape, { values }: Start, grid: readonly number[], origin: number): Suggestion {
  const names = [...shape.coefficients, ...shape.nonlinear.map(({ name }) => name)];
  const rounded = values.map((value) => Number(value.toPrecision(digits)));
  const theta = rounded.slice(shape.coefficients.length);
  const curve = grid.map((x) =>
    shape.basis(x - origin, theta).reduce((sum, value, j) => sum + value * (rounded[j] as number), 0),
  );
  const formula = origin === 0 ? shape.formula : shape.formula.replaceAll('{x}', `({x} - ${origin})`);
  return {
    name: shape.name,
    title: shape.title,
    formula,
    parameters: names.map((name, j) => ({ name, initial: rounded[j] as number })),
    curve,
  };
}
