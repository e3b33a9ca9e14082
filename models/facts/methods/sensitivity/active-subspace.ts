import type { SensitivityFacts } from '../../method.ts';

export const activeSubspace = {
  title: 'Active subspace',
  summary: 'The directions in which the gradient varies: combinations of parameters that matter.',
  study: 'Active subspace',
  ranksBy: 'activityScore',
  samples: 1024,
  sampled: 'samples',
  shards: 'rows',
  equations: [
    [
      '\\mathrm{E}[\\nabla f\\, \\nabla f^{\\mathsf T}] = W \\Lambda W^{\\mathsf T}',
      'the eigenvectors of the mean outer product of the gradient',
    ],
  ],
  where: 'The columns of W with large eigenvalues are the combinations of parameters that f follows.',
  source: 'Constantine 2015, DOI 10.1137/1.9781611973860',
} as const satisfies SensitivityFacts;
