/** What a command reads is not written over by what it makes. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fitTarget } from '../../src-main/cli/fit/fit-out.ts';
import { readDocument } from '../../src-main/files/documents.ts';
import { cotangent, documentOf, written } from '../support/command-line.ts';
import { fitReport } from '../support/fits/fit-report.ts';

const table = 't,y\n0,1\n1,2\n2,3\n';
const line = documentOf(
  [
    { id: 't', kind: 'column', table: 'obs', column: 't' },
    { id: 'y', kind: 'column', table: 'obs', column: 'y' },
    { id: 'k', kind: 'parameter', initial: 2 },
    { id: 'curve', kind: 'map', formula: '1 + k*t' },
    { id: 'loss', kind: 'least-squares', prediction: 'curve', observed: 'y' },
  ],
  { tables: { obs: { file: 'obs.csv' } }, objective: 'loss' },
);

describe('a model and its tables', () => {
  const model = written(line, { 'obs.csv': table });
  const folder = dirname(model);
  for (const name of ['m.json', 'm.cot']) copyFileSync(model, join(folder, name));
  symlinkSync(join(folder, 'obs.csv'), join(folder, 'linked.csv'));
  const held = readFileSync(model, 'utf8');

  it.each([
    [['fit', 'm.json'], 'm.json', 'the model itself'],
    [['fit', 'm.cot'], 'm.cot', 'the model itself'],
    [['fit', 'model.cot.json'], 'obs.csv', 'a table of the model'],
    [['export', 'model.cot.json', '--to', 'jax'], 'model.cot.json', 'the model itself'],
    [['export', 'model.cot.json', '--to', 'csv'], 'linked.csv', 'a table of the model'],
    [['report', 'model.cot.json'], 'model.cot.json', 'the model itself'],
    [['uncertainty', 'model.cot.json', '--method', 'hmc'], 'obs.csv', 'a table of the model'],
  ])('stay as they are where %j writes to %s', async ([command, name, ...rest], out, what) => {
    const option = command === 'uncertainty' ? '--draws' : '--out';
    const outcome = await cotangent(command!, join(folder, name!), ...rest, option, join(folder, out));
    expect(outcome).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(`is ${what}`) });
    expect(readFileSync(join(folder, 'obs.csv'), 'utf8')).toBe(table);
    for (const same of ['model.cot.json', 'm.json', 'm.cot'])
      expect(readFileSync(join(folder, same), 'utf8')).toBe(held);
  });

  it('a table that is imported stays as it is', async () => {
    const path = join(folder, 'obs.csv');
    const outcome = await cotangent('import', path, '--out', join(folder, '.', 'linked.csv'));
    expect(outcome).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('is what is imported') });
    expect(readFileSync(path, 'utf8')).toBe(table);
  });

  it('are fitted in place under a name that is a document’s', async () => {
    const { status } = await cotangent('fit', model, '--out', model);
    expect(status).toBe(0);
    expect((await readDocument(model)).blocks).toContainEqual({ id: 'k', kind: 'parameter', initial: 1 });
  });
});

it('a document that was saved while it was fitted stays as it was saved', async () => {
  const model = written(line, { 'obs.csv': table });
  const document = await readDocument(model);
  const [mine, other] = [await fitTarget(model, model, document), join(dirname(model), 'other.cot.json')];
  const elsewhere = await fitTarget(other, model, document);
  const saved = JSON.stringify({ ...line, name: 'Saved meanwhile' });
  writeFileSync(model, saved);
  await expect(mine.write(fitReport)).rejects.toThrow(/was changed while it was fitted/);
  expect(readFileSync(model, 'utf8')).toBe(saved);
  await elsewhere.write(fitReport);
  expect(existsSync(other)).toBe(true);
});

it('plots go to a folder, and a picture’s name is said to be none', async () => {
  const model = written(line, { 'obs.csv': table });
  const out = join(dirname(model), 'curve.png');
  expect(await cotangent('plot', model, '--out', out)).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/folder.*curve\.png is the name of a picture/),
  });
  expect(existsSync(out)).toBe(false);
  mkdirSync(out);
  expect((await cotangent('plot', model, '--out', out)).status).toBe(0);
});
