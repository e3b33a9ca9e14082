import { second, type KindFacts } from '../kind.ts';

export const filter: KindFacts = {
  title: 'filter',
  summary: 'The rows for which a condition holds.',
  group: 'select',
  icon: 'filter',
  ports: ['values'],
  fields: [{ type: 'formula', key: 'where', label: 'Where' }],
  equations: [['y = (x_i)_{\\; i:\\; c_i}', 'the x i for which c i holds']],
  where: 'The condition c is a formula; which rows are kept may depend on data, not on parameters.',
  picture: { before: [6, second(2), 8, second(3)], after: [6, 8] },
};
