/** A whole fit: the derivative program, the optimiser, and what is known of the parameters at the end. */
import { Cancelled } from '../0-ir/errors.ts';
import type { Program } from '../0-ir/program.ts';
import { profiles } from '../2-ad/cost.ts';
import type { Device } from '../5-runtime/device.ts';
import { coordinateName, coordinates, parameterValues, startingPoint, type Coordinate } from './coordinates.ts';
import { withHessian, withJacobian } from './derivative-programs.ts';
import { createEvaluator, linearisation, quadratic } from './evaluator.ts';
import { fitNormalEquations, isLarge, type LargeEnding } from './large-least-squares.ts';
import { levenbergMarquardt } from './levenberg-marquardt.ts';
import { newton } from './newton.ts';
import type { Ending, FitMethod, FitProblem, OptimiserOptions } from './problem.ts';
import { report, withResults, type FitResult } from './report.ts';

export interface FitOptions {
  readonly method?: FitMethod;
  readonly maxIterations?: number;
  readonly cancel?: Int32Array;
  /** `parameters`: every parameter's elements at the best point so far. */
  readonly onProgress?: (
    iteration: number,
    energy: number,
    parameters: ReadonlyMap<string, number[]>,
  ) => void | Promise<void>;
}

/** The method that fits a problem where none is asked for. */
export function defaultMethod(problem: FitProblem): FitMethod {
  return problem.residuals.length > 0 ? 'levenberg-marquardt' : 'newton-cg';
}

/**
 * Throws a `FitRefusal` where the problem cannot be fitted at all: nothing to vary, a start outside its scale.
 * What goes wrong on the way is a status.
 */
export async function fit(problem: FitProblem, device: Device, options: FitOptions = {}): Promise<FitResult> {
  const { method = defaultMethod(problem), maxIterations = 1000, cancel, onProgress } = options;
  const all = coordinates(problem.parameters);
  refuse(problem, all, method);
  const names = [...new Set(all.map(({ parameter }) => parameter.name))];
  const optimiser: OptimiserOptions = {
    maxIterations,
    ...(cancel && { cancel }),
    ...(onProgress && {
      onIteration: (iteration, energy, point) =>
        onProgress(iteration, energy, parameterValues(problem.parameters, all, point)),
    }),
  };

  const squares = method === 'levenberg-marquardt';
  const jacobian = (): Program =>
    withJacobian(withResults(problem.program, problem.residuals), problem.residuals, names);
  // The best point outlives a cancellation that a kernel notices.
  let best = startingPoint(all);
  const history: number[] = [];
  const tracked: OptimiserOptions = {
    ...optimiser,
    onIteration(iteration, energy, point) {
      // A method that takes over begins where the one before it has ended.
      if (iteration === 0 && history.length > 0) return;
      best = point;
      history.push(energy);
      return optimiser.onIteration?.(history.length - 1, energy, point);
    },
  };
  const stopped = (error: unknown): Ending => {
    if (!(error instanceof Cancelled)) throw error;
    const reason = 'stopped by the user';
    return { status: 'cancelled', reason, point: best, iterations: Math.max(0, history.length - 1), history };
  };
  const large = squares && isLarge(problem, all);
  const begun = large
    ? await fitNormalEquations(problem, device, all, best, tracked).catch((error: unknown): LargeEnding => ({
        ending: stopped(error),
        evaluations: history.length,
        settled: true,
      }))
    : undefined;
  const program = squares
    ? jacobian()
    : withHessian(problem.program, problem.energy, names, { profile: profiles[device.kind] });
  const evaluator = await createEvaluator(device, program, problem, all, cancel);
  try {
    const onRows = async (): Promise<Ending> => {
      const done = begun?.ending.iterations ?? 0;
      const left = { ...tracked, maxIterations: maxIterations - done };
      const ending = await levenbergMarquardt((u) => linearisation(evaluator, problem, all, u), all, best, left);
      return begun ? { ...ending, iterations: done + ending.iterations, history } : ending;
    };
    const ending = begun?.settled
      ? begun.ending
      : await (squares ? onRows() : newton((u) => quadratic(evaluator, problem, all, u), all, best, tracked)).catch(
          stopped,
        );
    if (squares || problem.residuals.length === 0 || ending.status === 'cancelled') {
      const result = await report(problem, device, evaluator, all, ending, squares);
      return { ...result, evaluations: result.evaluations + (begun?.evaluations ?? 0) };
    }
    // A sum of squares has one covariance, whichever method found its minimum.
    const linear = await createEvaluator(device, jacobian(), problem, all);
    try {
      const { evaluations } = evaluator;
      return { ...(await report(problem, device, linear, all, ending, true)), evaluations };
    } finally {
      linear.release();
    }
  } finally {
    evaluator.release();
  }
}

/** A problem that no optimiser can start on: one sentence for the user. */
export class FitRefusal extends Error {
  override readonly name = 'FitRefusal';
}

function refuse(problem: FitProblem, all: readonly Coordinate[], method: FitMethod): void {
  if (all.length === 0) throw new FitRefusal('no parameter is free: there is nothing to fit');
  if (problem.residuals.length > 0 && problem.observations === 0)
    throw new FitRefusal('every observation is missing: there is nothing to fit to');
  if (method === 'levenberg-marquardt' && problem.residuals.length === 0)
    throw new FitRefusal(
      'levenberg-marquardt wants an objective of least-squares blocks without priors; try newton-cg',
    );
  const start = startingPoint(all);
  const bad = all.find((_, j) => !Number.isFinite(start[j] as number));
  if (bad) {
    const { scale, initial } = bad.parameter;
    const start = initial[bad.element] as number;
    const why = Number.isFinite(start) ? `which its ${scale} scale does not reach` : 'and a fit wants a finite number';
    throw new FitRefusal(`${coordinateName(bad)} starts at ${start}, ${why}`);
  }
}
