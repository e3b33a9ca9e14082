import { array, same, type Recipe } from './recipe.ts';

export const filter: readonly Recipe[] = [
  {
    kind: 'filter',
    title: 'filter',
    hint: 'rows for which it holds',
    words: 'where select subset rows condition',
    stem: 'kept',
    make: { values: [], where: 'x > 0' },
    port: 'values',
    wired: (reference) => ({ values: [reference], where: `${reference} > 0` }),
    takes: array,
    gives: same,
  },
];
