import { array, same, type Recipe } from './recipe.ts';

export const slice: readonly Recipe[] = [
  {
    kind: 'slice',
    title: 'slice',
    hint: 'a part of an axis',
    words: 'range part',
    stem: 'part',
    make: { start: 0 },
    port: 'values',
    takes: array,
    gives: same,
  },
];
