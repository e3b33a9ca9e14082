import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Location } from '../../../src-main/contract/contract.ts';
import { askedDocuments, commandArgument, documentArgument, whyNoCommand } from '../../../src-main/desktop/asked.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'cotangent-asked-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('takes the first argument that is a JSON file, relative to the folder of that start', () => {
  writeFileSync(join(folder, 'decay.cot.json'), '{}');
  const args = ['--no-sandbox', '--flag=x.json', 'absent.cot.json', 'decay.cot.json'];
  expect(documentArgument(args, folder)).toBe(join(folder, 'decay.cot.json'));
  expect(documentArgument(['--no-sandbox', '.', 'notes.txt'], folder)).toBeUndefined();
});

it('takes one that is not there where no other is, so that this is said', () => {
  expect(documentArgument(['--no-sandbox', '.', 'absent.cot.json', 'gone.cot.json'], folder)).toBe(
    join(folder, 'absent.cot.json'),
  );
});

it('takes file URLs, as desktops pass them, and the short extension', () => {
  const path = join(folder, 'two phases – 50 %.cot');
  writeFileSync(path, '{}');
  expect(documentArgument([pathToFileURL(path).href], tmpdir())).toBe(path);
  expect(documentArgument([path], tmpdir())).toBe(path);
  for (const url of ['file://elsewhere/x.cot.json', 'file:///%zz.cot.json', 'https://example.com/x.cot.json'])
    expect(documentArgument([url], folder)).toBeUndefined();
});

it('hands a later document to who listens, and to a page that begins then', () => {
  const asked = askedDocuments('/models/a.cot.json');
  const heard: Location[] = [];
  asked.listen((location) => heard.push(location));
  expect(asked.last()).toEqual({ kind: 'file', path: '/models/a.cot.json' });
  asked.ask('/models/b.cot.json');
  expect(heard).toEqual([{ kind: 'file', path: '/models/b.cot.json' }]);
  expect(asked.last()).toEqual({ kind: 'file', path: '/models/b.cot.json' });
  expect([...asked.chosen]).toEqual(['/models/a.cot.json', '/models/b.cot.json']);
});

it('opens nothing first where nothing was asked for', () => {
  expect(askedDocuments(undefined).last()).toBeNull();
});

it('tells a command, which is not the window’s, from files and from what Chromium is told', () => {
  const command = (...args: string[]) => commandArgument(args, folder);
  expect([command('check', 'a.cot.json'), command('--no-sandbox', 'fit', 'a')]).toEqual(['check', 'fit']);
  expect([command('--version'), command('--licenses')]).toEqual(['--version', '--licenses']);
  writeFileSync(join(folder, 'plain'), '');
  for (const args of [
    [],
    ['open'],
    ['open', 'a.cot'],
    ['a.cot.json'],
    ['/'],
    ['plain'],
    ['--no-sandbox'],
    ['file:///a'],
  ])
    expect(command(...args), args.join(' ')).toBeUndefined();
});

it('says what runs a command instead: what lies beside, unless that is gone once the window is', () => {
  expect(whyNoCommand('fit', join(folder, 'cotangent'), {})).toMatch(/^cotangent: fit is a command, .* sources\.$/);
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin', 'cotangent'), '');
  const beside = `run ${join(folder, 'bin', 'cotangent')} fit.`;
  expect(whyNoCommand('fit', join(folder, 'cotangent'), {})).toContain(beside);
  expect(whyNoCommand('fit', join(folder, 'cotangent'), { APPIMAGE: '/a.AppImage' })).not.toContain(beside);
});
