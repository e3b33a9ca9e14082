import type { FitFacts } from '../../method.ts';

export const adam = {
  title: 'Adam',
  summary: 'First-order steps of adapted length: for rough objectives.',
  equations: [
    [
      'u \\leftarrow u - \\eta\\, \\hat m / \\sqrt{\\hat v}',
      'u moves by eta times the mean gradient over its root mean square',
    ],
  ],
  where: 'm̂ and v̂ are running means of the gradient and of its square. Expect four digits.',
  source: 'Kingma & Ba 2015, arXiv:1412.6980',
} as const satisfies FitFacts;
