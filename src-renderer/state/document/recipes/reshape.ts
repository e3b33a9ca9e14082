import { array, same, type Recipe } from './recipe.ts';

export const reshape: readonly Recipe[] = [
  {
    kind: 'reshape',
    title: 'reshape',
    hint: 'same elements, other axes',
    words: 'matrix axes',
    stem: 'reshaped',
    make: { shape: [-1] },
    port: 'values',
    takes: array,
    gives: same,
  },
];
