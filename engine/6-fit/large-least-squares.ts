/**
 * Least squares of many rows: Levenberg–Marquardt on the normal equations, of which an iteration is one pass over the
 * data. QR of a stored Jacobian reads and writes its rows · p numbers some p times over; here nothing of the rows' length
 * is kept. Where the data leave a parameter badly determined, the method on the rows has to go on from there.
 */
import { sizeProduct, sizeValue } from '../0-ir/sizes.ts';
import type { Device } from '../5-runtime/device.ts';
import type { Coordinate } from './coordinates.ts';
import { withNormalEquations } from './derivative-programs.ts';
import { compressedLinearisation, createEvaluator } from './evaluator.ts';
import { levenbergMarquardt } from './levenberg-marquardt.ts';
import type { Ending, FitProblem, OptimiserOptions } from './problem.ts';
import { factorise, norm, numericalRank } from './qr.ts';
import { withResults } from './report.ts';

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

export interface LargeEnding {
  readonly ending: Ending;
  readonly evaluations: number;
  /** Whether the user stopped it, or it is at a minimum that the normal equations are exact enough to find. */
  readonly settled: boolean;
}

/** From the start to where the normal equations lead. Throws `Cancelled` where a kernel notices that. */
export async function fitNormalEquations(
  problem: FitProblem,
  device: Device,
  all: readonly Coordinate[],
  start: Float64Array,
  options: OptimiserOptions,
): Promise<LargeEnding> {
  const names = [...new Set(all.map(({ parameter }) => parameter.name))];
  const residuals = withResults(problem.program, problem.residuals);
  const program = withNormalEquations(residuals, problem.residuals, names);
  const evaluator = await createEvaluator(device, program, problem, all, options.cancel);
  try {
    const linearise = (u: Float64Array) => compressedLinearisation(evaluator, all, u);
    const ending = await levenbergMarquardt(linearise, all, start, options);
    const settled =
      ending.status === 'cancelled' ||
      (ending.status === 'converged' && isDetermined((await linearise(ending.point)).jacobian));
    return { ending, evaluations: evaluator.evaluations, settled };
  } finally {
    evaluator.release();
  }
}

function isDetermined(jacobian: readonly Float64Array[]): boolean {
  const scaled = jacobian.map((column) => column.map((value) => value / norm(column)));
  return numericalRank(factorise(scaled, new Float64Array(jacobian.length + 1)), DETERMINED) === jacobian.length;
}
