/** The methods of fitting by name, and a fit from one start by them. */
import type { Answers } from './answers.ts';
import { judgeAll, judgeByProducts, unlessOutOfMemory, type Judged } from './arrival.ts';
import { DENSE, expansionOf, type FitContext } from './context.ts';
import { coordinateName } from './coordinates.ts';
import { endedAtKink, kinkQuestion } from './kinks.ts';
import type { WithMinimiser } from './method.ts';
import { adam } from './methods/adam.ts';
import { lbfgsb } from './methods/l-bfgs-b.ts';
import { levenbergMarquardt } from './methods/levenberg-marquardt.ts';
import { nelderMead } from './methods/nelder-mead.ts';
import { newtonCg } from './methods/newton-cg.ts';
import { isLarge } from './optimisers/large-least-squares.ts';
import type { Ending, FitProblem, OptimiserOptions } from './problem.ts';
import { curvatureOf, sweepOptions } from './questions.ts';

export const fitMethods = {
  'levenberg-marquardt': levenbergMarquardt,
  'l-bfgs-b': lbfgsb,
  'newton-cg': newtonCg,
  adam,
  'nelder-mead': nelderMead,
};
export type FitMethod = keyof typeof fitMethods;

/** The method that fits a problem where none is asked for. */
export function defaultMethod(problem: FitProblem): FitMethod {
  return problem.residuals.length > 0 ? 'levenberg-marquardt' : 'newton-cg';
}

export function withMinimiser<R>(method: FitMethod, context: FitContext, use: WithMinimiser<R>): R {
  return fitMethods[method].minimiser(context, use);
}

/** Names of the parameters that the method solves for. */
export function solvedNames(method: FitMethod, context: FitContext): readonly string[] {
  return fitMethods[method].solvesLinear ? context.solved() : [];
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
  const own = options.maxIterations === fitMethods[method].iterations;
  for (const { by, name, ...more } of otherWays(method, context)) {
    const left = own ? fitMethods[by].iterations : options.maxIterations - iterations;
    if (best.status !== 'not-converged' || best.endless || left <= 0) break;
    const next = await minimisedBy(by, context, answers, start, { ...quiet, ...more, maxIterations: left });
    iterations += next.iterations;
    if (next.status === 'cancelled') best = { ...best, status: 'cancelled', reason: next.reason };
    else if (next.status === 'converged' && !(energyOf(next) > energyOf(best) * (1 + 1e-6)))
      best = { ...next, reason: `${next.reason}; found ${name}, where ${method} found no minimum` };
    else if (!best.edge && energyOf(next) < energyOf(best) - SLIGHTLY * Math.abs(energyOf(best)))
      best = {
        ...next,
        reason: `${next.reason}; ${name}, which came lower than ${by === method ? 'with it' : method}`,
      };
  }
  if (best.status === 'not-converged' && !best.endless && !best.edge && own)
    best = await atKink(context, answers, best, options);
  const { reason } = best;
  return {
    ...best,
    reason: `${reason}${best.status === 'not-converged' ? shrunk(context, best, start) : ''}`,
    iterations,
  };
}

/** So much less than at its start, in logarithms, a spread may be on its way to 0 for ever. */
const FAR = Math.log(1e6);

/** What may be the cause where something positive beside random effects shrinks without an end: the spread within groups. */
function shrunk({ problem, all }: FitContext, { point, endless }: Ending, start: Float64Array): string {
  if (endless || !problem.effects) return '';
  const j = all.findIndex(
    ({ parameter, lower }, i) =>
      parameter.scale === 'log' && parameter.edge === undefined && lower === -Infinity && start[i]! - point[i]! > FAR,
  );
  if (j < 0) return '';
  const value = Number(Math.exp(point[j]!).toPrecision(2));
  return `; "${coordinateName(all[j]!)}" has shrunk to ${value} by then: if it is a spread, the likelihood has no maximum where nothing scatters (observations that are met exactly, or are the same within each group)`;
}

async function atKink(
  context: FitContext,
  answers: Answers,
  ending: Ending,
  options: OptimiserOptions,
): Promise<Ending> {
  const question = kinkQuestion(context);
  if (!question) return ending;
  const found = await endedAtKink((u) => answers.ask(question, u), context, ending, options);
  return found.unjudged ? judgedOne(context, answers, found, options) : found;
}

interface Way {
  readonly by: FitMethod;
  readonly name: string;
  readonly solved?: readonly number[];
}

/** By which others a minimum is looked for, in this order. */
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

const energyOf = ({ history }: Ending): number => history.at(-1)!;

async function minimisedBy(
  method: FitMethod,
  context: FitContext,
  answers: Answers,
  start: Float64Array,
  options: OptimiserOptions,
): Promise<Ending> {
  let ending = await descended(method, context, answers, start, options);
  if (fitMethods[method].solvesLinear && !options.solved) return { ...ending, solved: context.solved() };
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
      const [judged] = await judgeAll([ending], all, options, async ([u]) => [await answers.ask(question, u!)]);
      return judged!;
    }
    const products = curvatureOf(problem, all, problem.energy, sweepOptions(problem, device));
    return judgeByProducts(ending, all, (asked) => answers.ask(products, asked));
  });
}

function descended(
  method: FitMethod,
  context: FitContext,
  answers: Answers,
  start: Float64Array,
  options: OptimiserOptions,
): Promise<Ending> {
  return (
    fitMethods[method].alone?.(context, answers, start, options) ??
    withMinimiser(method, context, ({ question, minimise }) =>
      minimise((at) => answers.ask(question, at), start, options),
    )
  );
}
