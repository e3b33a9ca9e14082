import { array, same, type Recipe } from './recipe.ts';

export const reverse: readonly Recipe[] = [
  {
    kind: 'reverse',
    title: 'reverse',
    hint: 'back to front',
    words: 'flip',
    stem: 'reversed',
    make: {},
    port: 'values',
    takes: array,
    gives: same,
  },
];
