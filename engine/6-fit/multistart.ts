/**
 * A fit from many starts, as one batch: every start is a lane (lanes.ts) that runs the optimiser, and whatever the lanes
 * ask is answered for all of them by one run of the program mapped over them. A lane that has ended asks no more, so the
 * batch shrinks; its sizes are powers of two, so that few memory layouts are made. The lowest end is reported.
 *
 * The first start is the problem's own. The others are drawn between the bounds (starting-points.ts); where a bound is missing
 * and the method is one that knows curvature they are found, by blocks of 64, in a search of the model's own scales (search.ts).
 */
import { Cancelled, orCancelled } from '../0-ir/errors.ts';
import type { Device } from '../5-runtime/device.ts';
import { openAnswers } from './answers.ts';
import { judgeAll } from './arrival.ts';
import { basinsOf } from './basins.ts';
import { coordinates, parameterValues, startingPoint } from './coordinates.ts';
import { endedStarts, type EndedStarts, type KeptEnd, type StartEnding } from './ended-starts.ts';
import { batched, type Batched } from './ensembles/batched-objective.ts';
import { inLanes, inStep } from './ensembles/lanes.ts';
import type { Part } from './ensembles/parts.ts';
import { partSeed } from './ensembles/random.ts';
import { fit, FitRefusal, optimiserOptions, refuse, type FitOptions } from './fit.ts';
import { expansionOf, fitContext, type FitContext } from './context.ts';
import { endedAtKink, kinkQuestion } from './kinks.ts';
import type { Minimiser } from './method.ts';
import { defaultMethod, fitMethods, minimiseOne, solvedNames, withMinimiser, type FitMethod } from './methods.ts';
import {
  isCancelled,
  notEnough,
  stoppedAt,
  type Ending,
  type FitParameter,
  type FitProblem,
  type FitStatus,
  type OptimiserOptions,
} from './problem.ts';
import { scalarsOf } from './marginal/questions.ts';
import { reportOrStopped, type FitResult } from './report/report.ts';
import type { AtPoint } from './questions.ts';
import { isSearched, search } from './search.ts';
import { startingPoints } from './starting-points.ts';
import type { Slope } from './stationary/stationary.ts';
import { track } from './track.ts';
import { positionsOf } from './optimisers/variable-projection.ts';

export interface StartEnd {
  /** Which start; 0 is the problem's own. */
  readonly start: number;
  readonly objective: number;
  readonly status: FitStatus;
}

export interface Starts {
  /** Lowest first, those without a value last; the lowest 4096 where there are more. */
  readonly ends: readonly StartEnd[];
  /** How many converged to the lowest, to six digits of the objective. */
  readonly atBest: number;
  /** How many have ended: fewer than were asked for where the user stopped. */
  readonly ended: number;
}

export interface MultistartOptions extends FitOptions {
  readonly starts?: number | undefined;
  readonly seed?: number | undefined;
}

/** A minimum that was found, and how many starts converged to it. */
export interface FoundBasin {
  readonly objective: number;
  readonly starts: number;
  /** Whether none is lower, to rounding: the lowest is. */
  readonly asLow: boolean;
  /** Every parameter's elements. */
  readonly parameters: ReadonlyMap<string, readonly number[]>;
}

export interface MultistartResult extends FitResult {
  /** Absent for a single start. */
  readonly starts?: Starts;
  /** Lowest first. */
  readonly basins?: readonly FoundBasin[];
  /** The symmetries of the model by which ends of one energy were one minimum, in words. */
  readonly symmetries?: readonly string[];
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
  const ended = endedStarts();
  const part = { from: 0, to: starts };
  const evaluations = await runPart(problem, device, { ...options, starts, part }, (ending) => ended.add(ending));
  return reportEnded(problem, device, ended, { ...options, evaluations });
}

/** Those of the starts that lie in `part`, all unless said. Which points they begin from depends on the seed alone. */
export async function runStarts(
  problem: FitProblem,
  device: Device,
  options: MultistartOptions & { readonly starts: number; readonly part?: Part },
): Promise<StartsRun> {
  const { part = { from: 0, to: options.starts } } = options;
  const endings: StartEnding[] = [];
  const evaluations = await runPart(problem, device, { ...options, part }, (ending) => {
    endings[ending.start - part.from] = ending;
  });
  return { endings, evaluations };
}

/** Returns how many points were evaluated. */
async function runPart(
  problem: FitProblem,
  device: Device,
  { starts, seed = 0, part, ...options }: MultistartOptions & { readonly starts: number; readonly part: Part },
  onEnding: (ending: StartEnding) => void,
): Promise<number> {
  const { parameters } = problem;
  const opened = await openStarts(problem, device, { ...options, expected: part.to - part.from });
  let evaluations = 0;
  const run = async (
    from: number,
    points: readonly (readonly FitParameter[])[] | undefined,
    to: number,
    begun: readonly number[] = [],
  ) => {
    const drawn = points ?? startingPoints(parameters, starts, seed, { from, to });
    const onEnd = (ending: Ending, index: number): void => onEnding({ ...ending, start: from + index });
    evaluations += await opened.run(to - from, drawn, onEnd, begun);
  };
  try {
    if (!opened.search) await run(part.from, undefined, part.to);
    else {
      if (part.from === 0 && part.to > 0) await run(0, [parameters], 1);
      // A block is searched whole, whichever of its starts are asked for, so that a start is the same in any part.
      const before = BLOCK * Math.floor(Math.max(0, part.from - 1) / BLOCK);
      for (let first = 1 + before; first < part.to && !isCancelled(options.cancel); first += BLOCK) {
        const last = Math.min(first + BLOCK, starts);
        const [from, to] = [Math.max(first, part.from), Math.min(last, part.to)];
        const found = await opened.search(last - first, partSeed(seed, first));
        evaluations += found.evaluations;
        if (found.stopped) {
          onEnding({ ...found.stopped, start: from });
          break;
        }
        const rest = [...startingPoints(parameters, starts, seed, { from: first, to: last })].slice(
          found.starts.length,
        );
        const within = [from - first, to - first] as const;
        await run(from, [...found.starts, ...rest].slice(...within), to, found.iterations.slice(...within));
      }
    }
    return evaluations;
  } finally {
    opened.release();
  }
}

/** Starts that are searched for together. */
const BLOCK = 64;

/** A batch that is compiled, and runs starts from wherever they begin, as often as they come. */
export interface OpenStarts {
  /**
   * `onEnding` hears of each start that ends, and which of them it was; where the user stops, of no more than had begun.
   * `begun`: iterations that a search took on the way to each, which count as its own. Returns how many points were evaluated.
   */
  run(
    count: number,
    starts: Iterable<readonly FitParameter[]>,
    onEnding: (ending: Ending, index: number) => void,
    begun?: readonly number[],
  ): Promise<number>;
  /**
   * Finds where to begin, the lowest first; absent where bounds say it, or the method knows no curvature. Where the user stops
   * there is the best so far.
   */
  readonly search?: (count: number, seed: number) => Promise<FoundStarts>;
  release(): void;
}

export interface FoundStarts {
  readonly starts: readonly (readonly FitParameter[])[];
  /** On the way to each of them. */
  readonly iterations: readonly number[];
  readonly evaluations: number;
  readonly stopped?: Ending;
}

/** `expected`: how many starts are to come in all, for progress; those of a run unless said. */
export async function openStarts(
  problem: FitProblem,
  device: Device,
  { expected, ...options }: FitOptions & { readonly expected?: number } = {},
): Promise<OpenStarts> {
  const { cancel, method = defaultMethod(problem) } = options;
  const context = fitContext(problem, device, options.adam);
  refuse(problem, context.all, method, options.adam);
  if (options.adam?.batch !== undefined) throw new FitRefusal('batches of rows are drawn from one start alone');
  const limits = optimiserOptions(problem, device, context.all, { ...options, method });
  return withMinimiser(method, context, async (minimiser) => {
    const batch = await batched(minimiser.question, problem, device, cancel);
    const own = startingPoint(context.all);
    const whole = expected === undefined ? undefined : watched(context, options, expected);
    const solved = positionsOf(solvedNames(method, context), context.all);
    const { steps } = minimiser;
    return {
      ...(steps &&
        isSearched(context.all, solved) && {
          async search(count: number, seed: number): Promise<FoundStarts> {
            let evaluations = 0;
            const { onIteration } = whole ?? watched(context, options, count);
            const answerAll: typeof batch.at = (questions) => {
              evaluations += questions.length;
              return batch.at(questions);
            };
            const within = { ...limits, onIteration };
            const found = await search(
              { all: context.all, own, solved, steps, answerAll, options: within },
              count,
              seed,
            );
            const starts = found.map(({ point }) => startingAt(context, point));
            const stopped = isCancelled(cancel) ? found[0] : undefined;
            const iterations = found.map((ending) => ending.iterations);
            return {
              starts,
              iterations,
              evaluations,
              ...(stopped && { stopped: { ...stopped, status: 'cancelled' as const } }),
            };
          },
        }),
      async run(count, starts, onEnding, begun = []) {
        const { onEnd, ...watch } = whole ?? watched(context, options, count);
        let evaluations = 0;
        const open: { readonly ending: Ending; readonly index: number }[] = [];
        const slope = isCut(method, limits) ? undefined : kinkQuestion(context);
        const onRun = (points: number): void => void (evaluations += points);
        await minimiseAll(
          minimiser,
          batch,
          { starts, own, begun },
          { ...limits, ...watch },
          {
            onRun,
            onEnding(ending, index) {
              onEnd();
              const isOpen = ending.unjudged || (slope && ending.status === 'not-converged');
              if (isOpen) open.push({ ending, index });
              else onEnding(ending, index);
            },
          },
        );
        const ends = open.map(({ ending }) => ending);
        let judged = await judgedEndings(context, ends, limits, onRun);
        if (slope) judged = await endedAtKinks(context, slope, judged, limits, onRun);
        judged.forEach((ending, i) => onEnding(ending, open[i]!.index));
        return evaluations;
      },
      release: () => batch.release(),
    };
  });
}

/** The lowest of the ends, with errors and intervals, and the ends beside it. There is at least one. */
export async function reportStarts(
  problem: FitProblem,
  device: Device,
  { endings, evaluations }: StartsRun,
  options: FitOptions,
): Promise<MultistartResult> {
  const ended = endedStarts();
  for (const ending of endings) ended.add(ending);
  return reportEnded(problem, device, ended, { ...options, evaluations });
}

async function reportEnded(
  problem: FitProblem,
  device: Device,
  ended: EndedStarts,
  { evaluations, ...options }: FitOptions & Pick<StartsRun, 'evaluations'>,
): Promise<MultistartResult> {
  const { method = defaultMethod(problem), cancel } = options;
  const context = fitContext(problem, device);
  const limits = optimiserOptions(problem, device, context.all, { ...options, method });
  const { best, iterations } = ended;
  if (!best) throw new Cancelled();
  const answers = openAnswers(device, problem, cancel);
  try {
    // The normal equations that many rows are compressed to have no last digits, and no start is left to another method.
    const isRough = best.status === 'converged' && fitMethods[method].isRough?.(context);
    const left = isCut(method, limits) ? limits.maxIterations - best.iterations : limits.maxIterations;
    const again =
      left > 0 &&
      !ended.stopped &&
      !isCancelled(cancel) &&
      (isRough || (best.status === 'not-converged' && problem.residuals.length === 0));
    const solved = solvedNames(method, context);
    const further = again
      ? await orCancelled(() => minimiseOne(method, context, answers, best.point, { ...limits, maxIterations: left }))
      : undefined;
    const ending = further ?? { ...best, solved };
    const found = await reportOrStopped(context, answers, ended.stopped ? stoppedAt(ending) : ending, cancel);
    const cancelled = found.status === 'cancelled';
    if (!cancelled) ended.lastWord({ ...ending, status: found.status, start: best.start });
    const lowest = ended.lowest();
    const objectives = await objectivesAt(context, lowest, cancel);
    const { basins, symmetries } = await basinsOf(context, ended.levels(), cancel);
    const levels = await objectivesAt(context, basins, cancel);
    return {
      ...found,
      iterations: iterations + (further?.iterations ?? 0),
      evaluations: evaluations + found.evaluations,
      starts: {
        ends: lowest.map(({ start, status }, i) => ({ start, objective: objectives[i]!, status })),
        atBest: ended.atBest(),
        ended: ended.count,
      },
      basins: basins.map(({ energy, starts, point }, i) => ({
        objective: levels[i]!,
        starts,
        asLow: energy === basins[0]!.energy,
        parameters: parameterValues(problem.parameters, context.all, point),
      })),
      ...(symmetries.length > 0 && { symmetries }),
    };
  } finally {
    answers.release();
  }
}

/** Whether the user has said how many iterations there may be. */
const isCut = (method: FitMethod, { maxIterations }: OptimiserOptions): boolean =>
  maxIterations !== fitMethods[method].iterations;

interface Ears {
  /** Hears how many points each run of the batch has. */
  readonly onRun: (points: number) => void;
  readonly onEnding: (ending: Ending, index: number) => void;
}

interface Begun {
  readonly starts: Iterable<readonly FitParameter[]>;
  readonly own: Float64Array;
  /** Iterations that have been taken on the way to each start; none unless said. */
  readonly begun: readonly number[];
}

/** All starts together. */
async function minimiseAll<Q, A>(
  { minimise, steps }: Minimiser<Q, A>,
  batch: Batched<Q, A>,
  { starts, own, begun }: Begun,
  options: OptimiserOptions,
  { onRun, onEnding }: Ears,
): Promise<void> {
  const answerAll = (questions: readonly Q[]): Promise<readonly A[]> => {
    onRun(questions.length);
    return batch.at(questions);
  };
  const lanes = tracks(starts, begun, options);
  const onEnd = (ending: Ending, index: number): void =>
    onEnding(afterSearch(ending, begun[index] ?? 0, options), index);
  if (steps)
    return inStep(lanes, answerAll, {
      begin: function* ({ start, tracked }) {
        let ending = yield* steps(start, tracked);
        for (const nearer of between(start, own)) {
          if (ending.status !== 'failed') break;
          ending = yield* steps(nearer, tracked);
        }
        return ending;
      },
      stopped: ({ stopped }, error) => stopped(error),
      onEnd,
    });
  const { cancel } = options;
  await inLanes(
    lanes,
    answerAll,
    async ({ start, tracked, stopped }, ask, index) => {
      let ending = await minimise(ask, start, tracked).catch(stopped);
      for (const nearer of between(start, own)) {
        if (ending.status !== 'failed') break;
        ending = await minimise(ask, nearer, tracked).catch(stopped);
      }
      onEnd(ending, index);
    },
    { cancel },
  );
}

/** An end of a start to which a search has taken `begun` iterations. */
function afterSearch(ending: Ending, begun: number, { maxIterations }: OptimiserOptions): Ending {
  if (begun === 0) return ending;
  const ended = ending.reason === notEnough(maxIterations - begun);
  const reason = `${notEnough(maxIterations)}, ${begun} of them in the search for this start`;
  return { ...ending, iterations: begun + ending.iterations, ...(ended && { reason }) };
}

/**
 * Points nearer and nearer to the problem's own start: where the model has no value a start is none, and one that has is
 * drawn in its place.
 */
function* between(start: Float64Array, own: Float64Array): Generator<Float64Array, void> {
  if (start.every((u, j) => u === own[j])) return;
  for (let k = 1; k <= HALVINGS; k++) yield start.map((u, j) => own[j]! + (u - own[j]!) / 2 ** k);
}

const HALVINGS = 12;

function* tracks(starts: Iterable<readonly FitParameter[]>, begun: readonly number[], options: OptimiserOptions) {
  let index = 0;
  for (const parameters of starts) {
    const start = startingPoint(coordinates(parameters));
    const maxIterations = options.maxIterations - (begun[index++] ?? 0);
    yield { start, ...track(start, { ...options, maxIterations }) };
  }
}

/** The parameters with a point as their initial values. */
function startingAt({ problem, all }: FitContext, point: Float64Array): readonly FitParameter[] {
  const values = parameterValues(problem.parameters, all, point);
  return problem.parameters.map((parameter) => ({ ...parameter, initial: values.get(parameter.name)! }));
}

/** Those of the ends that no method has judged, by the stop test. */
async function judgedEndings(
  context: FitContext,
  endings: readonly Ending[],
  limits: OptimiserOptions,
  onRun: (points: number) => void,
): Promise<Ending[]> {
  const question = expansionOf(context);
  const open = endings.flatMap(({ unjudged }, i) => (unjudged ? [i] : []));
  if (!question || open.length === 0) return [...endings];
  const batch = await batched(question, context.problem, context.device, limits.cancel);
  try {
    const unjudged = open.map((i) => endings[i]!);
    const judged = await judgeAll(unjudged, context.all, limits, (points) => {
      onRun(points.length);
      return batch.at(points);
    });
    return endings.map((ending, i) => (ending.unjudged ? (judged[open.indexOf(i)] as Ending) : ending));
  } finally {
    batch.release();
  }
}

/** Those of the ends that are no minima, as a fit from each alone would go on: to a kink. */
async function endedAtKinks(
  context: FitContext,
  slope: AtPoint<Slope>,
  endings: readonly Ending[],
  limits: OptimiserOptions,
  onRun: (points: number) => void,
): Promise<Ending[]> {
  if (endings.every(({ status }) => status !== 'not-converged')) return [...endings];
  const { cancel } = limits;
  const batch = await batched(slope, context.problem, context.device, cancel);
  try {
    const ended = await inLanes(
      endings,
      (points: readonly Float64Array[]) => {
        onRun(points.length);
        return batch.at(points);
      },
      (ending, ask) =>
        ending.status === 'not-converged'
          ? orCancelled(() => endedAtKink(ask, context, ending, limits)).then((found) => found ?? stoppedAt(ending))
          : Promise.resolve(ending),
      { cancel },
    );
    const known = endings.map((ending, i) => ended[i] ?? stoppedAt(ending));
    return await judgedEndings(context, known, limits, onRun);
  } finally {
    batch.release();
  }
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

/** The objective where each start ended; the energy is another number where there are priors. */
async function objectivesAt(
  { problem, device, all }: FitContext,
  ends: readonly Pick<KeptEnd, 'energy' | 'point'>[],
  cancel: Int32Array | undefined,
): Promise<readonly number[]> {
  if (problem.energy === problem.objective) return ends.map(({ energy }) => energy);
  // Who stops a fit waits for nothing more.
  if (isCancelled(cancel) || ends.length === 0) return ends.map(() => NaN);
  const batch = await batched(scalarsOf(problem, all, [problem.objective]), problem, device, cancel);
  try {
    const values = await orCancelled(() => batch.at(ends.map(({ point }) => point)));
    return ends.map((_, i) => values?.[i]?.[0] ?? NaN);
  } finally {
    batch.release();
  }
}
