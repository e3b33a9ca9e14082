/** What a PEtab problem on the disk may name. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { petabAt } from '../../../src-main/files/petab.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cotangent-petab-'));
  mkdirSync(join(folder, 'problem', 'tables'), { recursive: true });
  writeFileSync(join(folder, 'secret.tsv'), 's');
  writeFileSync(join(folder, 'problem', 'p.yaml'), 'format_version: 1\n');
  writeFileSync(join(folder, 'problem', 'tables', 'a.tsv'), 'a');
});
afterEach(() => rmSync(folder, { recursive: true }));

it.each(['problem', join('problem', 'p.yaml')])(
  'files of its own folder, by %s, and none of anybody else',
  async (by) => {
    const problem = await petabAt(join(folder, by));
    if (!problem) throw new Error('it is a problem');
    expect(Buffer.from(await problem.readFile('tables/a.tsv')).toString()).toBe('a');
    for (const name of ['../secret.tsv', 'tables/../../secret.tsv', join(folder, 'secret.tsv'), 'file:///etc/passwd'])
      await expect(problem.readFile(name)).rejects.toThrow('must lie in the folder of the document');
  },
);
