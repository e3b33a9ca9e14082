import type { SensitivityFacts } from '../../method.ts';

export const sobol = {
  title: 'Sobol’',
  summary: 'Shares of the variance: S₁ alone, Sᴛ with all interactions.',
  study: 'Sobol’ indices',
  ranksBy: 'ST',
  samples: 2048,
  sampled: 'samples',
  ofArrays: true,
  shards: 'rows',
  equations: [
    [
      'S_j = \\frac{\\mathrm{Var}\\, \\mathrm{E}[f \\mid \\theta_j]}{\\mathrm{Var} f}',
      'the share of the variance that theta j explains alone',
    ],
    [
      'S_{Tj} = \\frac{\\mathrm{E}\\, \\mathrm{Var}[f \\mid \\theta_{\\ne j}]}{\\mathrm{Var} f}',
      'the share that is left while theta j is unknown',
    ],
  ],
  where: 'Over the ranges or priors of all parameters; the difference is interaction.',
  source: 'Saltelli et al. 2010, DOI 10.1016/j.cpc.2009.09.018',
} as const satisfies SensitivityFacts;
