import { any, real, type Recipe } from './recipe.ts';

export const map: readonly Recipe[] = [
  {
    kind: 'map',
    title: 'map',
    hint: 'a formula',
    words: 'formula function expression elementwise',
    stem: 'f',
    make: { formula: 'x' },
    port: 'x',
    wired: (reference) => ({ formula: reference }),
    takes: any,
    gives: real,
  },
];
