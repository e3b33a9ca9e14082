import type { KindFacts } from '../kind.ts';

export const reshape: KindFacts = {
  title: 'reshape',
  summary: 'The same elements in another shape.',
  group: 'shape',
  icon: 'shape',
  ports: ['values'],
  fields: [{ type: 'numbers', key: 'shape', label: 'Shape' }],
  equations: [],
  where: 'The order of the elements stays, row by row; −1 stands for what is left.',
  picture: {
    lines: 'M8.5 10.5H40.5V18.5H8.5zM16.5 10.5V18.5M24.5 10.5V18.5M32.5 10.5V18.5M46 14.5H52',
    accent: 'M60.5 6.5H76.5V22.5H60.5zM68.5 6.5V22.5M60.5 14.5H76.5',
  },
};
