import { array, same, type Recipe } from './recipe.ts';

export const concatenate: readonly Recipe[] = [
  {
    kind: 'concatenate',
    title: 'concatenate',
    hint: 'one after the other',
    words: 'join append',
    stem: 'joined',
    make: { values: [] },
    port: 'values',
    takes: array,
    gives: same,
  },
];
