import type { KindFacts } from '../kind.ts';

export const map: KindFacts = {
  title: 'map',
  summary: 'A formula, element by element.',
  group: 'formulas',
  icon: 'map',
  ports: [],
  fields: [{ type: 'formulas', key: 'outputs', label: 'Formula' }],
  equations: [['y_i = f(a_i,\\, b_i,\\, \\dots)', 'y i is f of a i, b i and so on']],
  where: 'The names in the formula are its ports; a scalar goes with every element.',
  picture: { before: [2, 6, 3, 8], after: [1, 5, 1.7, 9.5] },
};
