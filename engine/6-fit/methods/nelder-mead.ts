/** Nelder & Mead's simplex, from values alone. */
import { scalarsOf } from '../marginal/questions.ts';
import type { Method } from '../method.ts';
import { nelderMead as optimise } from '../optimisers/nelder-mead.ts';

export const nelderMead: Method = {
  iterations: 20_000,
  minimiser: ({ problem, all }, use) =>
    use({
      question: scalarsOf(problem, all, [problem.energy]),
      minimise: (ask, start, limits) => optimise(async (u) => (await ask(u))[0]!, all, start, limits),
    }),
};
