import { join } from 'node:path';
import { expect, it } from 'vitest';
import { catalogue } from '../../../models/catalogue/index.ts';
import { listExamples, readablePath } from '../../../src-main/files/examples.ts';

const folder = join(import.meta.dirname, '../../../models/catalogue');

it('lists the examples in the order of the catalogue, each with its field and what it is made of', async () => {
  const examples = await listExamples(folder);
  expect(examples.map(({ name, title, field }) => ({ name, title, field }))).toEqual(
    catalogue.map(({ name, title, field }) => ({ name, title, field })),
  );
  expect(examples.find(({ name }) => name === 'nile-level')?.summary).toBe(
    'shift · recurrence · likelihood · 2 parameters',
  );
});

it('leaves out what a folder does not have, and refuses a name that is none', async () => {
  expect(await listExamples(import.meta.dirname)).toEqual([]);
  const secret = { kind: 'example', name: '../secret' } as const;
  await expect(readablePath(secret, folder, (path) => path)).rejects.toThrow('There is no example "../secret".');
});
