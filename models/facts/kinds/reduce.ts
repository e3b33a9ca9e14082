import { axis, operator, type KindFacts } from '../kind.ts';

export const reduce: KindFacts = {
  title: 'reduce',
  summary: 'All elements along an axis combined into one: a sum, a product, an extreme.',
  group: 'combine',
  icon: 'reduce',
  ports: ['values'],
  fields: [operator, axis],
  equations: [['y = x_0 \\odot x_1 \\odot \\dots \\odot x_{n-1}', 'y is x 0 combined with x 1 up to the last']],
  where: '⊙ is any associative operator: the computer may put the brackets where it likes.',
  source: 'Futhark’s reduce',
  picture: { before: [2, 3, 1, 3.5], after: [9.5] },
};
