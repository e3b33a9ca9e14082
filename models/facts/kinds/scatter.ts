import { second, type KindFacts } from '../kind.ts';

export const scatter: KindFacts = {
  title: 'scatter',
  summary: 'An array with some of its rows replaced.',
  group: 'select',
  icon: 'scatter',
  ports: ['into', 'indices', 'values'],
  fields: [],
  equations: [['y_{\\,\\mathrm{index}_i} = v_i', 'y at index i is v i']],
  where: 'All other rows stay as they were.',
  picture: { before: [3, 3, 3, 3], after: [3, second(8), 3, second(6)] },
};
