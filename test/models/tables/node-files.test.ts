import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nodeFiles } from '../../../models/tables/node-files.ts';

let folder = '';
const inside = () => join(folder, 'model');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tables-'));
  await mkdir(join(inside(), 'data'), { recursive: true });
  await writeFile(join(inside(), 'data', 'a.csv'), 'x\n1\n');
  await writeFile(join(folder, 'secret.csv'), 'x\n2\n');
  await symlink(join(folder, 'secret.csv'), join(inside(), 'out.csv'));
  await symlink(join(inside(), 'data', 'a.csv'), join(inside(), 'in.csv'));
  await symlink(folder, join(inside(), 'up'));
});

afterAll(() => rm(folder, { recursive: true }));

it('reads below the folder, links included that stay there', async () => {
  const files = nodeFiles(inside());
  for (const file of ['data/a.csv', './data/a.csv', 'in.csv'])
    expect(new TextDecoder().decode(await files(file))).toBe('x\n1\n');
});

it.each([
  ['../secret.csv', /leads out of it/],
  ['data/../../secret.csv', /leads out of it/],
  ['out.csv', /a link leads out of it/],
  ['up/secret.csv', /a link leads out of it/],
  ['/etc/hostname', /absolute/],
  ['C:\\data.csv', /absolute/],
  ['file:///etc/hostname', /address/],
  ['data', /it is no file/],
  ['none.csv', /there is no such file/],
  ['', /empty/],
])('refuses %j', async (file, says) => {
  await expect(nodeFiles(inside())(file)).rejects.toThrow(says);
});
