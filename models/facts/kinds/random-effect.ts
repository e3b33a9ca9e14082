import type { KindFacts } from '../kind.ts';

export const randomEffect: KindFacts = {
  title: 'random effect',
  summary: 'Effects of groups, drawn from a normal distribution that is estimated.',
  group: 'sources',
  icon: 'parameter',
  ports: ['like'],
  fields: [
    {
      type: 'choice',
      key: 'covariance',
      label: 'Covariance',
      choices: [
        { value: undefined, label: 'diagonal' },
        { value: 'full', label: 'full' },
        { value: 'none', label: 'said by other blocks' },
      ],
    },
    { type: 'numbers', key: 'sd', label: 'Standard deviation' },
    { type: 'truth', key: 'fixed', label: 'Known, not estimated' },
  ],
  equations: [['b_g \\sim \\mathcal{N}(0,\\,\\Sigma)', 'b of each group g is normal about 0 with covariance Sigma']],
  where:
    'An effect for each group of a category. A fit estimates how far they scatter, and integrates the effects themselves out.',
  source: 'Pinheiro and Bates 2000, Mixed-Effects Models in S and S-PLUS',
  picture: {
    lines: 'M10 24.5H78M28 24.5V18M38 24.5V9M50 24.5V9M60 24.5V18',
    accent: 'M12 24C30 24 34 5 44 5S58 24 76 24',
  },
};
