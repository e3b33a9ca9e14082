import { numericArray, type Recipe } from './recipe.ts';

export const matmul: readonly Recipe[] = [
  {
    kind: 'matmul',
    title: 'matrix product',
    hint: 'from the left',
    words: 'matmul dot linear',
    stem: 'product',
    make: {},
    port: 'left',
    takes: numericArray,
    gives: () => 'real',
  },
];
