import type { KindFacts } from '../kind.ts';

export const interpolate: KindFacts = {
  title: 'interpolate',
  summary: 'Straight lines between given points.',
  group: 'formulas',
  icon: 'map',
  ports: ['x', 'xs', 'ys'],
  fields: [],
  equations: [
    [
      'y = y_k + (y_{k+1} - y_k)\\,\\frac{x - x_k}{x_{k+1} - x_k}',
      'on the straight line between the neighbouring points',
    ],
  ],
  where: 'x lies between the grid points xₖ and xₖ₊₁.',
  picture: { lines: 'M16 21L34 9L54 14L74 5', accent: 'M46 12A2.5 2.5 0 1 1 41 12A2.5 2.5 0 1 1 46 12z' },
};
