import { numericArray, real, type Recipe } from './recipe.ts';

export const interpolate: readonly Recipe[] = [
  {
    kind: 'interpolate',
    title: 'interpolate',
    hint: 'between points',
    words: 'linear lookup curve table',
    stem: 'between',
    make: {},
    port: 'x',
    takes: numericArray,
    gives: real,
  },
  {
    kind: 'interpolate',
    title: 'interpolate',
    hint: 'as the values of the points',
    words: 'linear lookup curve table',
    stem: 'between',
    make: {},
    port: 'ys',
    takes: numericArray,
    gives: () => 'real',
  },
];
