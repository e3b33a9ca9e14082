import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
// Plain JavaScript, since it runs before there is anything that could read types.
import { isInstalled, sourceHash } from '../../build/prepare.mjs';

const root = join(import.meta.dirname, '../..');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cotangent-prepare-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('preparing', () => {
  it('finds this project installed as its lockfile has it', () => {
    expect(isInstalled(root)).toBe(true);
  });

  it('sees what is missing, and what the lockfile has changed', () => {
    const lock = (version: string) =>
      JSON.stringify({
        packages: { '': {}, 'node_modules/a': { version }, 'node_modules/b': { version: '1.0.0', optional: true } },
      });
    writeFileSync(join(folder, 'package-lock.json'), lock('1.0.0'));
    expect(isInstalled(folder)).toBe(false);
    mkdirSync(join(folder, 'node_modules'));
    const record = join(folder, 'node_modules', '.package-lock.json');
    writeFileSync(record, JSON.stringify({ packages: {} }));
    expect(isInstalled(folder)).toBe(false);
    writeFileSync(record, JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } }));
    expect(isInstalled(folder)).toBe(true);
    writeFileSync(join(folder, 'package-lock.json'), lock('1.0.1'));
    expect(isInstalled(folder)).toBe(false);
  });

  it('knows every source by name and content', () => {
    mkdirSync(join(folder, 'engine'));
    const file = join(folder, 'engine', 'a.ts');
    writeFileSync(file, 'export const a = 1;');
    const first = sourceHash(folder);
    expect(sourceHash(folder)).toBe(first);
    writeFileSync(file, 'export const a = 2;');
    const changed = sourceHash(folder);
    cpSync(file, join(folder, 'engine', 'b.ts'));
    const added = sourceHash(folder);
    writeFileSync(join(folder, 'README.md'), 'not built');
    expect(new Set([first, changed, added, sourceHash(folder)]).size).toBe(3);
  });

  it('needs no dependency before there is one', () => {
    for (const script of ['prepare', 'start', 'test', 'package', 'linux-files', 'electron', 'system', 'cotangent'])
      for (const [, from] of readFileSync(join(root, 'build', `${script}.mjs`), 'utf8').matchAll(/ from '([^']+)'/g))
        expect(from, script).toMatch(/^(node:|\.\/)/);
  });
});
