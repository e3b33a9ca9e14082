import type { SensitivityFacts } from '../../method.ts';

export const local = {
  title: 'Local',
  summary: 'Exact derivatives and elasticities at the values that are shown.',
  study: 'Local sensitivity',
  ranksBy: 'elasticity',
  ofArrays: true,
  equations: [
    [
      '\\frac{\\theta_j}{f} \\frac{\\partial f}{\\partial \\theta_j}',
      'theta over f times the derivative of f by theta',
    ],
  ],
  where: 'By how many per cent f changes when the parameter does by one, here.',
} as const satisfies SensitivityFacts;
