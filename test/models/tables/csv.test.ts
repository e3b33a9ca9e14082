import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, readCsv } from '../../../models/tables/csv.ts';
import { splitCsv, type CsvRows } from '../../../models/tables/split-csv.ts';
import { tableText, type Table } from '../../../models/tables/table.ts';
import { typeColumn } from '../../../models/tables/type-column.ts';

const read = (text: string, options = {}): Table => readCsv('t', 't.csv', text, options);

function column(table: Table, name: string): number[] {
  const raw = table.columns.get(name);
  const typed = raw && typeColumn(raw, undefined);
  if (!typed || 'row' in typed) throw new Error(`no column ${name}`);
  return [...typed.values];
}

describe('finding how a file is written', () => {
  it.each([
    ['commas', 'x,y\n1,2\n3,4\n'],
    ['semicolons', 'x;y\n1;2\n3;4\n'],
    ['tabs', 'x\ty\n1\t2\n3\t4\n'],
    ['bars', 'x|y\n1|2\n3|4\n'],
    ['CRLF', 'x,y\r\n1,2\r\n3,4\r\n'],
    ['old Mac breaks', 'x,y\r1,2\r3,4'],
    ['blank lines', '\nx,y\n\n1,2\n3,4\n\n'],
    ['blanks around cells', 'x , y\n 1,\t2\n3 ,4'],
    ['quoted names', '"x","y"\n1,2\n3,4'],
  ])('%s', (_, text) => {
    const table = read(text);
    expect([column(table, 'x'), column(table, 'y')]).toEqual([
      [1, 3],
      [2, 4],
    ]);
  });

  it.each([
    ['beside semicolons', 'x;y\n1,5;2\n3,25;4\n', [1.5, 3.25]],
    ['in both columns', 'x;y\n1,5;2,5\n3,25;4,5\n', [1.5, 3.25]],
    ['with exponents', 'x\ty\n1,5e3\t2\n-,5\t4\n', [1500, -0.5]],
    ['in one column', 'x\n1,5\n3,25\n', [1.5, 3.25]],
  ])('finds a decimal comma %s', (_, text, wanted) => {
    expect(column(read(text), 'x')).toEqual(wanted);
  });

  it('names columns that have no header', () => {
    expect([...read('1,2\n3,4').columns.keys()]).toEqual(['column1', 'column2']);
    expect([...read('x,y\n3,4', { header: false }).columns.keys()]).toEqual(['column1', 'column2']);
    expect([...read('1,2\n3,4', { header: true }).columns.keys()]).toEqual(['1', '2']);
    expect([...read('"",x\n"a",1').columns.keys()]).toEqual(['column1', 'x']);
  });

  it('takes what the document says before what it finds', () => {
    expect([...read('a;b,c\n1;2,3', { delimiter: ',' }).columns.keys()]).toEqual(['a;b', 'c']);
    expect(column(read('x;y\n1,5;2', { decimal: ',' }), 'x')).toEqual([1.5]);
  });
});

describe('delimiters at the end of lines', () => {
  it.each([
    ['of every line', 'x,y,\n1,2,\n3,4,\n'],
    ['of the header alone', 'x,y,\n1,2\n3,4\n'],
    ['of rows alone', 'x,y\n1,2,\n3,4\n'],
    ['several, as spreadsheets write them', 'x;y;;;\n1;2;;;\n3;4;;;\n'],
    ['of a long table', `x,y,\n${'1,2,\n'.repeat(20_000)}`],
    ['in quotes', '"x","y",""\n1,2,""\n3,4,""\n'],
  ])('make no column and cost no header: %s', (_, text) => {
    const table = read(text);
    expect([...table.columns.keys()]).toEqual(['x', 'y']);
    expect([column(table, 'x'), column(table, 'y')].map(([first]) => first)).toEqual([1, 2]);
  });

  it('are no header where one is not said, and a column where it has a name or a cell', () => {
    expect([...read('x,y,\n1,2,\n', { header: false }).columns.keys()]).toEqual(['column1', 'column2']);
    expect([...read('1,2,\n3,4,\n').columns.keys()]).toEqual(['column1', 'column2']);
    expect([...read('x,y,z\n1,2,\n3,4,\n').columns.keys()]).toEqual(['x', 'y', 'z']);
    expect([...read('x,y,\n1,2,\n3,4,5\n', { header: true }).columns.keys()]).toEqual(['x', 'y', 'column3']);
    expect([...read('x,\n1,\n').columns.keys()]).toEqual(['x']);
    expect(() => read('x,y\n1,2,3\n')).toThrow('row 1 (line 2) has 3 cells, and the table has 2 columns');
    expect(() => read('x,y,\n1\n2,3,\n')).toThrow('row 1 (line 2) has 1 cell,');
  });
});

describe('refusals', () => {
  it.each([
    ['a short row', 'x,y\n1,2\n3\n', /row 2 \(line 3\) has 1 cell, and the table has 2 columns/],
    ['a long row, after a blank line', 'x,y\n\n1,2,3\n', /row 1 \(line 3\) has 3 cells/],
    ['an open quote', 'x,y\n1,"2\n', /line 2: a quote that is not closed/],
    ['text after a quote', 'x,y\n1,"2"3\n', /line 2: "3" after a closing quote/],
    ['two columns of one name', 'x,x\n1,2\n', /two columns are named "x"/],
    ['nothing', '\n\n', /empty/],
  ])('%s', (_, text, says) => {
    expect(() => read(text)).toThrow(says);
  });
});

describe('decoding', () => {
  it('drops a byte order mark, reads UTF-16, and falls back on Windows-1252', () => {
    expect(decodeText(Uint8Array.of(0xef, 0xbb, 0xbf, 0x78))).toBe('x');
    expect(decodeText(Uint8Array.of(0xff, 0xfe, 0x78, 0, 0xb5, 0))).toBe('xµ');
    expect(decodeText(Uint8Array.of(0xb5, 0x6d))).toBe('µm');
    expect(decodeText(Uint8Array.of(0x80, 0x6d, 0x96, 0x9f, 0xb0))).toBe('€m–Ÿ°');
  });
});

const rowsOf = (rows: CsvRows): string[][] =>
  Array.from({ length: rows.count }, (_, row) =>
    Array.from({ length: rows.width(row) }, (_, column) => rows.cell(row, column)),
  );

const cell = fc.stringMatching(/^[a-z",;\n\r|\t ]{0,6}$/);

it('reads back whatever is quoted', () => {
  const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cell, cell, cell), { minLength: 1 }),
      fc.constantFrom(',', ';', '\t', '|'),
      (rows, delimiter) => {
        const text = rows.map((row) => row.map(quote).join(delimiter)).join('\n');
        expect(rowsOf(splitCsv(text, delimiter))).toEqual(rows);
      },
    ),
  );
});

it('reads back numbers in every delimiter and decimal mark', () => {
  const numbers = fc.array(fc.tuple(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer()), {
    minLength: 2,
  });
  fc.assert(
    fc.property(
      numbers,
      fc.constantFrom(';', '\t', '|'),
      fc.constantFrom('.' as const, ',' as const),
      (rows, delimiter, decimal) => {
        const write = (x: number): string => String(x).replace('.', decimal);
        const text = ['x', 'y'].join(delimiter) + '\n' + rows.map((row) => row.map(write).join(delimiter)).join('\n');
        const table = read(text, { decimal });
        expect(column(table, 'x')).toEqual(rows.map(([x]) => (Object.is(x, -0) ? 0 : x)));
        expect(tableText(table, 0, 1)[0]).toHaveLength(2);
      },
    ),
  );
});
