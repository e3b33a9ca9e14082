import type { KindFacts } from '../kind.ts';

export const group: KindFacts = {
  title: 'group',
  summary: 'Blocks used as one, with names of their own inside.',
  group: 'structure',
  icon: 'group',
  ports: [],
  fields: [],
  equations: [],
  where: 'It unfolds in place; its ports are those that reach outside.',
  picture: {
    lines: 'M20.5 3.5H67.5V25.5H20.5z',
    accent: 'M27.5 8.5H38.5V15.5H27.5zM49.5 13.5H60.5V20.5H49.5zM38.5 12H44V17H49.5',
  },
};
