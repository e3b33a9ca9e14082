/** Adam, from gradients in units of the start: of all rows, or of a batch of them at each step. */
import type { Answers } from '../answers.ts';
import type { FitContext } from '../context.ts';
import { slopeOf } from '../marginal/questions.ts';
import type { Method } from '../method.ts';
import { adam as optimise, adamOnBatches } from '../optimisers/adam.ts';
import { scheduled } from '../optimisers/schedules.ts';
import { inUnitsOfStart } from '../optimisers/units.ts';
import type { Ending, OptimiserOptions } from '../problem.ts';
import { sweepOptions } from '../questions.ts';
import { openRowBatches } from '../row-batches.ts';
import { rowSums } from '../row-sums.ts';

/** Iterations of a schedule that knows its end; with batches, epochs, and iterations at least. */
const SCHEDULED = 2000;
const EPOCHS = 50;
const MOST = 20_000;

export const adam: Method = {
  iterations: MOST,
  refuses: ({ effects }) =>
    effects && 'adam steps too coarsely for a likelihood whose effects are integrated out; take newton-cg or l-bfgs-b',
  minimiser: ({ problem, device, all, adam: how }, use) =>
    use({
      question: slopeOf(problem, all, problem.energy, sweepOptions(problem, device)),
      minimise: (ask, start, limits) =>
        inUnitsOfStart(all, start, limits, ({ bounds, options, ...units }) =>
          optimise(
            async (v) => units.slope(await ask(units.point(v))),
            bounds,
            units.start,
            options,
            scheduled(how, SCHEDULED),
          ),
        ),
    }),
  alone: (context, answers, start, options) =>
    context.adam.batch === undefined ? undefined : byBatches(context, answers, start, options),
};

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
        // Its schedule ends it, unless fewer are asked for.
        { ...options, maxIterations: options.maxIterations === MOST ? Infinity : options.maxIterations },
        scheduled({ schedule, rate }, iterations),
      ),
    );
  } finally {
    batches.release();
  }
}
