import { real, type Recipe } from './recipe.ts';

export const solve: readonly Recipe[] = [
  {
    kind: 'solve',
    title: 'equations',
    hint: 'unknowns from equations',
    words: 'solve root implicit equilibrium steady state newton unknown',
    stem: 'root',
    make: { unknown: { y: { initial: 1, equation: 'y^3 + y - x' } } },
    port: 'x',
    wired: (reference) => ({ unknown: { y: { initial: 1, equation: `y^3 + y - ${reference}` } } }),
    takes: (element) => element !== 'bool',
    gives: real,
  },
];
