import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { demandDrawsForm, writeDraws } from '../../../src-main/files/draws.ts';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'cotangent-draws-'))));
afterAll(() => rmSync(folder, { recursive: true }));

const k = [Float64Array.of(0.1, 1e-300), Float64Array.of(NaN, -3)];
const report = {
  draws: [
    { name: 'k[0]', chains: k },
    { name: 'α', chains: [Float64Array.of(1, 2), Float64Array.of(3, Math.PI)] },
  ],
  divergent: [[1], []],
} as unknown as Parameters<typeof writeDraws>[1];

it('is written as Parquet with every digit where the name says so, and as text otherwise', async () => {
  const [parquet, csv] = [join(folder, 'a.parquet'), join(folder, 'a.csv')];
  for (const path of [parquet, csv]) await writeDraws(path, report);
  const bytes = readFileSync(parquet);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  expect(await parquetReadObjects({ file })).toEqual([
    { chain: 1, draw: 1, 'k[0]': 0.1, α: 1, divergent: false },
    { chain: 1, draw: 2, 'k[0]': 1e-300, α: 2, divergent: true },
    { chain: 2, draw: 1, 'k[0]': NaN, α: 3, divergent: false },
    { chain: 2, draw: 2, 'k[0]': -3, α: Math.PI, divergent: false },
  ]);
  expect(readFileSync(csv, 'utf8').split('\n').slice(0, 2)).toEqual(['chain,draw,k[0],α,divergent', '1,1,0.1,1,0']);
});

it('is refused under a name of another form', () => {
  expect(() => demandDrawsForm('out/d.arrow')).toThrow(
    'out/d.arrow cannot be written: draws are not written as .arrow; choose a name in .csv or .parquet.',
  );
  for (const path of ['d.csv', 'd.parquet', 'd.txt', 'arrow']) demandDrawsForm(path);
});
