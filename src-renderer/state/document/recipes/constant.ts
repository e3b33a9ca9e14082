import type { Recipe } from './recipe.ts';

export const constant: readonly Recipe[] = [
  {
    kind: 'constant',
    title: 'constant',
    hint: 'a number that stays',
    words: 'number value',
    stem: 'c',
    make: { value: 1 },
    gives: () => 'real',
  },
];
