import type { Recipe } from './recipe.ts';

export const parameter: readonly Recipe[] = [
  {
    kind: 'parameter',
    title: 'parameter',
    hint: 'what a fit may change',
    words: 'slider unknown variable',
    stem: 'k',
    make: { initial: 1 },
    gives: () => 'real',
  },
];
