/**
 * Least squares of many rows: Levenberg–Marquardt on the normal equations, of which an iteration is one pass over the
 * data. QR of a stored Jacobian reads and writes its rows · p numbers some p times over; here nothing of the rows' length
 * is kept. Where the data leave a parameter badly determined, the method on the rows has to go on from there.
 */
import { sizeProduct, sizeValue } from '../0-ir/sizes.ts';
import type { Coordinate } from './coordinates.ts';
import { levenbergMarquardt, type Linearise } from './levenberg-marquardt.ts';
import type { Ending, FitProblem, OptimiserOptions } from './problem.ts';
import { factorise, norm, numericalRank } from './qr.ts';

/** Rows times coordinates below which QR takes no longer than a keystroke, and is the more exact. */
const LARGE = 500_000;

/** Coordinates beyond which the p·(p + 1)/2 products of columns outweigh what makes them. */
const FEW = 20;

/** The least diagonal of R, beside the largest, for columns of norm 1: JᵀJ then still has half of its digits. */
const DETERMINED = 1e-4;

/** Whether the normal equations pay. The directions of an array are written out, so its shape must be literal. */
export function isLarge({ program, residuals, sizes }: FitProblem, all: readonly Coordinate[]): boolean {
  const free = new Set(all.map(({ parameter }) => parameter.name));
  const isLiteral = program.parameters.every(
    ({ name, value }) => !free.has(name) || value.type.shape.every((size) => typeof size === 'number'),
  );
  const rows = program.results
    .filter(({ name }) => residuals.includes(name))
    .reduce((total, { value }) => total + sizeValue(sizeProduct(value.type.shape), sizes), 0);
  return isLiteral && all.length <= FEW && rows * all.length >= LARGE;
}

/** `products`: the problem compressed to p + 1 rows; `rows`: as it is. */
export async function largeLeastSquares(
  products: Linearise,
  rows: Linearise,
  all: readonly Coordinate[],
  start: Float64Array,
  options: OptimiserOptions,
): Promise<Ending> {
  const begun = await levenbergMarquardt(products, all, start, options);
  if (begun.status === 'cancelled') return begun;
  if (begun.status === 'converged' && isDetermined((await products(begun.point)).jacobian)) return begun;
  const done = begun.iterations;
  const ended = await levenbergMarquardt(rows, all, begun.point, {
    ...options,
    maxIterations: Math.max(1, options.maxIterations - done),
    // The method that takes over begins where the one before it has ended.
    onIteration: (iteration, energy, point) =>
      iteration === 0 && done > 0 ? undefined : options.onIteration?.(done + iteration, energy, point),
  });
  return { ...ended, iterations: done + ended.iterations, history: [...begun.history, ...ended.history.slice(1)] };
}

function isDetermined(jacobian: readonly Float64Array[]): boolean {
  const scaled = jacobian.map((column) => column.map((value) => value / norm(column)));
  return numericalRank(factorise(scaled, new Float64Array(jacobian.length + 1)), DETERMINED) === jacobian.length;
}
