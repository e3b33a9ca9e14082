import { same, type Recipe } from './recipe.ts';

export const transpose: readonly Recipe[] = [
  {
    kind: 'transpose',
    title: 'transpose',
    hint: 'swap axes',
    words: 'matrix axes',
    stem: 'transposed',
    make: {},
    port: 'values',
    takes: (_, rank) => rank > 1,
    gives: same,
  },
];
