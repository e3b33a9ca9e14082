import { describe, expect, it } from 'vitest';
import type { TableEntry } from '../../../models/notation/table-entry.ts';
import { readTables } from '../../../models/tables/read-tables.ts';
import { tableText } from '../../../models/tables/table.ts';
import { parquetFile } from '../../support/files/parquet.ts';

const files = new Map<string, Uint8Array>([
  ['a.csv', new TextEncoder().encode('x;y\n1,5;2\n')],
  ['a.tsv', new TextEncoder().encode('x\n1,5\n')],
  ['a.JSON', new TextEncoder().encode('[{"x": 3, "y": "s"}]')],
  [
    'a.parquet',
    parquetFile([
      ['x', [1.5, -2]],
      ['k', [7n, 8n]],
      ['s', ['b', 'µ']],
    ]),
  ],
  ['big.json', new TextEncoder().encode('{"k": [9007199254740993, 1, 2.5]}')],
  ['big.parquet', parquetFile([['k', [2n ** 53n, 2n ** 53n + 1n]]])],
  ['proto.parquet', parquetFile([['__proto__', [1, 2]]])],
  ['lzo.parquet', parquetFile([['k', [1]]], 3)],
  ['new.parquet', parquetFile([['k', [1]]], 99)],
  [
    'twice.parquet',
    parquetFile([
      ['k', [1]],
      ['k', [2]],
    ]),
  ],
  ['broken.parquet', Uint8Array.from([1, 2, 3])],
]);

async function read(entry: TableEntry): Promise<string[][] | string | undefined> {
  const { tables, problems } = await readTables({ t: entry }, (file) => {
    const bytes = files.get(file);
    return bytes ? Promise.resolve(bytes) : Promise.reject(new Error('there is no such file'));
  });
  const table = tables.get('t');
  return table ? [[...table.columns.keys()], ...tableText(table, 0, 9)] : problems[0]?.message;
}

describe('a table', () => {
  it.each<readonly [TableEntry, unknown]>([
    [
      { file: 'a.csv' },
      [
        ['x', 'y'],
        ['1,5', '2'],
      ],
    ],
    [{ file: 'a.csv', delimiter: '|', header: false }, [['column1'], ['x;y'], ['1,5;2']]],
    [{ file: 'a.tsv' }, [['x'], ['1,5']]],
    [
      { file: 'a.JSON' },
      [
        ['x', 'y'],
        ['3', 's'],
      ],
    ],
    [
      { file: 'a.parquet' },
      [
        ['x', 'k', 's'],
        ['1.5', '7', 'b'],
        ['-2', '8', 'µ'],
      ],
    ],
    [{ file: 'big.json' }, [['k'], ['9007199254740993'], ['1'], ['2.5']]],
    [{ file: 'big.parquet' }, [['k'], ['9007199254740992'], ['9007199254740993']]],
    [{ file: 'proto.parquet' }, [['__proto__'], ['1'], ['2']]],
    [
      { columns: { x: [1], y: ['NaN'] } },
      [
        ['x', 'y'],
        ['1', 'NaN'],
      ],
    ],
  ])('%j', async (entry, wanted) => {
    expect(await read(entry)).toEqual(wanted);
  });

  it.each<readonly [TableEntry, RegExp]>([
    [{ file: 'none.csv' }, /^table "t" \(none.csv\): there is no such file$/],
    [{ file: '../a.csv' }, /leads out of it/],
    [{ file: 'lzo.parquet' }, /the column "k" is compressed by LZO, which is not read; write it with SNAPPY/],
    [{ file: 'new.parquet' }, /the column "k" is compressed by a method that is not known/],
    [{ file: 'twice.parquet' }, /two columns are named "k"/],
    [{ file: 'broken.parquet' }, /no Parquet file/],
    [{ columns: { x: [1], y: [] } }, /"y" has 0 rows/],
  ])('refused: %j', async (entry, says) => {
    expect(await read(entry)).toMatch(says);
  });
});
