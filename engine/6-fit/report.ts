/** What a fit reports where it ended: values, errors and intervals of the parameters, and their correlation. */
import type { Program } from '../0-ir/program.ts';
import type { Device, DeviceKind, Precision } from '../5-runtime/device.ts';
import { coordinateName, coordinateSlopes, parameterValues, type Coordinate } from './coordinates.ts';
import { createEvaluator, linearisation, quadratic, type Evaluator } from './evaluator.ts';
import type { Ending, FitProblem, FitStatus } from './problem.ts';
import { informationUncertainty, leastSquaresUncertainty, type Uncertainty } from './statistics.ts';

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

/** `squares`: the evaluator gives the residuals and their Jacobian, else the energy and its Hessian. */
export async function report(
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
export function withResults(program: Program, names: readonly string[]): Program {
  return { ...program, results: program.results.filter(({ name }) => names.includes(name)) };
}
