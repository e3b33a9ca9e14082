import type { FitFacts } from '../../method.ts';

export const levenbergMarquardt = {
  title: 'Levenberg–Marquardt',
  summary: 'Trust region on the residuals and their exact Jacobian: the first choice for least squares.',
  equations: [
    [
      '\\min_s \\lVert J s + r \\rVert^2 \\;\\text{ where }\\; \\lVert D s \\rVert \\le \\delta',
      'the least squares step s within the trust region',
    ],
  ],
  where: 'r are the residuals, J their exact Jacobian. The region δ grows while the linear model keeps its promises.',
  source: 'Moré 1978, DOI 10.1007/BFb0067700',
} as const satisfies FitFacts;
