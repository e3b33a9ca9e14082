/**
 * A fit from many starts, as one batch: every start is a lane (lanes.ts) that runs the optimiser, and whatever the lanes
 * ask is answered for all of them by one run of the program mapped over them. A lane that has ended asks no more, so the
 * batch shrinks; its sizes are powers of two, so that few memory layouts are made. The lowest end is reported.
 *
 * The first start is the problem's own; the others are scrambled Sobol' points (sobol-sequence.ts) between the bounds,
 * log-uniform on a log scale. Where a bound is missing: initial ± max(10·|initial|, 1), and on a log scale initial/10³
 * to initial·10³.
 */
import type { Device } from '../5-runtime/device.ts';
import { openAnswers } from './answers.ts';
import { coordinates, parameterValues, startingPoint } from './coordinates.ts';
import { batched, type Batched } from './ensembles/batched-objective.ts';
import { inLanes, inStep } from './ensembles/lanes.ts';
import type { Part } from './ensembles/parts.ts';
import { sobolSequence } from './ensembles/sobol-sequence.ts';
import { defaultMethod, fit, FitRefusal, optimiserOptions, refuse, track, type FitOptions } from './fit.ts';
import { isLarge } from './large-least-squares.ts';
import { fitContext, minimiseOne, withMinimiser, type FitContext, type Minimiser } from './methods.ts';
import type { Ending, FitParameter, FitProblem, FitStatus, OptimiserOptions } from './problem.ts';
import { scalarsOf } from './questions.ts';
import { report, type FitResult } from './report.ts';

export interface StartEnd {
  /** Which start; 0 is the problem's own. */
  readonly start: number;
  readonly objective: number;
  readonly status: FitStatus;
}

export interface Starts {
  /** Lowest first; those without a value last. */
  readonly ends: readonly StartEnd[];
  /** How many converged to the lowest, to six digits of the objective. */
  readonly atBest: number;
}

export interface MultistartOptions extends FitOptions {
  readonly starts?: number | undefined;
  readonly seed?: number | undefined;
}

export interface MultistartResult extends FitResult {
  /** Absent for a single start. */
  readonly starts?: Starts;
}

const SAME = 1e-6;

/** Where one of the starts ended. */
export interface StartEnding extends Ending {
  readonly start: number;
}

/** Some of the starts, run to their ends. */
export interface StartsRun {
  /** In the order of the starts. */
  readonly endings: readonly StartEnding[];
  readonly evaluations: number;
}

/** Throws a `FitRefusal` as `fit` does. */
export async function fitFromStarts(
  problem: FitProblem,
  device: Device,
  { starts = 1, ...options }: MultistartOptions = {},
): Promise<MultistartResult> {
  if (starts === 1) return fit(problem, device, options);
  return reportStarts(problem, device, await runStarts(problem, device, { ...options, starts }), options);
}

/** Those of the starts that lie in `part`, all unless said. Which points they begin from depends on the seed alone. */
export async function runStarts(
  problem: FitProblem,
  device: Device,
  options: MultistartOptions & { readonly starts: number; readonly part?: Part },
): Promise<StartsRun> {
  const { starts, seed = 0, part = { from: 0, to: starts } } = options;
  const opened = await openStarts(problem, device, options);
  try {
    const { endings, evaluations } = await opened.run(
      startingPoints(problem.parameters, starts, seed).slice(part.from, part.to),
    );
    return { endings: endings.map((ending, i) => ({ ...ending, start: part.from + i })), evaluations };
  } finally {
    opened.release();
  }
}

/** A batch that is compiled, and runs starts from wherever they begin, as often as they come. */
export interface OpenStarts {
  run(
    starts: readonly (readonly FitParameter[])[],
  ): Promise<{ readonly endings: Ending[]; readonly evaluations: number }>;
  release(): void;
}

export async function openStarts(problem: FitProblem, device: Device, options: FitOptions = {}): Promise<OpenStarts> {
  const { cancel, method = defaultMethod(problem) } = options;
  const context = fitContext(problem, device, options.adam);
  refuse(problem, context.all, method, options.adam);
  if (options.adam?.batch !== undefined) throw new FitRefusal('batches of rows are drawn from one start alone');
  const limits = optimiserOptions(problem, device, context.all, { ...options, method });
  return withMinimiser(method, context, async (minimiser) => {
    const batch = await batched(minimiser.question, problem, device, cancel);
    return {
      async run(starts) {
        const points = starts.map((parameters) => startingPoint(coordinates(parameters)));
        const watch = watched(context, options, points.length);
        let evaluations = 0;
        const endings = await minimiseAll(minimiser, batch, points, { ...limits, ...watch }, (n) => {
          evaluations += n;
        });
        return { endings, evaluations };
      },
      release: () => batch.release(),
    };
  });
}

/** The lowest of the ends, with errors and intervals, and all ends beside it. There is at least one. */
export async function reportStarts(
  problem: FitProblem,
  device: Device,
  { endings, evaluations }: StartsRun,
  options: FitOptions,
): Promise<MultistartResult> {
  const { method = defaultMethod(problem), cancel } = options;
  const context = fitContext(problem, device);
  const limits = optimiserOptions(problem, device, context.all, { ...options, method });
  const iterations = endings.reduce((total, ending) => total + ending.iterations, 0);
  const cancelled = endings.some(({ status }) => status === 'cancelled');
  const lowest = endings.reduce((best, ending) => (isBetter(ending, best) ? ending : best));
  const answers = openAnswers(device, problem, cancel);
  try {
    // The normal equations that many rows are compressed to have no last digits.
    const exact = method === 'levenberg-marquardt' && isLarge(problem, context.all) && lowest.status === 'converged';
    const ending = exact ? await minimiseOne(method, context, answers, lowest.point, limits) : lowest;
    const found = await report(
      context,
      answers,
      cancelled ? { ...ending, status: 'cancelled', reason: 'stopped by the user' } : ending,
    );
    return {
      ...found,
      iterations: iterations + (exact ? ending.iterations : 0),
      evaluations: evaluations + found.evaluations,
      starts: outcomes(endings, await objectivesAt(context, endings, cancelled)),
    };
  } finally {
    answers.release();
  }
}

/** All starts together. `onRun` hears how many points each run of the batch has. */
function minimiseAll<Q, A>(
  { minimise, steps }: Minimiser<Q, A>,
  batch: Batched<Q, A>,
  points: readonly Float64Array[],
  { onEnd, ...options }: OptimiserOptions & { readonly onEnd: () => void },
  onRun: (points: number) => void,
): Promise<Ending[]> {
  const answerAll = (questions: readonly Q[]): Promise<readonly A[]> => {
    onRun(questions.length);
    return batch.at(questions);
  };
  const lanes = points.map((start) => ({ start, ...track(start, options) }));
  if (!steps)
    return inLanes(lanes, answerAll, async ({ start, tracked, stopped }, ask) => {
      const ending = await minimise(ask, start, tracked).catch(stopped);
      onEnd();
      return ending;
    });
  return inStep(lanes, answerAll, {
    begin: ({ start, tracked }) => steps(start, tracked),
    stopped: ({ stopped }, error) => stopped(error),
    onEnd,
  });
}

/** What is shown is the best point so far, whichever start it came from. */
function watched({ problem, all }: FitContext, { onProgress }: FitOptions, starts: number) {
  let done = 0;
  let furthest = 0;
  let best = Infinity;
  let point: ReadonlyMap<string, number[]> | undefined;
  return {
    onEnd: () => void done++,
    onIteration(iteration: number, energy: number, u: Float64Array): void {
      furthest = Math.max(furthest, iteration);
      if (energy < best || !point) {
        best = energy;
        point = parameterValues(problem.parameters, all, u);
      }
      onProgress?.(furthest, best, point, { done, all: starts });
    },
  };
}

const energyOf = ({ history }: Ending): number => history.at(-1) ?? NaN;

/** Lower is better; a failed start and a NaN are worse than anything. */
function isBetter(a: Ending, b: Ending): boolean {
  if ((a.status === 'failed') !== (b.status === 'failed')) return b.status === 'failed';
  return energyOf(a) < energyOf(b) || (Number.isNaN(energyOf(b)) && !Number.isNaN(energyOf(a)));
}

/** The objective where each start ended; the energy is another number where there are priors. */
async function objectivesAt(
  { problem, device, all }: FitContext,
  endings: readonly Ending[],
  cancelled: boolean,
): Promise<readonly number[]> {
  if (problem.energy === problem.objective) return endings.map(energyOf);
  // Who stops a fit waits for nothing more.
  if (cancelled) return endings.map(() => NaN);
  const batch = await batched(scalarsOf(problem, all, [problem.objective]), problem, device);
  try {
    const values = await batch.at(endings.map(({ point }) => point));
    return values.map(([value]) => value as number);
  } finally {
    batch.release();
  }
}

function outcomes(endings: readonly StartEnding[], objectives: readonly number[]): Starts {
  const order = [...endings.keys()].sort((i, j) => {
    const [a, b] = [endings[i] as StartEnding, endings[j] as StartEnding];
    if (isBetter(a, b)) return -1;
    return isBetter(b, a) ? 1 : i - j;
  });
  const best = endings[order[0] as number] as StartEnding;
  const near = SAME * Math.abs(energyOf(best)) + 1e-14 * Math.abs(endings[0]?.history[0] ?? 0);
  return {
    ends: order.map((i) => {
      const { start, status } = endings[i] as StartEnding;
      return { start, objective: objectives[i] as number, status };
    }),
    atBest: endings.filter(
      (ending) => ending.status === 'converged' && Math.abs(energyOf(ending) - energyOf(best)) <= near,
    ).length,
  };
}

/** The range from which an element of a parameter is drawn. */
export function startingRange({ initial, lower, upper, scale }: FitParameter, element: number): [number, number] {
  const start = initial[element] as number;
  const reach = Math.max(10 * Math.abs(start), 1);
  const [low, high] = scale === 'log' ? [start / 1e3, start * 1e3] : [start - reach, start + reach];
  const [from, to] = [lower[element] as number, upper[element] as number];
  // A log scale's bound of 0 is no bound to draw from.
  const bounded = scale === 'log' ? from > 0 : Number.isFinite(from);
  return [bounded ? from : low, Number.isFinite(to) ? to : high];
}

/** `count` versions of the parameters that differ in `initial`; the same for the same seed. */
export function startingPoints(
  parameters: readonly FitParameter[],
  count: number,
  seed: number,
): (readonly FitParameter[])[] {
  const elements = parameters.reduce((total, { fixed, initial }) => total + (fixed ? 0 : initial.length), 0);
  const sequence = sobolSequence(elements, seed);
  const shares = new Float64Array(elements);
  const others = Array.from({ length: count - 1 }, (_, index) => {
    sequence.point(index, shares);
    let at = 0;
    return parameters.map((parameter) => {
      if (parameter.fixed) return parameter;
      const initial = parameter.initial.map((__, element) => {
        const [from, to] = startingRange(parameter, element);
        const t = shares[at++] as number;
        return parameter.scale === 'log' ? from * (to / from) ** t : from + (to - from) * t;
      });
      return { ...parameter, initial };
    });
  });
  return [parameters, ...others];
}
