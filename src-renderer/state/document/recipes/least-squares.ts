import { numericArray, type Recipe } from './recipe.ts';

export const leastSquares: readonly Recipe[] = [
  {
    kind: 'least-squares',
    title: 'least squares',
    hint: 'fit to observations',
    words: 'objective loss chi residuals sum',
    stem: 'misfit',
    make: {},
    port: 'prediction',
    takes: numericArray,
    gives: () => 'real',
    noOutput: true,
  },
  {
    kind: 'least-squares',
    title: 'least squares',
    hint: 'as the observations',
    words: 'objective loss observed data',
    stem: 'misfit',
    make: {},
    port: 'observed',
    takes: numericArray,
    gives: () => 'real',
    noOutput: true,
  },
];
