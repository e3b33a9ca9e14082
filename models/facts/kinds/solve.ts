import type { KindFacts } from '../kind.ts';

export const solve: KindFacts = {
  title: 'equations',
  summary: 'Unknowns such that every equation is zero: equilibria, implicit curves.',
  group: 'combine',
  icon: 'quantity',
  ports: [],
  fields: [{ type: 'state', key: 'unknown', label: 'Unknowns', formula: 'equation' }],
  equations: [['F(y,\\, x) = 0', 'F of y and x is zero']],
  where: "y is found by Newton's method from its initial value; derivatives are those of the root, not of the search.",
  picture: { lines: 'M4 14H84', accent: 'M6 25C30 25 34 20 44 14C54 8 58 3 82 3' },
};
