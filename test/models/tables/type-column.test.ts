import { describe, expect, it } from 'vitest';
import { columnTable, readJsonTable } from '../../../models/tables/json-table.ts';
import { readCsv } from '../../../models/tables/csv.ts';
import { readNpy } from '../../../models/tables/npy.ts';
import { readParquet } from '../../../models/tables/parquet.ts';
import { parquetFile } from '../../support/files/parquet.ts';
import { typeColumn, type ColumnType } from '../../../models/tables/type-column.ts';

function typed(lines: readonly string[], type?: ColumnType) {
  const raw = readCsv('t', 't.csv', ['x;n', ...lines.map((line, i) => `${line};${i}`)].join('\n'), {
    header: true,
  }).columns.get('x');
  if (!raw) throw new Error('no column');
  const { values, ...rest } = { values: undefined, ...typeColumn(raw, type) };
  return { ...rest, ...(values && { values: [...values] }) };
}

function npyFile(header: string, data: ArrayBufferView): Uint8Array {
  const head = [0x93, ...Buffer.from('NUMPY'), 1, 0, header.length & 255, header.length >> 8];
  return Uint8Array.from([...head, ...Buffer.from(header), ...new Uint8Array(data.buffer)]);
}

describe('without a type', () => {
  it.each([
    ['numbers', ['1', '-2.5', '1e3', '+.5', '5.'], { element: 'real', values: [1, -2.5, 1000, 0.5, 5] }],
    ['missing cells', ['1', '', 'NA', 'NaN', 'null'], { element: 'real', values: [1, NaN, NaN, NaN, NaN], missing: 4 }],
    ['infinities', ['Inf', '-Infinity'], { values: [Infinity, -Infinity] }],
    ['text', ['b', 'a', 'b'], { element: 'int', values: [0, 1, 0], category: ['b', 'a'] }],
    ['text with gaps', ['b', '', 'NA', 'a'], { values: [0, -1, -1, 1], category: ['b', 'a'], missing: 2 }],
    ['quoted numbers', ['"10"', '"2"', '"10"'], { values: [0, 1, 0], category: ['10', '2'] }],
    ['a quoted NA', ['"NA"', '"DE"', '"NA"'], { values: [0, 1, 0], category: ['NA', 'DE'] }],
    ['dates', ['2024-02-28', '2024-03-01', '', '2024-02-27'], { element: 'real', values: [0, 2, NaN, -1] }],
    ['times', ['2024-01-01T06:00', '2024-01-01 18:00:00', '2024-01-02T06:00+06:00'], { values: [0, 0.5, 0.75] }],
    ['no such day', ['2023-02-30', '2023-03-01'], { category: ['2023-02-30', '2023-03-01'] }],
    ['nothing', ['', ''], { element: 'real', values: [NaN, NaN] }],
  ])('%s', (_, cells, wanted) => {
    expect(typed(cells)).toMatchObject(wanted);
  });

  it('refuses a mix, with row and cell', () => {
    expect(typed(['1', '2', 'three'])).toMatchObject({ row: 2, cell: 'three' });
    expect(typed(['one', '2'])).toMatchObject({ row: 1, cell: '2' });
    // The odd one out, wherever it stands.
    expect(typed(['n.d.', '2', '3'])).toMatchObject({ row: 0, cell: 'n.d.', wanted: 'a number like most cells' });
    expect(typed(['a', '2', 'b'])).toMatchObject({ row: 1, cell: '2', wanted: 'text like most cells' });
    expect(typed(['1', '"2"'])).toMatchObject({ row: 1, cell: '2' });
  });
});

describe('with a type', () => {
  it('takes whole numbers as int, and no others', () => {
    expect(typed(['1', '2.0', '-3e1'], 'int')).toMatchObject({ element: 'int', values: [1, 2, -30] });
    expect(typed(['1', '2.5'], 'int')).toMatchObject({ row: 1, cell: '2.5', wanted: 'a whole number' });
    expect(typed(['1', ''], 'int')).toMatchObject({ row: 1, cell: '' });
    expect(typed(['1', '3000000000'], 'int')).toMatchObject({ row: 1, wanted: 'a whole number of 32 bits' });
    expect(typed(['1', 'two'], 'int')).toMatchObject({ row: 1, cell: 'two' });
  });

  it('takes anything as a category, and other text as missing in a real', () => {
    expect(typed(['1', 'two', '1'], 'category')).toMatchObject({ values: [0, 1, 0], category: ['1', 'two'] });
    expect(typed(['1', '<0.1', '"3"'], 'real')).toMatchObject({ values: [1, NaN, 3] });
    expect(typed(['1', '<0.1', '"3"'], 'real')).toHaveProperty(
      'warning',
      '1 cell is no number and taken as missing, first in row 2 (index 1): "<0.1"',
    );
  });
});

describe('JSON', () => {
  const cells = (text: string) =>
    [...readJsonTable('t', 't.json', text).columns].map(([name, raw]) => {
      const column = typeColumn(raw, undefined);
      return [name, 'row' in column ? column.cell : [...column.values]];
    });

  it('reads records and columns', () => {
    expect(cells('[{"x": 1, "s": "a"}, {"x": null}, {"x": "NaN", "s": "a"}]')).toEqual([
      ['x', [1, NaN, NaN]],
      ['s', [0, -1, 0]],
    ]);
    expect(cells('{"x": [1, 2], "__proto__": [3, 4]}')).toEqual([
      ['x', [1, 2]],
      ['__proto__', [3, 4]],
    ]);
  });

  it('takes a string of digits as text', () => {
    expect(cells('{"x": [1, "2"]}')).toEqual([['x', '2']]);
  });

  it('refuses what is no table', () => {
    expect(() => readJsonTable('t', 't.json', '3')).toThrow(/array of objects or an object of columns/);
    expect(() => readJsonTable('t', 't.json', '[1]')).toThrow(/row 1 is no object/);
    expect(() => readJsonTable('t', 't.json', '{"x": [[1]]}')).toThrow(/row 1 of the column "x"/);
    expect(() =>
      columnTable('t', undefined, [
        ['x', [1]],
        ['y', []],
      ]),
    ).toThrow(/"y" has 0 rows/);
  });
});

describe('whole numbers that no real is', () => {
  const digits = ['9007199254740992', '9007199254740993', '-12345678901234567890', '3'];
  const warning =
    '2 cells have more digits than a real holds and are rounded, first in row 2 (index 1): "9007199254740993"; of labels say "type": "category"';

  it('are rounded with a warning, and exact ones are not spoken of', () => {
    const values = [2 ** 53, 2 ** 53, -12345678901234567890, 3];
    for (const type of [undefined, 'real'] as const) expect(typed(digits, type)).toMatchObject({ values, warning });
    expect(typed(['9007199254740992', '1e23', '0.30000000000000004'])).not.toHaveProperty('warning');
    expect(typed([`1${'0'.repeat(400)}`, '1']).values).toEqual([Infinity, 1]);
    expect(typed([...digits, '<1'], 'real')).toHaveProperty(
      'warning',
      `1 cell is no number and taken as missing, first in row 5 (index 4): "<1"; ${warning}`,
    );
  });

  it('are infinite beyond the largest real, and that is said', () => {
    const beyond = (count: string, cell: string): string =>
      `${count} beyond the largest real and taken as infinite, first in row 1 (index 0): "${cell}"`;
    const long = `1${'0'.repeat(400)}`;
    expect(typed([long, '1'])).toMatchObject({ values: [Infinity, 1], warning: beyond('1 cell is', long) });
    expect(typed(['-1e400', '1e999', 'inf'])).toMatchObject({
      values: [-Infinity, Infinity, Infinity],
      warning: beyond('2 cells are', '-1e400'),
    });
    expect(typed(['1e400', '9007199254740993'])).toHaveProperty(
      'warning',
      expect.stringMatching(/^1 cell is beyond .*"1e400"; 1 cell has more digits .*"9007199254740993"/),
    );
    expect(typed(['-Infinity', '1.7e308', 'Inf'])).not.toHaveProperty('warning');
    expect(typed(['1e400'], 'category')).toMatchObject({ category: ['1e400'] });
  });

  it('keep their digits as labels, and are no int', () => {
    expect(typed(digits, 'category')).toMatchObject({ category: digits });
    expect(typed(digits, 'int')).toMatchObject({ row: 0, wanted: 'a whole number of 32 bits' });
  });

  it.each(['parquet', 'npy'] as const)('are the same of a %s file', async (format) => {
    const cells = digits.slice(0, 2).map(BigInt);
    const header = "{'descr': [('x', '<i8')], 'fortran_order': False, 'shape': (2,), }";
    const table =
      format === 'parquet'
        ? await readParquet('t', 't.parquet', parquetFile([['x', cells]]))
        : readNpy('t', 't.npy', npyFile(header, BigInt64Array.from(cells)));
    const column = table.columns.get('x')!;
    for (const type of [undefined, 'real', 'int', 'category'] as const) {
      const { values, ...rest } = { values: undefined, ...typeColumn(column, type) };
      expect({ ...rest, ...(values && { values: [...values] }) }).toEqual(typed(digits.slice(0, 2), type));
    }
  });
});
