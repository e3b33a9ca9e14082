import type { Recipe } from './recipe.ts';

export const range: readonly Recipe[] = [
  {
    kind: 'range',
    title: 'range',
    hint: '0, 1, 2, …',
    words: 'iota index count sequence',
    stem: 'i',
    make: { length: 10 },
    gives: () => 'int [10]',
  },
];
