import type { KindFacts } from '../kind.ts';

export const parameter: KindFacts = {
  title: 'parameter',
  summary: 'A number, or an array of numbers, that a fit may change.',
  group: 'sources',
  icon: 'parameter',
  ports: [],
  fields: [],
  equations: [['\\theta \\in [l,\\,u]', 'theta between l and u']],
  where:
    'A start value, bounds and a scale, and a prior where something is known beforehand. A fit leaves fixed ones alone.',
  picture: { lines: 'M20 14.5H68M20 11V18M68 11V18', accent: 'M48 14.5A4 4 0 1 1 40 14.5A4 4 0 1 1 48 14.5z' },
};
