import { operator, second, type KindFacts } from '../kind.ts';

export const histogram: KindFacts = {
  title: 'histogram',
  summary: 'Elements combined by key: counts, sums for each group.',
  group: 'combine',
  icon: 'histogram',
  ports: ['keys', 'values'],
  optional: ['initial', 'bins'],
  fields: [operator, { type: 'number', key: 'bins', label: 'Bins' }],
  equations: [['y_b = \\bigodot_{i:\\; \\mathrm{key}_i = b} x_i', 'y b combines all x i whose key is b']],
  where: 'Keys are whole numbers from 0; what lies outside the bins is left out. It needs a commutative operator.',
  source: 'Futhark’s reduce_by_index',
  picture: { before: [3, second(2), 4, second(1.5)], after: [7, second(3.5)] },
};
