/** A whole fit: the derivative program, the optimiser, and what is known of the parameters at the end. */
import { Cancelled } from '../0-ir/errors.ts';
import type { Program } from '../0-ir/program.ts';
import { profiles } from '../2-ad/cost.ts';
import type { Device, DeviceKind, Precision } from '../5-runtime/device.ts';
import {
  coordinateName,
  coordinates,
  coordinateSlopes,
  parameterValues,
  startingPoint,
  type Coordinate,
} from './coordinates.ts';
import { withHessian, withJacobian } from './derivative-programs.ts';
import { createEvaluator, linearisation, quadratic, type Evaluator } from './evaluator.ts';
import { levenbergMarquardt } from './levenberg-marquardt.ts';
import { newton } from './newton.ts';
import type { Ending, FitMethod, FitProblem, FitStatus, OptimiserOptions } from './problem.ts';
import { informationUncertainty, leastSquaresUncertainty, type Uncertainty } from './statistics.ts';

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

/** One element of one parameter. NaN where a figure is not determined. */
export interface Estimate {
  /** `k`, or `K[0,1]`. */
  readonly name: string;
  readonly parameter: string;
  readonly value: number;
  /** 0 for a fixed parameter. */
  readonly standardError: number;
  readonly lower95: number;
  readonly upper95: number;
  readonly fixed: boolean;
  readonly atBound?: 'lower' | 'upper';
}

export interface FitResult {
  readonly status: FitStatus;
  readonly reason: string;
  readonly objective: number;
  /** What was minimised; another number than the objective where there are priors. */
  readonly energy: number;
  readonly estimates: readonly Estimate[];
  /** Names and rows over the free elements, in the order of `estimates`. */
  readonly correlation: { readonly names: readonly string[]; readonly matrix: readonly (readonly number[])[] };
  readonly iterations: number;
  readonly evaluations: number;
  readonly history: readonly number[];
  readonly device: DeviceKind;
  readonly precision: Precision;
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
  const program = squares
    ? jacobian()
    : withHessian(problem.program, problem.energy, names, { profile: profiles[device.kind] });
  const evaluator = await createEvaluator(device, program, problem, all, cancel);
  // The best point outlives a cancellation that a kernel notices.
  let best = startingPoint(all);
  const history: number[] = [];
  const tracked: OptimiserOptions = {
    ...optimiser,
    onIteration(iteration, energy, point) {
      best = point;
      history.push(energy);
      return optimiser.onIteration?.(iteration, energy, point);
    },
  };
  try {
    const ending = await (
      squares
        ? levenbergMarquardt((u) => linearisation(evaluator, problem, all, u), all, best, tracked)
        : newton((u) => quadratic(evaluator, problem, all, u), all, best, tracked)
    ).catch((error: unknown): Ending => {
      if (!(error instanceof Cancelled)) throw error;
      const reason = 'stopped by the user';
      return { status: 'cancelled', reason, point: best, iterations: Math.max(0, history.length - 1), history };
    });
    if (squares || problem.residuals.length === 0 || ending.status === 'cancelled')
      return await report(problem, device, evaluator, all, ending, squares);
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

async function report(
  problem: FitProblem,
  device: Device,
  evaluator: Evaluator,
  all: readonly Coordinate[],
  ending: Ending,
  squares: boolean,
): Promise<FitResult> {
  const { point, status } = ending;
  // Who stops a fit waits for no derivative.
  const known = status === 'converged' || status === 'not-converged';
  const uncertainty = known ? await uncertaintyAt(problem, evaluator, all, point, squares) : undefined;
  const last = status === 'cancelled' && problem.energy === problem.objective ? ending.history.at(-1) : undefined;
  const { objective, energy } =
    last === undefined ? await valuesAt(problem, device, all, point) : { objective: last, energy: last };
  const values = parameterValues(problem.parameters, all, point);
  const variance = (j: number): number => uncertainty?.covariance[j]?.[j] ?? NaN;
  const estimates = problem.parameters.flatMap((parameter) =>
    (values.get(parameter.name) as number[]).map((value, element): Estimate => {
      const j = all.findIndex((c) => c.parameter === parameter && c.element === element);
      const name = coordinateName({ parameter, element, lower: 0, upper: 0 });
      if (j < 0) {
        return {
          name,
          parameter: parameter.name,
          value,
          standardError: 0,
          lower95: value,
          upper95: value,
          fixed: true,
        };
      }
      const coordinate = all[j] as Coordinate;
      const standardError = Math.sqrt(variance(j));
      const half = (uncertainty?.quantile ?? NaN) * standardError;
      const atBound = boundReached(coordinate, point[j] as number);
      return {
        name,
        parameter: parameter.name,
        value,
        standardError,
        lower95: value - half,
        upper95: value + half,
        fixed: false,
        ...(atBound && { atBound }),
      };
    }),
  );
  const correlation = all.map((_, i) =>
    all.map((__, j) =>
      i === j && Number.isFinite(variance(i))
        ? 1
        : (uncertainty?.covariance[i]?.[j] ?? NaN) / Math.sqrt(variance(i) * variance(j)),
    ),
  );
  return {
    status,
    reason: ending.reason,
    objective,
    energy,
    estimates,
    correlation: { names: all.map(coordinateName), matrix: correlation },
    iterations: ending.iterations,
    evaluations: evaluator.evaluations,
    history: ending.history,
    device: device.kind,
    precision: device.precision,
  };
}

/** Covariance by the parameters themselves; one at its bound is held there and has none. */
async function uncertaintyAt(
  problem: FitProblem,
  evaluator: Evaluator,
  all: readonly Coordinate[],
  point: Float64Array,
  squares: boolean,
): Promise<Uncertainty> {
  const inside = all.flatMap((coordinate, j) => (boundReached(coordinate, point[j] as number) ? [] : [j]));
  const slope = (j: number): number => coordinateSlopes(all[j] as Coordinate, point[j] as number)[0];
  let found: Uncertainty;
  if (squares) {
    const { residuals, jacobian } = await linearisation(evaluator, problem, all, point);
    const columns = inside.map((j) => (jacobian[j] as Float64Array).map((value) => value / slope(j)));
    const sum = residuals.reduce((total, r) => total + r * r, 0);
    found = leastSquaresUncertainty(columns, sum, problem.observations, problem.sigmaKnown);
  } else {
    const { hessian } = await quadratic(evaluator, problem, all, point);
    const rows = inside.map((i) =>
      Float64Array.from(inside, (j) => ((hessian[i] as Float64Array)[j] as number) / (slope(i) * slope(j))),
    );
    found = informationUncertainty(rows);
  }
  const covariance = all.map(() => new Float64Array(all.length).fill(NaN));
  inside.forEach((i, a) =>
    inside.forEach((j, b) => ((covariance[i] as Float64Array)[j] = found.covariance[a]?.[b] as number)),
  );
  return { covariance, quantile: found.quantile };
}

function boundReached(coordinate: Coordinate, u: number): 'lower' | 'upper' | undefined {
  if (u <= coordinate.lower) return 'lower';
  return u >= coordinate.upper ? 'upper' : undefined;
}

async function valuesAt(
  problem: FitProblem,
  device: Device,
  all: readonly Coordinate[],
  point: Float64Array,
): Promise<{ objective: number; energy: number }> {
  const only = withResults(problem.program, [problem.objective, problem.energy]);
  const evaluator = await createEvaluator(device, only, problem, all);
  try {
    await evaluator.run(point);
    const value = async (name: string): Promise<number> => (await evaluator.read(name))[0] as number;
    return { objective: await value(problem.objective), energy: await value(problem.energy) };
  } finally {
    evaluator.release();
  }
}

/** The program with these results alone: an iteration computes nothing else. */
function withResults(program: Program, names: readonly string[]): Program {
  return { ...program, results: program.results.filter(({ name }) => names.includes(name)) };
}
