import type { KindFacts } from '../kind.ts';

export const constant: KindFacts = {
  title: 'constant',
  summary: 'A number, or an array of numbers, that no fit changes.',
  group: 'sources',
  icon: 'constant',
  ports: [],
  fields: [
    { type: 'numbers', key: 'value', label: 'Value' },
    {
      type: 'choice',
      key: 'type',
      label: 'Type',
      choices: [
        { value: undefined, label: 'real' },
        { value: 'int', label: 'int' },
      ],
    },
  ],
  equations: [],
  where: 'A number, a list or a table of numbers.',
  picture: { after: [7] },
};
