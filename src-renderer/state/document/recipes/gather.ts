import { array, same, type Recipe } from './recipe.ts';

export const gather: readonly Recipe[] = [
  {
    kind: 'gather',
    title: 'gather',
    hint: 'take by index',
    words: 'index lookup take',
    stem: 'taken',
    make: {},
    port: 'from',
    takes: array,
    gives: same,
  },
  {
    kind: 'gather',
    title: 'gather',
    hint: 'as the indices',
    words: 'index lookup take',
    stem: 'taken',
    make: {},
    port: 'indices',
    takes: (element, rank) => element === 'int' && rank > 0,
    gives: (_, shape) => `real ${shape}`,
  },
];
