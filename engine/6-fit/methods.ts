/** The optimisers by name: what each asks of a problem, and how many iterations it may take. */
import type { Device } from '../5-runtime/device.ts';
import { adam, adamOnBatches } from './methods/adam.ts';
import type { Answers } from './answers.ts';
import { judgeAll, judgeByProducts, unlessOutOfMemory, type Judged } from './arrival.ts';
import type { Asking } from './asking.ts';
import { coordinates, type Coordinate } from './coordinates.ts';
import { lbfgsb } from './methods/l-bfgs-b.ts';
import { isLarge, largeLeastSquares } from './methods/large-least-squares.ts';
import type { Linearisation, Quadratic } from './expansion.ts';
import { levenbergMarquardt, squaresMinimised } from './methods/levenberg-marquardt.ts';
import { nelderMead } from './methods/nelder-mead.ts';
import { newtonCg } from './methods/newton-cg.ts';
import type { CurvatureQuestion, Curved } from './stationary.ts';
import { curveMinimised, newton } from './methods/newton.ts';
import type { Ending, FitMethod, FitProblem, OptimiserOptions } from './problem.ts';
import { quadraticOf, scalarsOf, slopeOf } from './marginal/questions.ts';
import { compressedOf, curvatureOf, linearisationOf, sweepOptions, type AtPoint, type Question } from './questions.ts';
import { openRowBatches } from './row-batches.ts';
import { rowSums } from './row-sums.ts';
import { scheduled, type ScheduleOptions } from './methods/schedules.ts';
import type { Expansion } from './stationary.ts';
import { inUnitsOfStart } from './methods/units.ts';
import { linearParameters, positionsOf } from './methods/variable-projection.ts';

/** Coordinates up to which a dense Hessian is formed and factorised, rather than multiplied. */
const DENSE = 200;

export const iterationLimits: { readonly [M in FitMethod]: number } = {
  'levenberg-marquardt': 1000,
  'l-bfgs-b': 10_000,
  'newton-cg': 1000,
  adam: 20_000,
  'nelder-mead': 20_000,
};

/** How Adam goes about it. */
export interface AdamOptions extends ScheduleOptions {
  /** Rows of a batch; all unless said. */
  readonly batch?: number | undefined;
  /** Of the order of the rows. */
  readonly seed?: number | undefined;
}

/** Iterations of a schedule that knows its end; with batches, epochs, and iterations at least. */
const SCHEDULED = 2000;
const EPOCHS = 50;

/** A problem on a device, with the questions that more than one asks, so that a program is compiled once. */
export interface FitContext {
  readonly problem: FitProblem;
  readonly device: Device;
  readonly all: readonly Coordinate[];
  readonly adam: AdamOptions;
  readonly linearisation: () => AtPoint<Linearisation>;
  /** By the products of its columns. */
  readonly compressed: () => AtPoint<Linearisation>;
  readonly quadratic: () => AtPoint<Quadratic>;
  /** Names of parameters that Levenberg–Marquardt solves for. */
  readonly solved: () => readonly string[];
}

export function fitContext(problem: FitProblem, device: Device, adamOptions: AdamOptions = {}): FitContext {
  const all = coordinates(problem.parameters);
  const options = sweepOptions(problem, device);
  return {
    problem,
    device,
    all,
    adam: adamOptions,
    linearisation: once(() => linearisationOf(problem, all)),
    compressed: once(() => compressedOf(problem, all)),
    quadratic: once(() => quadraticOf(problem, all, problem.energy, options)),
    solved: once(() => (isLarge(problem, all) ? [] : linearParameters(problem))),
  };
}

function once<A>(make: () => A): () => A {
  let made: A | undefined;
  return () => (made ??= make());
}

/** An optimiser with the one question that it asks; `minimise` may be given any way of having it answered. */
export interface Minimiser<Q, A> {
  readonly question: Question<Q, A>;
  readonly minimise: (ask: (at: Q) => Promise<A>, start: Float64Array, options: OptimiserOptions) => Promise<Ending>;
  /** The same without a promise for each question, where a step is so short that it counts. */
  readonly steps?: (start: Float64Array, options: OptimiserOptions) => Asking<Q, A, Ending>;
}

/** What is done with a minimiser, whatever it asks. */
export type WithMinimiser<R> = <Q, A>(minimiser: Minimiser<Q, A>) => R;

export function withMinimiser<R>(method: FitMethod, context: FitContext, use: WithMinimiser<R>): R {
  const { problem, device, all } = context;
  const options = sweepOptions(problem, device);
  switch (method) {
    case 'levenberg-marquardt': {
      const solved = positionsOf(context.solved(), all);
      return use({
        question: isLarge(problem, all) ? context.compressed() : context.linearisation(),
        minimise: (ask, start, limits) => levenbergMarquardt(ask, all, start, { solved, ...limits }),
        steps: (start, limits) => squaresMinimised(all, start, { solved, ...limits }),
      });
    }
    case 'l-bfgs-b':
      return use({
        question: slopeOf(problem, all, problem.energy, options),
        minimise: (ask, start, limits) =>
          inUnitsOfStart(all, start, limits, ({ bounds, options, ...units }) =>
            lbfgsb(async (v) => units.slope(await ask(units.point(v))), bounds, units.start, options),
          ),
      });
    case 'newton-cg':
      if (all.length <= DENSE)
        return use({
          question: context.quadratic(),
          minimise: (ask, start, limits) => newton(ask, all, start, limits),
          steps: (start, limits) => curveMinimised(all, start, limits),
        });
      return use({
        question: curvatureOf(problem, all, problem.energy, options),
        minimise: (ask, start, limits) =>
          inUnitsOfStart(all, start, limits, ({ bounds, options, ...units }) => {
            const inUnits = async ({ point, direction }: CurvatureQuestion): Promise<Curved> => {
              const curved = await ask({ point: units.point(point), direction: units.direction(direction) });
              return { ...units.slope(curved), product: units.direction(curved.product) };
            };
            return newtonCg(inUnits, bounds, units.start, options);
          }),
      });
    case 'adam':
      return use({
        question: slopeOf(problem, all, problem.energy, options),
        minimise: (ask, start, limits) =>
          inUnitsOfStart(all, start, limits, ({ bounds, options, ...units }) =>
            adam(
              async (v) => units.slope(await ask(units.point(v))),
              bounds,
              units.start,
              options,
              scheduled(context.adam, SCHEDULED),
            ),
          ),
      });
    case 'nelder-mead':
      return use({
        question: scalarsOf(problem, all, [problem.energy]),
        minimise: (ask, start, limits) => nelderMead(async (u) => (await ask(u))[0] as number, all, start, limits),
      });
  }
}

/**
 * From one start. What one way to go about it finds no minimum of is left to others: what bends the one's way is often straight
 * to another.
 */
export async function minimiseOne(
  method: FitMethod,
  context: FitContext,
  answers: Answers,
  start: Float64Array,
  options: OptimiserOptions,
): Promise<Ending> {
  const { onIteration, ...quiet } = options;
  void onIteration;
  let best = await minimisedBy(method, context, answers, start, options);
  let { iterations } = best;
  const own = options.maxIterations === iterationLimits[method];
  for (const { by, name, ...more } of otherWays(method, context)) {
    const left = own ? iterationLimits[by] : options.maxIterations - iterations;
    if (best.status !== 'not-converged' || left <= 0) break;
    const next = await minimisedBy(by, context, answers, start, { ...quiet, ...more, maxIterations: left });
    iterations += next.iterations;
    if (next.status === 'cancelled') best = { ...best, status: 'cancelled', reason: next.reason };
    else if (next.status === 'converged' && !(energyOf(next) > energyOf(best) * (1 + 1e-6)))
      best = { ...next, reason: `${next.reason}; found ${name}, where ${method} found no minimum` };
    else if (energyOf(next) < energyOf(best) - SLIGHTLY * Math.abs(energyOf(best)))
      best = { ...next, reason: `${next.reason}; by ${by}, which came lower than ${method}` };
  }
  return { ...best, iterations };
}

interface Way {
  readonly by: FitMethod;
  readonly name: string;
  readonly solved?: readonly number[];
}

function otherWays(method: FitMethod, context: FitContext): Way[] {
  const { problem, all } = context;
  // What has kinks bends Newton's way into one of them.
  if (problem.residuals.length === 0)
    return method === 'newton-cg' && !problem.effects ? [{ by: 'l-bfgs-b', name: 'by l-bfgs-b' }] : [];
  if (all.length > DENSE || isLarge(problem, all)) return [];
  const projects = context.solved().length > 0;
  const plain: Way[] = projects
    ? [{ by: 'levenberg-marquardt', name: 'without solving for what is linear', solved: [] }]
    : [];
  switch (method) {
    case 'levenberg-marquardt':
      return [...plain, { by: 'newton-cg', name: 'by newton-cg' }];
    case 'newton-cg':
      return [{ by: 'levenberg-marquardt', name: 'by levenberg-marquardt' }, ...plain];
    default:
      return [];
  }
}

/** Of the energy: what a way must come lower by to be followed, though it has found no minimum either. */
const SLIGHTLY = 1e-6;

const energyOf = ({ history }: Ending): number => history.at(-1) as number;

async function minimisedBy(
  method: FitMethod,
  context: FitContext,
  answers: Answers,
  start: Float64Array,
  options: OptimiserOptions,
): Promise<Ending> {
  let ending = await descended(method, context, answers, start, options);
  if (method === 'levenberg-marquardt' && !options.solved) return { ...ending, solved: context.solved() };
  for (let left = 0; ending.unjudged; left++) {
    const judged = await judgedOne(context, answers, ending, options);
    const { iterations, history } = judged;
    if (!judged.left || left === LEFT || iterations >= options.maxIterations) return judged;
    const further = { ...options, maxIterations: options.maxIterations - iterations };
    const next = await descended(method, context, answers, judged.point, further);
    ending = { ...next, iterations: iterations + next.iterations, history: [...history, ...next.history.slice(1)] };
  }
  return ending;
}

/** How often a fit goes on from a lower point that was found beside an end that was none. */
const LEFT = 3;

/** What the stop test asks; undefined of so many parameters that no Hessian is formed. */
export function expansionOf({
  problem,
  all,
  linearisation,
  compressed,
  quadratic,
}: FitContext): AtPoint<Expansion> | undefined {
  if (problem.residuals.length > 0) return isLarge(problem, all) ? compressed() : linearisation();
  return all.length <= DENSE ? quadratic() : undefined;
}

async function judgedOne(
  context: FitContext,
  answers: Answers,
  ending: Ending,
  options: OptimiserOptions,
): Promise<Judged> {
  const { problem, device, all } = context;
  return unlessOutOfMemory(ending, async () => {
    const question = expansionOf(context);
    if (question) {
      const [judged] = await judgeAll([ending], all, options, async ([u]) => [
        await answers.ask(question, u as Float64Array),
      ]);
      return judged as Judged;
    }
    const products = curvatureOf(problem, all, problem.energy, sweepOptions(problem, device));
    return judgeByProducts(ending, all, (asked) => answers.ask(products, asked));
  });
}

async function descended(
  method: FitMethod,
  context: FitContext,
  answers: Answers,
  start: Float64Array,
  options: OptimiserOptions,
): Promise<Ending> {
  const { problem, all, linearisation, compressed } = context;
  if (method === 'levenberg-marquardt' && isLarge(problem, all)) {
    const onRows = (u: Float64Array): Promise<Linearisation> => {
      answers.keepOnly(linearisation());
      return answers.ask(linearisation(), u);
    };
    return largeLeastSquares((u) => answers.ask(compressed(), u), onRows, all, start, options);
  }
  if (method === 'adam' && context.adam.batch !== undefined) return byBatches(context, answers, start, options);
  return withMinimiser(method, context, ({ question, minimise }) =>
    minimise((at) => answers.ask(question, at), start, options),
  );
}

/** Adam by batches of rows. The problem is such a sum, and has rows enough: `refuse` has seen to that. */
async function byBatches(
  { problem, device, all, adam: { batch: size = 1, seed = 0, schedule = 'cosine', rate } }: FitContext,
  answers: Answers,
  start: Float64Array,
  options: OptimiserOptions,
): Promise<Ending> {
  const sums = rowSums(problem);
  if (typeof sums === 'string') throw new Error(sums);
  const { cancel } = options;
  const batches = await openRowBatches(problem, sums, device, all, { size, seed, cancel });
  const whole = slopeOf(problem, all, problem.energy, sweepOptions(problem, device));
  const iterations = Math.max(SCHEDULED, EPOCHS * batches.batches);
  try {
    return await inUnitsOfStart(all, start, options, ({ bounds, options, ...units }) =>
      adamOnBatches(
        async (v) => units.slope(await answers.ask(whole, units.point(v))),
        { batches: batches.batches, next: async (v) => units.slope(await batches.next(units.point(v))) },
        bounds,
        units.start,
        { ...options, maxIterations: Infinity },
        scheduled({ schedule, rate }, iterations),
      ),
    );
  } finally {
    batches.release();
  }
}
