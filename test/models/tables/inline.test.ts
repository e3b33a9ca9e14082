/** A table that is taken out of its file into the document means what it meant. */
import { describe, expect, it } from 'vitest';
import { inlineColumns, type Uses } from '../../../models/tables/inline.ts';
import { readCsv } from '../../../models/tables/csv.ts';

const read = (text: string, uses: Uses = new Map()) => inlineColumns(readCsv('t', 't.csv', text, {}), uses);

describe('columns of a document', () => {
  it('are numbers, nulls where a cell is missing, and words', () => {
    expect(read('x,who\n1.50,a\nNA,b\n-Infinity,a\n')).toEqual({ x: [1.5, null, '-Infinity'], who: ['a', 'b', 'a'] });
  });

  it('have numbers with a decimal comma as numbers', () => {
    expect(read('x;y\n1,5;2\n2,25;3\n')).toEqual({ x: [1.5, 2.25], y: [2, 3] });
  });

  it('keep labels to the letter where a block takes them as such', () => {
    const text = 'id,y\n007,1\n7,2\n';
    expect(read(text, new Map([['id', ['category']]]))['id']).toEqual(['007', '7']);
    expect(read(text)['id']).toEqual([7, 7]);
  });

  it('are refused where blocks take a column in ways that no list of cells serves', () => {
    const both: Uses = new Map([['id', ['category', undefined]]]);
    expect(() => read('id,y\n007,1\n7,2\n', both)).toThrow('the column "id" would be another in a document');
  });

  it('are dates as they are written', () => {
    expect(read('day\n2024-01-31\n2024-02-01\n')).toEqual({ day: ['2024-01-31', '2024-02-01'] });
  });

  it('are refused of a table that is too long for a document', () => {
    const rows = Array.from({ length: 100_001 }, (_, i) => `${i},1`).join('\n');
    expect(() => read(`x,y\n${rows}\n`)).toThrow('the table has 200002 cells; a document takes 200000 of them');
  });
});
