import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createStore } from '../../../src-main/files/store.ts';

const copy = '00000000-0000-4000-8000-000000000001';
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cotangent-store-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the store', () => {
  it('tells who shows the list of recent files once one has been taken into it', async () => {
    const seen: Promise<readonly string[]>[] = [];
    const store = createStore(folder, () => seen.push(store.recent().then((all) => all.map(({ name }) => name))));
    await store.addRecent('/a/decay.cot.json');
    expect(await Promise.all(seen)).toEqual([['decay']]);
  });

  it('lists files once, the newest first, and no more than twelve', async () => {
    const store = createStore(folder);
    for (let i = 0; i < 15; i++) await store.addRecent(`/data/m${i}.cot.json`);
    await store.addRecent('/data/m9.cot.json');
    const names = (await store.recent()).map(({ name }) => name);
    expect(names).toHaveLength(12);
    expect(names.slice(0, 3)).toEqual(['m9', 'm14', 'm13']);
    expect(names.filter((name) => name === 'm9')).toHaveLength(1);
  });

  it('lists all that several windows and processes open at the same moment', async () => {
    const paths = Array.from({ length: 10 }, (_, i) => `/data/m${i}.cot.json`);
    const stores = [createStore(folder), createStore(folder)];
    await Promise.all(paths.map((path, i) => stores[i % 2]!.addRecent(path)));
    expect((await createStore(folder).recent()).map(({ path }) => path).sort()).toEqual(paths);
  });

  it('lists what is opened after the clock was set back before what was opened before', async () => {
    const store = createStore(folder);
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-24T12:00:00Z') });
    try {
      await store.addRecent('/data/first.cot.json');
      vi.setSystemTime(new Date('2026-11-24T11:00:00Z'));
      await store.addRecent('/data/then.cot.json');
    } finally {
      vi.useRealTimers();
    }
    expect((await store.recent()).map(({ name }) => name)).toEqual(['then', 'first']);
  });

  it('does not keep files of what was opened long ago', async () => {
    const store = createStore(folder);
    for (let i = 0; i < 60; i++) await store.addRecent(`/data/m${i}.cot.json`);
    expect(readdirSync(join(folder, 'recent')).length).toBeLessThan(51);
    expect((await store.recent())[0]?.name).toBe('m59');
  });

  it('keeps copies over a restart, and the tables that they name', async () => {
    const page = {};
    const store = createStore(folder);
    const about = { name: 'A', location: { kind: 'unsaved' as const }, edited: true, files: ['named.csv'] };
    await store.copies.keep(page, copy, about, 0, ['one']);
    await store.copies.keep(page, copy, about, 1, ['two', 'three']);
    await store.copies.leave(page);
    mkdirSync(store.imports);
    const old = new Date(Date.now() - 30 * 24 * 3600 * 1000);
    for (const name of ['named.csv', 'old.csv']) {
      writeFileSync(join(store.imports, name), '');
      utimesSync(join(store.imports, name), old, old);
    }
    const again = createStore(folder);
    await again.sweep();
    expect(readdirSync(store.imports)).toEqual(['named.csv']);
    expect(await again.copies.take({}, copy)).toMatchObject({ entries: ['one', 'two', 'three'] });
  });

  it('sweeps away copies of what was saved', async () => {
    const page = {};
    const store = createStore(folder);
    const about = { name: 'A', location: { kind: 'unsaved' as const }, edited: false, files: [] };
    await store.copies.keep(page, copy, about, 0, ['one']);
    await store.sweep();
    expect(readdirSync(join(folder, 'kept'))).toHaveLength(1);
    await store.copies.leave(page);
    await store.sweep();
    expect(readdirSync(join(folder, 'kept'))).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('is nobody else’s to read, also where it was', async () => {
    for (const at of [join(folder, 'new', 'state'), folder]) {
      if (at === folder) chmodSync(folder, 0o755);
      await createStore(at).sweep();
      expect(statSync(at).mode & 0o777).toBe(0o700);
    }
    writeFileSync(join(folder, 'file'), '');
    await createStore(join(folder, 'file', 'below')).sweep();
  });

  it('passes over what it cannot read, but for a copy of edits, which it tells of', async () => {
    const store = createStore(folder);
    const about = { name: 'A', location: { kind: 'unsaved' as const }, edited: true, files: [] };
    await store.copies.keep({}, copy, about, 0, ['one']);
    for (const name of readdirSync(join(folder, 'kept'))) writeFileSync(join(folder, 'kept', name), '{"half');
    mkdirSync(join(folder, 'recent'));
    writeFileSync(join(folder, 'recent', '0.json'), 'no JSON');
    writeFileSync(join(folder, 'kept', 'notes.journal'), 'not ours');
    const file = join(folder, 'kept', `${copy}.journal`);
    await createStore(folder).sweep();
    expect(await createStore(folder).copies.kept()).toMatchObject([{ copy, damaged: { file, readable: false } }]);
    expect(readFileSync(file, 'utf8')).toBe('{"half');
    expect(await store.recent()).toEqual([]);
  });
});
