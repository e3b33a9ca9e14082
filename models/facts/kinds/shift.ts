import { axis, second, type KindFacts } from '../kind.ts';

export const shift: KindFacts = {
  title: 'shift',
  summary: 'Every element moved along; by 1, the value before.',
  group: 'select',
  icon: 'shape',
  ports: ['values'],
  fields: [
    { type: 'number', key: 'by', label: 'By', hint: '1' },
    { type: 'number', key: 'fill', label: 'Fill', hint: '0' },
    axis,
  ],
  equations: [['y_i = x_{i-k}', 'y i is x at i minus k']],
  where: 'k is how far; what comes in at the end is the fill.',
  picture: { before: [3, 6, 8, 5], after: [second(0.6), 3, 6, 8] },
};
