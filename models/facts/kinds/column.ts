import type { KindFacts } from '../kind.ts';

export const column: KindFacts = {
  title: 'column',
  summary: 'A column of a table: numbers, categories or dates.',
  group: 'sources',
  icon: 'column',
  ports: [],
  fields: [
    { type: 'table', key: 'table', label: 'Table' },
    { type: 'column', key: 'column', label: 'Column' },
    {
      type: 'choice',
      key: 'type',
      label: 'Type',
      choices: [
        { value: undefined, label: 'as found' },
        { value: 'real', label: 'real' },
        { value: 'int', label: 'int' },
        { value: 'category', label: 'category' },
      ],
    },
  ],
  equations: [],
  where: 'Numbers as they stand in the file; words become categories, which index from 0.',
  picture: { lines: 'M26 4.5H62V24.5H26zM26 10.5H62M26 17.5H62M38 4.5V24.5', accent: 'M50 4.5V24.5' },
};
