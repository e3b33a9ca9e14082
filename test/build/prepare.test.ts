import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
// Plain JavaScript, since it runs before there is anything that could read types.
import { installedSoFar, isInstalled, sourceHash } from '../../build/prepare.mjs';
import { areHere } from '../support/shells.ts';

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

  it('says how far it is', () => {
    const packages = { '': {}, 'node_modules/a': {}, 'node_modules/b': {}, 'node_modules/a/node_modules/c': {} };
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
    mkdirSync(join(folder, 'node_modules', 'a'), { recursive: true });
    expect(installedSoFar(folder)).toBe('1 of 3 packages');
  });

  it.skipIf(!areHere('npm'))('ends with a sentence where npm, which it needs, reaches no registry', () => {
    for (const name of ['build', 'package.json', 'package-lock.json'])
      cpSync(join(root, name), join(folder, name), { recursive: true });
    const { npm_execpath: _, ...env } = process.env;
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'build', 'start.mjs'), '--version'], {
      encoding: 'utf8',
      env: {
        ...env,
        // Nobody listens there, and nothing is kept from before.
        ...{ npm_config_registry: 'http://127.0.0.1:9', npm_config_fetch_retries: '0' },
        npm_config_cache: join(folder, 'cache'),
      },
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/^The packages .* could not be installed, .* again\.$/);
    expect(stderr).not.toMatch(/^ +at /m);
    expect(existsSync(join(folder, '.cache', 'preparing'))).toBe(false);
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
