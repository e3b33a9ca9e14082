/** Tables that are no delimited text. */
import * as h5 from 'h5wasm';
import { beforeAll, describe, expect, it } from 'vitest';
import { beginImport, type ImportChoices, type ImportedTable } from '../../../../models/tables/import/import.ts';
import { parquetFile } from '../../../support/files/parquet.ts';

const read = (name: string, bytes: Uint8Array, choices: ImportChoices = {}): Promise<ImportedTable> =>
  beginImport(name, bytes).read(choices);
const readText = (text: string, choices: ImportChoices = {}, name = 't.json'): Promise<ImportedTable> =>
  read(name, new TextEncoder().encode(text), choices);

const shown = ({ columns, rows }: ImportedTable): unknown[] =>
  columns.map((column) => [column.name, Array.from({ length: rows }, (_, row) => column.text(row) ?? null)]);

const wanted = [
  ['t', ['0', '1']],
  ['y', ['1.5', null]],
];

describe('JSON', () => {
  it.each([
    ['records', '[{"t (s)": 0, "y": 1.5}, {"t (s)": 1}]'],
    ['columns', '{"t": [0, 1], "y": [1.5, null]}'],
    ['rows with names', '[["t", "y"], [0, 1.5], [1, null]]'],
    ['lines of records', '{"t": 0, "y": 1.5}\n{"t": 1, "y": null}\n'],
    ['records further in', '{"run": 7, "result": {"data": [{"t": 0, "y": 1.5}, {"t": 1, "y": "NaN"}]}}'],
    ['a byte order mark', '\uFEFF[{"t": 0, "y": 1.5}, {"t": 1}]'],
  ])('as %s', async (_, text) => {
    expect(shown(await readText(text))).toEqual(wanted);
    expect(shown(await readText(text, {}, 'Pasted table'))).toEqual(wanted);
  });

  it('with nested records has a column for each of their entries', async () => {
    const { columns } = await readText('[{"at": {"x": 1, "__proto__": 2}, "y": 3}]');
    expect(columns.map(({ name }) => name)).toEqual(['at.x', 'at.__proto__', 'y']);
  });

  it('of several tables shows the first, and any that is chosen', async () => {
    const text = '{"a": {"x": [1, 2], "y": [3, 4]}, "b": [{"z": 5}]}';
    const { source } = await readText(text);
    expect(source.parts).toEqual([
      { path: 'a', what: '2 columns, 2 rows' },
      { path: 'b', what: '1 records' },
    ]);
    expect(shown(await readText(text, { part: 'b' }))).toEqual([['z', ['5']]]);
  });

  it.each([
    ['{"t": [0, 1], "y": [1}', 'it is no JSON: line 1, column 22: wanted "," or "]", got "}"'],
    ['{"a": 1}', 'it holds no table'],
    ['[{"x": [1]}]', 'record 1: "x" is an array; wanted a number, a string or null'],
    ['[["t", "y"], [0, 1], [2]]', 'row 2 has 1 cells, and the first 2'],
  ])('that is no table is refused: %s', async (text, says) => {
    await expect(readText(text)).rejects.toThrow(says);
  });
});

it('whole numbers that no real is are noted, and kept as a category', async () => {
  const bytes = parquetFile([
    ['id', [7n, 2n ** 62n + 1n]],
    ['y', [1.5, 2.5]],
  ]);
  const asNumbers = await read('a.parquet', bytes);
  expect(asNumbers.notes).toEqual([
    'One cell of id has more digits than a real holds, and is rounded: 4611686018427387905 in row 2. As a category they are kept.',
  ]);
  const labels = await read('a.parquet', bytes, { types: ['category', null] });
  expect(labels.notes).toEqual([]);
  expect(shown(labels)[0]).toEqual(['id', ['7', '4611686018427387905']]);
});

it('whole numbers of JSON that no real is keep their digits, and those beyond the largest are refused', async () => {
  const text = '[{"id": 9007199254740993, "y": 1.5}, {"id": 7, "y": 0.12345678901234567}]';
  for (const written of [text, text.slice(1, -1).replace('}, ', '}\n')]) {
    expect((await readText(written)).notes).toEqual([
      'One cell of id has more digits than a real holds, and is rounded: 9007199254740993 in row 1. As a category they are kept.',
    ]);
    expect(shown(await readText(written, { types: ['category', null] }))[0]).toEqual(['id', ['9007199254740993', '7']]);
  }
  expect((await readText('[12345678901234567890, 2]')).notes).toContainEqual(expect.stringMatching(/more digits/));
  await expect(readText('{"t": [1, 2],\n "y": [1e400, 1]}')).rejects.toThrow(
    'it is no JSON: line 2, column 8: 1e400 is beyond the largest number',
  );
});

it('a number of text beyond the largest is noted', async () => {
  const { notes } = await readText('t,y\n0,1\n1,1e400\n2,inf\n', {}, 't.csv');
  expect(notes).toEqual(['One cell of y is beyond the largest real, and is taken as infinite: 1e400 in row 2.']);
});

it('Parquet', async () => {
  const bytes = parquetFile([
    ['t (s)', [0, 1.5]],
    ['k', [7n, 8n]],
    ['s', ['b', 'µ']],
  ]);
  const table = await read('any name', bytes);
  expect(table.source.format).toBe('parquet');
  expect(table.columns[0]).toMatchObject({ name: 't', unit: 's', type: 'real' });
  expect(shown(table).slice(1)).toEqual([
    ['k', ['7', '8']],
    ['s', ['b', 'µ']],
  ]);
});

it('Parquet with times in microseconds keeps them', async () => {
  const from = 1_704_067_200_000_000n;
  const table = await read('t.parquet', parquetFile([['at', [from, from + 250n, from + 1_000_001n], 10]]));
  expect(shown(table)).toEqual([
    ['at', ['2024-01-01T00:00:00.000000Z', '2024-01-01T00:00:00.000250Z', '2024-01-01T00:00:01.000001Z']],
  ]);
});

it('NPY', async () => {
  const header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }\n";
  const bytes = Buffer.concat([
    Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, header.length, 0]),
    Buffer.from(header),
    Buffer.from(Float64Array.of(0, 1.5, 1, NaN).buffer),
  ]);
  expect(shown(await read('a.npy', bytes)).map((column) => (column as unknown[])[1])).toEqual([
    wanted[0]![1],
    wanted[1]![1],
  ]);
});

describe('HDF5', () => {
  let bytes: Uint8Array;
  beforeAll(async () => {
    const { FS } = await h5.ready;
    const file = new h5.File('made.h5', 'w');
    const run = file.create_group('run');
    run.create_dataset({ name: 't', data: Float64Array.of(0, 1) }).create_attribute('units', 's');
    run.create_dataset({ name: 'y', data: Float32Array.of(1.5, NaN) });
    const more = file.create_group('more');
    more.create_dataset({ name: 'matrix', data: Int32Array.of(1, 2, 3, 4, 5, 6), shape: [3, 2] });
    more.create_dataset({ name: 'name', data: ['ann', 'bob'] });
    more.create_dataset({ name: 'big', data: BigInt64Array.of(1n, 2n ** 60n) });
    more.create_dataset({
      name: 'records',
      data: new Map([
        ['a', [1, 2]],
        ['b', [3, 4]],
      ]),
    });
    more.create_dataset({ name: 'cube', data: new Float64Array(8), shape: [2, 2, 2] });
    file.create_dataset({ name: 'alone', data: 5 });
    file.create_soft_link('/nowhere', 'broken');
    file.close();
    bytes = FS.readFile('made.h5');
  });

  it('is read by group or data set, with units of attributes', async () => {
    const table = await read('any', bytes, { part: '/run' });
    expect(shown(table)).toEqual(wanted);
    expect(table.columns[0]?.unit).toBe('s');
    expect(table.source.parts).toEqual([
      { path: '/more', what: '2 columns, 2 rows' },
      { path: '/more/big', what: '2 numbers' },
      { path: '/more/matrix', what: '3 × 2 numbers' },
      { path: '/more/name', what: '2 texts' },
      { path: '/more/records', what: '2 records of 2' },
      { path: '/run', what: '2 columns, 2 rows' },
      { path: '/run/t', what: '2 numbers' },
      { path: '/run/y', what: '2 numbers' },
    ]);
  });

  it.each([
    [
      '/more/matrix',
      [
        ['matrix 1', ['1', '3', '5']],
        ['matrix 2', ['2', '4', '6']],
      ],
    ],
    ['/more/name', [['name', ['ann', 'bob']]]],
    ['/more/big', [['big', ['1', '1152921504606847000']]]],
    [
      '/more/records',
      [
        ['a', ['1', '2']],
        ['b', ['3', '4']],
      ],
    ],
  ])('%s', async (part, cells) => {
    expect(shown(await read('a.h5', bytes, { part }))).toEqual(cells);
  });

  it('that cannot be read is refused in a sentence', async () => {
    await expect(read('a.h5', bytes.subarray(0, 200))).rejects.toThrow('it is no HDF5 file that can be read');
    await expect(read('a.h5', new TextEncoder().encode('t,y'))).rejects.toThrow('it is no HDF5 file that can be read');
  });
});
