import type { SensitivityFacts } from '../../method.ts';

export const dgsm = {
  title: 'DGSM',
  summary: 'Mean squared derivatives over the ranges, and the bound on Sᴛ that they give.',
  study: 'DGSM',
  ranksBy: 'bound',
  samples: 1024,
  sampled: 'samples',
  shards: 'rows',
  equations: [
    [
      '\\nu_j = \\mathrm{E}\\Big[\\Big(\\frac{\\partial f}{\\partial \\theta_j}\\Big)^2\\Big], \\quad S_{Tj} \\le \\frac{C_j\\, \\nu_j}{\\mathrm{Var} f}',
      'the mean squared derivative bounds the total index',
    ],
  ],
  where: 'Exact gradients make it far cheaper than Sobol’ indices; C is width²/π² for a uniform range.',
  source: 'Sobol’ & Kucherenko 2009, DOI 10.1016/j.matcom.2009.01.023',
} as const satisfies SensitivityFacts;
