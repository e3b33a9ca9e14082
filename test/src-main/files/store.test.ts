import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStore } from '../../../src-main/files/store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cotangent-store-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the store', () => {
  it('lists files once, the newest first, and no more than twelve', async () => {
    const store = createStore(folder);
    for (let i = 0; i < 15; i++) await store.addRecent(`/data/m${i}.cot.json`);
    await store.addRecent('/data/m9.cot.json');
    const names = (await store.recent()).map(({ name }) => name);
    expect(names).toHaveLength(12);
    expect(names.slice(0, 3)).toEqual(['m9', 'm14', 'm13']);
    expect(names.filter((name) => name === 'm9')).toHaveLength(1);
  });

  it('keeps one shadow copy for each location until it is cleared', async () => {
    const store = createStore(folder);
    const file = { kind: 'file', path: '/data/a.cot.json' } as const;
    await store.keep(file, { name: 'first' });
    await store.keep(file, { name: 'second' });
    await store.keep({ kind: 'unsaved' }, { name: 'new' });
    expect((await createStore(folder).kept()).map(({ document }) => document['name']).sort()).toEqual([
      'new',
      'second',
    ]);
    await store.keep(file, null);
    expect((await store.kept()).map(({ location }) => location.kind)).toEqual(['unsaved']);
  });

  it('passes over what it cannot read', async () => {
    const store = createStore(folder);
    await store.keep({ kind: 'unsaved' }, {});
    for (const name of readdirSync(join(folder, 'kept'))) writeFileSync(join(folder, 'kept', name), '{"half');
    writeFileSync(join(folder, 'recent.json'), 'no JSON');
    expect(await store.kept()).toEqual([]);
    expect(await store.recent()).toEqual([]);
  });
});
