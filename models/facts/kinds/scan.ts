import { axis, operator, type KindFacts } from '../kind.ts';

export const scan: KindFacts = {
  title: 'scan',
  summary: 'All elements up to each one combined: a running total, a linear recurrence.',
  group: 'combine',
  icon: 'scan',
  ports: ['values'],
  fields: [
    operator,
    axis,
    { type: 'truth', key: 'exclusive', label: 'Exclusive' },
    { type: 'truth', key: 'reverse', label: 'Reverse' },
  ],
  equations: [['y_i = x_0 \\odot x_1 \\odot \\dots \\odot x_i', 'y i is x 0 combined with x 1 up to x i']],
  where: 'With the operator (b₁ + c₁x) then (b₂ + c₂x) it solves a linear recurrence in parallel.',
  source: 'Blelloch 1990, Prefix sums and their applications',
  picture: { before: [2, 3, 1, 3.5], after: [2, 5, 6, 9.5] },
};
