import type { Recipe } from './recipe.ts';

export const randomEffect: readonly Recipe[] = [
  {
    kind: 'random-effect',
    title: 'random effect',
    hint: 'one for each group',
    words: 'mixed hierarchical population subject level',
    stem: 'u',
    make: {},
    port: 'like',
    takes: (element, rank) => element === 'int' && rank === 1,
    gives: () => 'real',
  },
];
