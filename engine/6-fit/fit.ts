/** A whole fit from one start: the optimiser, and what is known of the parameters at the end. */
import { orCancelled } from '../0-ir/errors.ts';
import type { Device } from '../5-runtime/device.ts';
import { openAnswers } from './answers.ts';
import { coordinateName, parameterValues, startingPoint, type Coordinate } from './coordinates.ts';
import { fitContext, type AdamOptions } from './context.ts';
import { defaultMethod, fitMethods, minimiseOne, type FitMethod } from './methods.ts';
import type { FitProblem, OptimiserOptions } from './problem.ts';
import { reportOrStopped, type FitResult } from './report/report.ts';
import { rowSums } from './row-sums.ts';
import { track } from './track.ts';
import { lowerElsewhere } from './wider.ts';

export interface FitOptions {
  readonly method?: FitMethod;
  readonly adam?: AdamOptions | undefined;
  readonly maxIterations?: number;
  /** Whether a small fit that its start leads nowhere looks elsewhere (wider.ts); so unless said. */
  readonly elsewhere?: boolean;
  readonly cancel?: Int32Array;
  /** `parameters`: every parameter's elements at the best point so far. */
  readonly onProgress?: (
    iteration: number,
    energy: number,
    parameters: ReadonlyMap<string, number[]>,
    /** Of a fit from many: how many have ended. */
    starts?: { readonly done: number; readonly all: number },
  ) => void;
}

/**
 * Throws a `FitRefusal` where the problem cannot be fitted at all: nothing to vary, a start outside its scale.
 * What goes wrong on the way is a status.
 */
export async function fit(problem: FitProblem, device: Device, options: FitOptions = {}): Promise<FitResult> {
  const { method = defaultMethod(problem), cancel } = options;
  const context = fitContext(problem, device, options.adam);
  refuse(problem, context.all, method, options.adam);
  const answers = openAnswers(device, problem, cancel);
  try {
    const start = startingPoint(context.all);
    const { tracked, stopped } = track(start, optimiserOptions(problem, device, context.all, { ...options, method }));
    const ending = await minimiseOne(method, context, answers, start, tracked).catch(stopped);
    const looks = options.elsewhere ?? true;
    const lower = looks
      ? await orCancelled(() => lowerElsewhere(method, context, answers, ending, tracked))
      : undefined;
    return await reportOrStopped(context, answers, lower ?? ending, cancel);
  } finally {
    answers.release();
  }
}

export function optimiserOptions(
  problem: FitProblem,
  { precision }: Device,
  all: readonly Coordinate[],
  { method, maxIterations, cancel, onProgress }: FitOptions & { readonly method: FitMethod },
): OptimiserOptions {
  return {
    maxIterations: maxIterations ?? fitMethods[method].iterations,
    rounding: precision === 'f32' ? 2 ** -23 : 2 ** -52,
    ...(problem.residuals.length > 0 && {
      ...{ sigmaKnown: problem.sigmaKnown, observations: problem.observations },
      ...(problem.robust && { robust: true }),
    }),
    ...(cancel && { cancel }),
    ...(onProgress && {
      onIteration: (iteration, energy, point) =>
        onProgress(iteration, energy, parameterValues(problem.parameters, all, point)),
    }),
  };
}

/** Parameters whose Hessian is differenced from exact gradients. */
const MOST_MARGINAL = 200;

/** A problem that no optimiser can start on: one sentence for the user. */
export class FitRefusal extends Error {
  override readonly name = 'FitRefusal';
}

export function refuse(
  problem: FitProblem,
  all: readonly Coordinate[],
  method: FitMethod,
  { batch, schedule }: AdamOptions = {},
): void {
  if (all.length === 0) throw new FitRefusal('no parameter is free: there is nothing to fit');
  if (problem.residuals.length > 0 && problem.observations === 0)
    throw new FitRefusal('every observation is missing or of weight 0: there is nothing to fit to');
  if (batch !== undefined) {
    const sums = rowSums(problem);
    if (typeof sums === 'string') throw new FitRefusal(`batches of rows cannot be drawn: ${sums}`);
    if (schedule === 'plateau')
      throw new FitRefusal(
        'the schedule plateau waits for values of all rows; by batches take constant, cosine or step',
      );
    if (batch > sums.rows) throw new FitRefusal(`a batch of ${batch} rows wants as many, and there are ${sums.rows}`);
  }
  const why = fitMethods[method].refuses?.(problem);
  if (why !== undefined) throw new FitRefusal(why);
  if (problem.effects && all.length > MOST_MARGINAL)
    throw new FitRefusal(
      `${all.length} parameters beside random effects are more than the ${MOST_MARGINAL} whose curvature is formed`,
    );
  const start = startingPoint(all);
  const bad = all.find((_, j) => !Number.isFinite(start[j]!));
  if (bad) {
    const { scale, initial } = bad.parameter;
    const start = initial[bad.element]!;
    const why = Number.isFinite(start) ? `which its ${scale} scale does not reach` : 'and a fit wants a finite number';
    throw new FitRefusal(`${coordinateName(bad)} starts at ${start}, ${why}`);
  }
}
