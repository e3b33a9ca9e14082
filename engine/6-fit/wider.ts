/**
 * A fit looks further than its start where that start has led nowhere, across a sign, or its residuals are no noise (the runs test): a search
 * (search.ts) of the model's own scales, and descents from the lowest points that it finds. Only of problems so small that it
 * takes no longer than a blink; `--starts` asks for it elsewhere.
 */
import type { ConstructKind } from '../0-ir/program.ts';
import type { Answers } from './answers.ts';
import { startingPoint } from './coordinates.ts';
import { batched } from './ensembles/batched-objective.ts';
import { inStep } from './ensembles/lanes.ts';
import { isLarge } from './optimisers/large-least-squares.ts';
import type { FitContext } from './context.ts';
import { defaultMethod, fitMethods, solvedNames, withMinimiser, type FitMethod } from './methods.ts';
import { isCancelled, type Ending, type OptimiserOptions } from './problem.ts';
import { runsTest } from './report/residual-tests.ts';
import { search } from './search.ts';
import { isLinear, positionsOf } from './optimisers/variable-projection.ts';

/** Entries of the Jacobian, and coordinates, up to which a search is a blink. */
const SMALL = 4000;
const FEW = 12;
/** Constructs of a model whose rows are formulas; others take much longer, or are a solver. */
const QUICK: ReadonlySet<ConstructKind> = new Set([
  ...(['map', 'reduce', 'literal', 'iota', 'replicate', 'reshape', 'transpose', 'slice', 'gather'] as const),
]);
const STARTS = 64;
/** Of the search's points, those from which a descent goes to its end. */
const DESCENTS = 8;
/** Below this p-value of the runs test residuals are no noise. */
const NOISE = 0.05;
const LOWER = 1e-6;

/** A converged end that lies lower than `ending`, if the search finds one. */
export async function lowerElsewhere(
  method: FitMethod,
  context: FitContext,
  answers: Answers,
  ending: Ending,
  options: OptimiserOptions,
): Promise<Ending | undefined> {
  const asked = options.maxIterations !== fitMethods[method].iterations;
  if (asked || !isSmall(method, context)) return undefined;
  if (!hasCrossed(method, context, ending) && !(await isDoubtful(context, answers, ending))) return undefined;
  const found = await lowest(context, options);
  const reached = energyOf(ending);
  if (!found || (ending.status === 'converged' && !(energyOf(found) < reached - LOWER * Math.abs(reached))))
    return undefined;
  const why = `from the start the fit ended at ${Number(reached.toPrecision(6))}`;
  return {
    ...{ ...found, reason: `${found.reason}; found from elsewhere: ${why}` },
    iterations: ending.iterations + found.iterations,
    history: [...ending.history, energyOf(found)],
  };
}

function isSmall(method: FitMethod, { problem, device, all }: FitContext): boolean {
  if (!fitMethods[method].looksElsewhere) return false;
  // The interpreter and an integral over effects take longer than a blink.
  if (device.kind === 'reference' || problem.effects) return false;
  const rows = Math.max(1, ...[...problem.data.values()].map(({ length }) => length));
  if (all.length > FEW || rows * all.length > SMALL || isLarge(problem, all)) return false;
  if (!problem.program.statements.every(({ construct }) => QUICK.has(construct.kind))) return false;
  return problem.residuals.length === 0 || !isLinear(problem);
}

/**
 * Whether a parameter has changed its sign on the way to a minimum of squares: what has a pole there, as V·x/(K + x) has from K = 0
 * downwards, is stepped across, and has minima of its own on the other side. One that is solved for crosses nothing.
 */
function hasCrossed(method: FitMethod, context: FitContext, { status, point }: Ending): boolean {
  const { problem, all } = context;
  if (status !== 'converged' || problem.residuals.length === 0) return false;
  const solved = positionsOf(solvedNames(method, context), all);
  const own = startingPoint(all);
  return all.some(({ parameter }, j) => parameter.scale === 'linear' && !solved.includes(j) && own[j]! * point[j]! < 0);
}

async function isDoubtful(context: FitContext, answers: Answers, { status, point }: Ending): Promise<boolean> {
  // A start without a value is for its author to mend.
  if (status !== 'converged') return status === 'not-converged';
  if (context.problem.residuals.length === 0) return false;
  const { residuals } = await answers.ask(context.linearisation(), point);
  return runsTest(Array.from(residuals)).p < NOISE;
}

/** The lowest of the converged ends of the descents. */
async function lowest(context: FitContext, options: OptimiserOptions): Promise<Ending | undefined> {
  const { problem, device, all } = context;
  const method = defaultMethod(problem);
  return withMinimiser(method, context, async ({ question, steps }) => {
    if (!steps) return undefined;
    const names = solvedNames(method, context);
    const solved = positionsOf(names, all);
    const { onIteration, ...quiet } = { ...options, maxIterations: fitMethods[method].iterations };
    void onIteration;
    const batch = await batched(question, problem, device, options.cancel);
    try {
      const shared = { answerAll: batch.at, options: quiet };
      const found = await search({ all, own: startingPoint(all), solved, steps, ...shared }, STARTS, 0);
      let best: Ending | undefined;
      await inStep(found.slice(0, DESCENTS), batch.at, {
        begin: ({ point }) => steps(point, quiet),
        stopped: (ending): Ending => ({ ...ending, status: 'cancelled' }),
        onEnd(ending) {
          if (ending.status === 'converged' && !(energyOf(ending) >= energyOf(best))) best = ending;
        },
      });
      return best && !isCancelled(options.cancel) ? { ...best, solved: names } : undefined;
    } finally {
      batch.release();
    }
  });
}

const energyOf = (ending: Ending | undefined): number => ending?.history.at(-1) ?? NaN;
