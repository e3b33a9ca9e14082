import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBackups } from '../../../src-main/files/backups.ts';
import { createDesk } from '../../../src-main/files/desk.ts';
import { createStore } from '../../../src-main/files/store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cotangent-backups-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

describe('backups', () => {
  it('are the last ten saves that differ, newest first', async () => {
    const backups = createBackups(join(folder, 'backups'));
    const path = join(folder, 'a.cot.json');
    for (let i = 0; i < 13; i++) {
      await backups.keep(path, Buffer.from(`version ${i}`), at(2 * i));
      await backups.keep(path, Buffer.from(`version ${i}`), at(2 * i + 1));
    }
    const list = await backups.list(path);
    expect(list.map(({ savedAt }) => savedAt)).toEqual(
      Array.from({ length: 10 }, (_, i) => at(2 * (12 - i)).toISOString()),
    );
    expect(list[0]).toMatchObject({ size: 'version 12'.length });
    expect(await backups.read(path, list[9]!.backup)).toBe('version 3');
    expect(await backups.list(join(folder, 'b.cot.json'))).toEqual([]);
  });

  it('go by the order of the saves, whatever the clock said', async () => {
    const backups = createBackups(join(folder, 'backups'));
    const path = join(folder, 'a.cot.json');
    // Set back half way.
    for (let i = 0; i < 20; i++) await backups.keep(path, Buffer.from(`version ${i}`), at(i < 12 ? 40 + i : i - 12));
    const list = await backups.list(path);
    const texts = await Promise.all(list.map(async ({ backup }) => backups.read(path, backup)));
    expect(texts).toEqual(Array.from({ length: 10 }, (_, i) => `version ${19 - i}`));
    expect(list[0]?.savedAt).toBe(at(7).toISOString());
  });

  it('of saves that follow one another within ten seconds leave what was saved before them', async () => {
    const backups = createBackups(join(folder, 'backups'));
    const path = join(folder, 'a.cot.json');
    // Five by hand, ten minutes apart, then a hundred by themselves, two a second.
    const byHand = Array.from({ length: 5 }, (_, i) => at(600 * i));
    const byThemselves = Array.from({ length: 100 }, (_, i) => at(3000 + i / 2));
    for (const [i, when] of [...byHand, ...byThemselves].entries())
      await backups.keep(path, Buffer.from(`version ${i}`), when);
    const texts = await Promise.all((await backups.list(path)).map(async ({ backup }) => backups.read(path, backup)));
    expect(texts).toEqual([104, 103, 102, 101, 100, 4, 3, 2, 1, 0].map((i) => `version ${i}`));
  });

  it('are of the file, by whichever name', async () => {
    const backups = createBackups(join(folder, 'backups'));
    const path = join(folder, 'a.cot.json');
    writeFileSync(path, '');
    symlinkSync(folder, join(folder, 'other'));
    await backups.keep(path, Buffer.from('1'), at(0));
    expect(await backups.list(join(folder, 'other', 'a.cot.json'))).toHaveLength(1);
  });

  it('give nothing else away', async () => {
    mkdirSync(join(folder, 'backups'));
    writeFileSync(join(folder, 'secret.cot.json'), 'secret');
    const backups = createBackups(join(folder, 'backups'));
    for (const name of ['../../secret', 'secret', ''])
      await expect(backups.read(join(folder, 'a'), name)).rejects.toThrow('no such backup');
  });

  it('begin with what was there before the first save', async () => {
    const path = join(folder, 'a.cot.json');
    const model = (name: string) => ({ format: 'cotangent/1', name, blocks: [] });
    writeFileSync(path, JSON.stringify(model('by hand')));
    const page = { emit: () => undefined, onEnd: () => undefined };
    const desk = createDesk({ store: createStore(join(folder, 'state')), page, mayHave: () => true });
    const location = { kind: 'file' as const, path };
    await desk.save({ path, document: model('first'), fit: null, from: undefined, over: undefined });
    await desk.save({ path, document: model('second'), fit: null, from: undefined, over: undefined });
    const list = await desk.handlers['files.backups']({ location });
    const names = await Promise.all(
      list.map(async ({ backup }) => (await desk.handlers['files.backup']({ location, backup })).document['name']),
    );
    expect(names).toEqual(['second', 'first', 'by hand']);
    expect(readFileSync(path, 'utf8')).toContain('second');
  });
});
