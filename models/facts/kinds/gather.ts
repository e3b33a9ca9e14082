import { second, type KindFacts } from '../kind.ts';

export const gather: KindFacts = {
  title: 'gather',
  summary: 'The elements that indices point at: one for each row, out of a table of a few.',
  group: 'select',
  icon: 'gather',
  ports: ['from', 'indices'],
  fields: [],
  equations: [['y_i = x_{\\,\\mathrm{index}_i}', 'y i is x at index i']],
  where: 'Gives each row the parameter of its group. Its derivative is a histogram.',
  picture: { before: [3, second(8)], after: [3, second(8), second(8), 3] },
};
