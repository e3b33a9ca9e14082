/** Newton's method by exact Hessians; of many parameters by their products with directions, in units of the start. */
import { DENSE } from '../context.ts';
import { pointOf, wholly } from '../expansion.ts';
import { putting } from '../asking.ts';
import { isSifting } from '../long/hessian-products.ts';
import type { Method } from '../method.ts';
import { newtonCg as optimise } from '../optimisers/newton-cg.ts';
import { curveMinimised, newton } from '../optimisers/newton.ts';
import { inUnitsOfStart } from '../optimisers/units.ts';
import { curvatureOf, sweepOptions } from '../questions.ts';
import type { CurvatureQuestion, Curved } from '../stationary/stationary.ts';

export const newtonCg: Method = {
  iterations: 1000,
  looksElsewhere: true,
  minimiser({ problem, device, all, descent }, use) {
    if (all.length <= DENSE) {
      const question = descent();
      if (isSifting(question))
        return use({
          question,
          minimise: (ask, start, limits) => newton(ask, all, start, limits, question),
          steps: (start, limits) => curveMinimised(all, start, limits, question),
        });
      return use({
        question,
        minimise: (ask, start, limits) => newton(wholly(ask), all, start, limits),
        steps: (start, limits) => putting(curveMinimised(all, start, limits), pointOf),
      });
    }
    return use({
      question: curvatureOf(problem, all, problem.energy, sweepOptions(problem, device)),
      minimise: (ask, start, limits) =>
        inUnitsOfStart(all, start, limits, ({ bounds, options, ...units }) => {
          const inUnits = async ({ point, direction }: CurvatureQuestion): Promise<Curved> => {
            const curved = await ask({ point: units.point(point), direction: units.direction(direction) });
            return { ...units.slope(curved), product: units.direction(curved.product) };
          };
          return optimise(inUnits, bounds, units.start, options);
        }),
    });
  },
};
