import { array, same, type Recipe } from './recipe.ts';

export const shift: readonly Recipe[] = [
  {
    kind: 'shift',
    title: 'shift',
    hint: 'the one before',
    words: 'lag previous delay',
    stem: 'before',
    make: {},
    port: 'values',
    takes: array,
    gives: same,
  },
];
