import type { KindFacts } from '../kind.ts';

export const transpose: KindFacts = {
  title: 'transpose',
  summary: 'The axes in another order; reversed unless said.',
  group: 'shape',
  icon: 'shape',
  ports: ['values'],
  fields: [{ type: 'numbers', key: 'axes', label: 'Axes' }],
  equations: [['y_{ij} = x_{ji}', 'y i j is x j i']],
  where: 'Axes count from 0.',
  picture: {
    lines: 'M12.5 10.5H36.5V18.5H12.5zM20.5 10.5V18.5M28.5 10.5V18.5M42 14.5H48',
    accent: 'M58.5 2.5H66.5V26.5H58.5zM58.5 10.5H66.5M58.5 18.5H66.5',
  },
};
