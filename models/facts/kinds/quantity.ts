import type { KindFacts } from '../kind.ts';

export const quantity: KindFacts = {
  title: 'quantity',
  summary: 'A number that follows from parameters, with an interval of its own.',
  group: 'objective',
  icon: 'quantity',
  ports: [],
  fields: [{ type: 'formula', key: 'formula', label: 'Formula' }],
  equations: [
    [
      '\\operatorname{se}(q)^2 = \\nabla q^{\\mathsf T} C\\, \\nabla q',
      'the squared standard error of q is its gradient times the covariance times its gradient',
    ],
  ],
  where:
    'A half-life, a ratio, an area, a prediction: a formula over parameters and scalars. It changes no fit, and has an interval by every method: by its gradient, by profile, by replicates, by draws.',
  source: 'the delta method; a profile of q is one in which q is held',
  picture: { lines: 'M18 14.5H70M18 9V20M70 9V20', accent: 'M44 8.5L50 14.5L44 20.5L38 14.5z' },
};
