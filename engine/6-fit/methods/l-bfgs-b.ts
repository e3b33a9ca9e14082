/** L-BFGS-B, from gradients in units of the start. */
import { slopeOf } from '../marginal/questions.ts';
import type { Method } from '../method.ts';
import { lbfgsb as optimise } from '../optimisers/l-bfgs-b.ts';
import { inUnitsOfStart } from '../optimisers/units.ts';
import { sweepOptions } from '../questions.ts';

export const lbfgsb: Method = {
  iterations: 10_000,
  minimiser: ({ problem, device, all }, use) =>
    use({
      question: slopeOf(problem, all, problem.energy, sweepOptions(problem, device)),
      minimise: (ask, start, limits) =>
        inUnitsOfStart(all, start, limits, ({ bounds, options, ...units }) =>
          optimise(async (v) => units.slope(await ask(units.point(v))), bounds, units.start, options),
        ),
    }),
};
