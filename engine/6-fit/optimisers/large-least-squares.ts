/**
 * Least squares of many rows: Levenberg–Marquardt on the normal equations, of which an iteration is one pass over the
 * data. QR of a stored Jacobian reads and writes its rows · p numbers some p times over; here nothing of the rows' length
 * is kept. Where the data leave a parameter badly determined, the method on the rows has to go on from there, if the
 * device can hold them; if it cannot, what the products tell is all there is, and the report says so.
 */
import { OutOfMemory } from '../../0-ir/errors.ts';
import { sizeProduct, sizeValue } from '../../0-ir/sizes.ts';
import type { Coordinate } from '../coordinates.ts';
import type { Linearisation } from '../expansion.ts';
import { levenbergMarquardt, type Linearise } from './levenberg-marquardt.ts';
import { notEnough, type Ending, type FitProblem, type OptimiserOptions } from '../problem.ts';
import { factorise, numericalRank } from '../algebra/qr.ts';
import { norm } from '../algebra/vectors.ts';

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
  if (done >= options.maxIterations)
    return { ...begun, status: 'not-converged', reason: notEnough(options.maxIterations) };
  let ended: Ending;
  try {
    ended = await levenbergMarquardt(rows, all, begun.point, {
      ...options,
      maxIterations: options.maxIterations - done,
      // The method that takes over begins where the one before it has ended.
      onIteration(iteration, energy, point) {
        if (iteration > 0 || done === 0) options.onIteration?.(done + iteration, energy, point);
      },
    });
  } catch (error) {
    if (!(error instanceof OutOfMemory)) throw error;
    return { ...begun, reason: `${begun.reason}; to go on by the rows ${error.message}` };
  }
  return { ...ended, iterations: done + ended.iterations, history: [...begun.history, ...ended.history.slice(1)] };
}

/** `note`: what the report has to say of it. */
export interface ForErrors extends Linearisation {
  readonly note?: string;
}

/**
 * From what errors are computed: the products of columns, where those are well apart; else the rows, and where the device
 * cannot hold their Jacobian the products after all, in which half of the digits are left. `eachRow`: only rows will do.
 */
export async function linearisedForErrors(
  rows: () => Promise<Linearisation>,
  products: () => Promise<Linearisation>,
  eachRow: boolean,
): Promise<ForErrors> {
  if (!eachRow) {
    const compressed = await products();
    if (isDetermined(compressed.jacobian)) return compressed;
  }
  try {
    return await rows();
  } catch (error) {
    if (!(error instanceof OutOfMemory)) throw error;
    const note = `errors by the normal equations, to about half of the digits: the Jacobian ${error.message}`;
    return { ...(await products()), note };
  }
}

function isDetermined(jacobian: readonly Float64Array[]): boolean {
  const scaled = jacobian.map((column) => column.map((value) => value / norm(column)));
  return numericalRank(factorise(scaled, new Float64Array(jacobian.length + 1)), DETERMINED) === jacobian.length;
}
