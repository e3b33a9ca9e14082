import type { SensitivityFacts } from '../../method.ts';

export const morris = {
  title: 'Morris',
  summary: 'Elementary effects over the ranges: which parameters matter at all.',
  study: 'Morris',
  ranksBy: 'muStar',
  samples: 64,
  sampled: 'trajectories',
  shards: 'trajectories',
  equations: [
    [
      '\\mu^{*}_j = \\mathrm{mean}\\, \\Big| \\frac{f(\\theta + \\Delta e_j) - f(\\theta)}{\\Delta} \\Big|',
      'the mean absolute elementary effect',
    ],
  ],
  where: 'σ, the spread of the effects, tells of curvature and interactions.',
  source: 'Morris 1991, DOI 10.1080/00401706.1991.10484804',
} as const satisfies SensitivityFacts;
