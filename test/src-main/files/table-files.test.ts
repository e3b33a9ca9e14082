import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bringTables, sweepTables, writeTable } from '../../../src-main/files/table-files.ts';

let folder = '';
const at = (...parts: string[]): string => join(folder, ...parts);
const documentOf = (...files: string[]) => ({
  tables: Object.fromEntries(files.map((file, i) => [`t${i}`, { file }])),
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'table-files-'));
  for (const name of ['from', 'to']) mkdirSync(at(name));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('writes a table whole, under a name that its content decides', async () => {
  const name = await writeTable(at('new'), 'My data (3)', ['x\n', '1\n']);
  expect(name).toMatch(/^My-data-3-[0-9a-f]{8}\.csv$/);
  expect(readFileSync(at('new', name), 'utf8')).toBe('x\n1\n');
  expect(await writeTable(at('new'), 'My data (3)', ['x\n1\n'])).toBe(name);
  expect(await writeTable(at('new'), 'My data (3)', ['x\n2\n'])).not.toBe(name);
  function* broken(): Iterable<string> {
    yield 'x\n';
    throw new Error('the disk is full');
  }
  await expect(writeTable(at('new'), 'b', broken())).rejects.toThrow('the disk is full');
  expect(readdirSync(at('new'))).toHaveLength(2);
});

it('writes over no table that was changed by hand after it was imported', async () => {
  const first = await writeTable(at('new'), 'doses', ['x\n1\n']);
  writeFileSync(at('new', first), 'x\n2\n');
  const second = await writeTable(at('new'), 'doses', ['x\n1\n']);
  expect(second).not.toBe(first);
  expect([first, second].map((name) => readFileSync(at('new', name), 'utf8'))).toEqual(['x\n2\n', 'x\n1\n']);
  expect(await writeTable(at('new'), 'doses', ['x\n1\n'])).toBe(second);
});

it('shortens a name that a disk would not take, between two letters', async () => {
  const name = await writeTable(at('new'), `Münster ${'ü'.repeat(300)}`, ['x\n1\n']);
  expect(name).toMatch(/^Münster-ü+-[0-9a-f]{8}\.csv$/);
  expect(Buffer.byteLength(name)).toBeLessThan(255);
  expect(readdirSync(at('new'))).toEqual([name]);
});

it('brings the tables of a document along, and overwrites none of another', async () => {
  mkdirSync(at('from', 'data'));
  writeFileSync(at('from', 'data', 'a.csv'), 'a');
  writeFileSync(at('from', 'b.csv'), 'b');
  writeFileSync(at('secret.csv'), 's');
  await bringTables(documentOf('data/a.csv', 'b.csv', 'none.csv', '../secret.csv'), at('from'), at('to'));
  expect(readFileSync(at('to', 'data', 'a.csv'), 'utf8')).toBe('a');
  expect(readdirSync(at('to')).sort()).toEqual(['b.csv', 'data']);
  await bringTables(documentOf('b.csv'), at('from'), at('to'));

  writeFileSync(at('to', 'b.csv'), 'another');
  rmSync(at('to', 'data'), { recursive: true });
  await expect(bringTables(documentOf('data/a.csv', 'b.csv'), at('from'), at('to'))).rejects.toThrow(
    'b.csv is another table',
  );
  expect(readFileSync(at('to', 'b.csv'), 'utf8')).toBe('another');
  expect(existsSync(at('to', 'data'))).toBe(false);
});

it('sweeps away what is old and named by none', async () => {
  const old = new Date(Date.now() - 30 * 24 * 3600 * 1000);
  for (const name of ['old.csv', 'named.csv', 'new.csv']) writeFileSync(at('from', name), '');
  for (const name of ['old.csv', 'named.csv']) utimesSync(at('from', name), old, old);
  await sweepTables(at('from'), new Set(['named.csv']));
  expect(readdirSync(at('from')).sort()).toEqual(['named.csv', 'new.csv']);
  await sweepTables(at('absent'), new Set());
});
