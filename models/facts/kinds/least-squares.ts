import type { KindFacts } from '../kind.ts';

export const leastSquares: KindFacts = {
  title: 'least squares',
  summary: 'The sum of squared differences between a prediction and what was observed.',
  group: 'objective',
  icon: 'objective',
  objective: true,
  ports: ['prediction', 'observed'],
  optional: ['sigma', 'weights'],
  fields: [{ type: 'loss', key: 'loss', label: 'Loss' }],
  equations: [
    [
      '\\chi^2 = \\sum_i \\Big(\\frac{y_i - f_i}{\\sigma_i}\\Big)^2',
      'chi squared is the sum of squares of y minus f over sigma',
    ],
  ],
  where: 'y is observed, f predicted; without σ all rows count alike. A robust loss bends large residuals down.',
  picture: { lines: 'M18 9V16.5M32 21V17M46 9.5V15M60 16.5V12', accent: 'M10 15C30 20 50 16 78 6' },
};
