/** Levenberg–Marquardt on the residuals; of many rows, on the products of the Jacobian's columns. */
import type { FitContext } from '../context.ts';
import type { Linearisation } from '../expansion.ts';
import type { Method } from '../method.ts';
import { isLarge, largeLeastSquares } from '../optimisers/large-least-squares.ts';
import { levenbergMarquardt as optimise, squaresMinimised } from '../optimisers/levenberg-marquardt.ts';
import { positionsOf } from '../optimisers/variable-projection.ts';

const isRough = ({ problem, all }: FitContext): boolean => isLarge(problem, all);

export const levenbergMarquardt: Method = {
  iterations: 1000,
  solvesLinear: true,
  looksElsewhere: true,
  isRough,
  refuses: ({ residuals }) =>
    residuals.length === 0
      ? 'levenberg-marquardt wants an objective of least-squares blocks without priors; try newton-cg'
      : undefined,
  minimiser(context, use) {
    const { all } = context;
    const solved = positionsOf(context.solved(), all);
    return use({
      question: isRough(context) ? context.compressed() : context.linearisation(),
      minimise: (ask, start, limits) => optimise(ask, all, start, { solved, ...limits }),
      steps: (start, limits) => squaresMinimised(all, start, { solved, ...limits }),
    });
  },
  alone(context, answers, start, options) {
    if (!isRough(context)) return undefined;
    const { all, linearisation, compressed } = context;
    const onRows = (u: Float64Array): Promise<Linearisation> => {
      answers.keepOnly(linearisation());
      return answers.ask(linearisation(), u);
    };
    return largeLeastSquares((u) => answers.ask(compressed(), u), onRows, all, start, options);
  },
};
