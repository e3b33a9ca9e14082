import { real, type Recipe } from './recipe.ts';

export const ode: readonly Recipe[] = [
  {
    kind: 'ode',
    title: 'differential equation',
    hint: 'rates over time',
    words: 'ode dynamics simulate rate derivative kinetics compartment',
    stem: 'dynamics',
    make: { state: { x: { initial: 1, rate: '-0.1 * x' } } },
    port: 'times',
    wired: (reference) => ({ times: reference }),
    takes: (element, rank) => element !== 'bool' && rank === 1,
    gives: real,
  },
];
