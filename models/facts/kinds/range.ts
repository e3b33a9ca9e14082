import type { KindFacts } from '../kind.ts';

export const range: KindFacts = {
  title: 'range',
  summary: 'Evenly spaced numbers: start, start + step, ….',
  group: 'sources',
  icon: 'range',
  ports: [],
  optional: ['like'],
  fields: [
    { type: 'number', key: 'length', label: 'Length' },
    { type: 'number', key: 'start', label: 'Start', hint: '0' },
    { type: 'number', key: 'step', label: 'Step', hint: '1' },
  ],
  equations: [['y_i = \\mathit{start} + i \\cdot \\mathit{step}', 'y i is start plus i times step']],
  where: 'i runs from 0 up to the length, or as far as what it is like.',
  picture: { after: [1.5, 3.5, 5.5, 7.5, 9.5] },
};
