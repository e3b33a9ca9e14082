/** Tables of each format, broken in every way: read, or refused in a sentence, never anything else. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import * as h5 from 'h5wasm';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { beginImport } from '../../models/tables/import/import.ts';
import { readTables } from '../../models/tables/read-tables.ts';
import { TableError } from '../../models/tables/table.ts';
import { fuzzBudget, fuzzTimeout, kept, mutatedBytes } from '../support/files/mutated.ts';
import { parquetFile } from '../support/files/parquet.ts';

vi.setConfig({ testTimeout: fuzzTimeout });

const text = (content: string): Uint8Array => new TextEncoder().encode(content);

function npy(descr: string, shape: string, bytes: number): Uint8Array {
  const header = `{'descr': ${descr}, 'fortran_order': False, 'shape': ${shape}, }\n`;
  const head = [0x93, ...Buffer.from('NUMPY'), 1, 0, header.length & 255, header.length >> 8];
  return Uint8Array.from([...head, ...Buffer.from(header), ...new Uint8Array(bytes)]);
}

async function hdf5(): Promise<Uint8Array> {
  const { FS } = await h5.ready;
  const file = new h5.File('fuzz.h5', 'w');
  const run = file.create_group('run');
  run.create_dataset({ name: 't', data: Float64Array.of(0, 1, 2) }).create_attribute('units', 's');
  run.create_dataset({ name: 'y', data: Float32Array.of(1.5, NaN, 3) });
  file.create_dataset({ name: 'name', data: ['ann', 'bob', 'cy'] });
  file.create_dataset({ name: 'matrix', data: Int32Array.of(1, 2, 3, 4, 5, 6), shape: [3, 2] });
  file.flush();
  file.close();
  return FS.readFile('fuzz.h5');
}

const samples: Record<string, Uint8Array[]> = {
  csv: [
    text('t,y\n0,1.5\n1,NA\n2,"a ""b"""\n'),
    text('# made by hand\nt [s];y\n0,5;1e3\n1,5;\n'),
    text('1 2 3\n4 5 6\n'),
    readFileSync(join(import.meta.dirname, '../../models/catalogue/misra1a.csv')),
  ],
  tsv: [text('t\ty\n0\t1\n1\t2\n')],
  json: [text('[{"t": 0, "y": 1.5}, {"t": 1}]'), text('{"t": [0, 1], "y": [1.5, null]}'), text('{"a": {"x": [1]}}')],
  parquet: [
    parquetFile([
      ['t', [0, 1.5, 2]],
      ['k', [1n, 2n, 3n]],
      ['s', ['a', 'b', 'ä']],
    ]),
  ],
  npy: [npy("'<f8'", '(3,)', 24), npy("'<i4'", '(2, 3)', 24), npy("[('x', '<f8'), ('k', '<i4')]", '(2,)', 24)],
  h5: [],
};
beforeAll(async () => void samples['h5']?.push(await hdf5()));

const words = ['"', ',', ';', '\n', '\r', '\0', '\uFEFF', '-3', '1e999', '{', '[', ']', ':', "'", '(', ')', 'null'];

/** Reads as the window does, and as a document that names the file. */
async function tried(name: string, bytes: Uint8Array): Promise<void> {
  try {
    const { columns, rows } = await beginImport(name, bytes).read({});
    for (const column of columns) for (let row = 0; row < Math.min(rows, 3); row++) column.text(row);
  } catch (error) {
    if (!(error instanceof TableError)) throw error;
    expect(error.message).toMatch(/^\S[^]*\S$/);
  }
  const { tables, problems } = await readTables({ t: { file: name } }, () => Promise.resolve(bytes));
  expect(tables.size + problems.length).toBe(1);
  for (const { message } of problems)
    expect(message).not.toMatch(/is not a function|undefined|Cannot read prop|\[object/);
}

describe.each(Object.keys(samples))('a %s file', (format) => {
  it('that is broken is read or refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constant(null).chain(() => mutatedBytes(samples[format] ?? [], words)),
        (bytes) => tried(`t.${format}`, bytes),
      ),
      { examples: kept(format), ...fuzzBudget(150, 6000) },
    );
  });
});
