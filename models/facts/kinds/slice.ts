import { axis, second, type KindFacts } from '../kind.ts';

export const slice: KindFacts = {
  title: 'slice',
  summary: 'Part of an array: from start, before stop, every step-th.',
  group: 'select',
  icon: 'shape',
  ports: ['values'],
  fields: [
    { type: 'number', key: 'start', label: 'Start', hint: '0' },
    { type: 'number', key: 'stop', label: 'Stop', hint: 'end' },
    { type: 'number', key: 'step', label: 'Step', hint: '1' },
    axis,
  ],
  equations: [['y_i = x_{\\mathit{start} + i \\cdot \\mathit{step}}', 'y i is x at start plus i times step']],
  where: 'It ends before stop; a negative number counts from the end.',
  picture: { before: [second(2), 7, 5, 4, second(8)], after: [7, 5, 4] },
};
