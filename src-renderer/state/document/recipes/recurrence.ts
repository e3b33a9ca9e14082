import { array, real, type Recipe } from './recipe.ts';

export const recurrence: readonly Recipe[] = [
  {
    kind: 'recurrence',
    title: 'recurrence',
    hint: 'step by step',
    words: 'loop iterate state time series',
    stem: 'series',
    make: { state: { x: { initial: 0, next: 'x + u' } } },
    port: 'u',
    wired: (reference) => ({ inputs: { u: reference } }),
    takes: array,
    gives: real,
  },
];
