import { axis, type KindFacts } from '../kind.ts';

export const reverse: KindFacts = {
  title: 'reverse',
  summary: 'The elements in the opposite order.',
  group: 'shape',
  icon: 'shape',
  ports: ['values'],
  fields: [axis],
  equations: [['y_i = x_{n-1-i}', 'y i is x at n minus 1 minus i']],
  where: 'n is the length of the axis.',
  picture: { before: [2, 4, 6, 8], after: [8, 6, 4, 2] },
};
