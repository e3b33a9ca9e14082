import { numeric, type Recipe } from './recipe.ts';

export const quantity: readonly Recipe[] = [
  {
    kind: 'quantity',
    title: 'quantity',
    hint: 'a number with an interval',
    words: 'derived formula half-life ratio area delta method standard error prediction',
    stem: 'q',
    make: { formula: 'x' },
    port: 'x',
    wired: (reference) => ({ formula: reference }),
    takes: (element, rank) => numeric(element) && rank === 0,
    gives: () => 'real',
  },
];
