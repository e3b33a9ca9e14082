/** Where a document's tables are, and which of them may be read. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDesk } from '../../../src-main/files/desk.ts';
import { createGrants, folderOf, realPath } from '../../../src-main/files/locations.ts';
import { createStore } from '../../../src-main/files/store.ts';

let home: string;
beforeEach(() => {
  home = realPath(mkdtempSync(join(tmpdir(), 'cotangent-locations-')));
  for (const folder of ['linked', 'own']) mkdirSync(join(home, folder));
  writeFileSync(join(home, 'own', 'm.cot.json'), '{}');
  symlinkSync(join(home, 'own', 'm.cot.json'), join(home, 'linked', 'm.cot.json'));
});
afterEach(() => rmSync(home, { recursive: true }));

const file = (...names: string[]) => ({ kind: 'file', path: join(home, ...names) }) as const;

it('is the folder in which a document itself lies, whatever link leads to it', () => {
  expect(folderOf(file('linked', 'm.cot.json'), '')).toBe(join(home, 'own'));
  expect(folderOf(file('linked', 'none.cot.json'), '')).toBe(join(home, 'linked'));
});

it('is read where it was granted, and not where only a link to the document was', () => {
  const grants = createGrants();
  grants.grant(join(home, 'linked'));
  expect(grants.mayRead(file('linked', 'm.cot.json'))).toBe(false);
  expect(grants.mayRead(file('linked', 'none.cot.json'))).toBe(true);
  symlinkSync(join(home, 'own'), join(home, 'alias'));
  grants.grant(join(home, 'alias'));
  expect(grants.mayRead(file('linked', 'm.cot.json'))).toBe(true);
});

it('is where the tables go when a document takes the place of one that a link leads to', async () => {
  mkdirSync(join(home, 'from'));
  writeFileSync(join(home, 'from', 'd.csv'), 't\n1\n');
  const page = { emit: () => undefined, onEnd: () => undefined };
  const desk = createDesk({ store: createStore(join(home, 'state')), page, mayHave: () => true });
  const document = { format: 'cotangent/1', tables: { T: { file: 'd.csv' } }, blocks: [] };
  await desk.save({ path: join(home, 'linked', 'm.cot.json'), document, fit: null, from: join(home, 'from') });
  expect(readFileSync(join(home, 'own', 'd.csv'), 'utf8')).toBe('t\n1\n');
});
