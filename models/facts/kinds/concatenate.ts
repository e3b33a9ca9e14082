import { axis, second, type KindFacts } from '../kind.ts';

export const concatenate: KindFacts = {
  title: 'concatenate',
  summary: 'Arrays one after the other.',
  group: 'shape',
  icon: 'shape',
  ports: ['values'],
  fields: [axis],
  equations: [['y = (a_0, \\dots, a_{n-1},\\, b_0, \\dots)', 'all of a, then all of b']],
  where: 'The other axes have to agree.',
  picture: { before: [4, 6], after: [4, 6, second(8), second(3)] },
};
