import type { Recipe } from './recipe.ts';

export const column: readonly Recipe[] = [
  {
    kind: 'column',
    title: 'column',
    hint: 'from a table',
    words: 'data table',
    stem: 'column',
    make: {},
    gives: () => 'real [n]',
  },
];
