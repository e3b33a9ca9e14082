import type { KindFacts } from '../kind.ts';

export const matmul: KindFacts = {
  title: 'matrix product',
  summary: 'The product of matrices, or of a matrix and a vector.',
  group: 'shape',
  icon: 'matmul',
  ports: ['left', 'right'],
  fields: [],
  equations: [['y_{ij} = \\sum_k a_{ik}\\, b_{kj}', 'y i j is the sum over k of a i k times b k j']],
  where: 'As many columns on the left as rows on the right.',
  picture: {
    lines: 'M8.5 4.5H28.5V24.5H8.5zM8.5 14.5H28.5M34.5 4.5H54.5V24.5H34.5zM44.5 4.5V24.5',
    accent: 'M60.5 4.5H80.5V24.5H60.5zM60.5 14.5H80.5M70.5 4.5V24.5',
  },
};
