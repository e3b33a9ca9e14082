import { array, same, type Recipe } from './recipe.ts';

export const scatter: readonly Recipe[] = [
  {
    kind: 'scatter',
    title: 'scatter',
    hint: 'put by index',
    words: 'index put write',
    stem: 'put',
    make: {},
    port: 'values',
    takes: array,
    gives: same,
  },
];
