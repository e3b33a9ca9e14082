import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { savePlace } from '../../../src-main/desktop/save-place.ts';
import { metAt } from '../../../src-main/files/stamps.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'cotangent-place-'))));
afterEach(() => rmSync(folder, { recursive: true }));

it('may write over the file that the dialog has asked about, as it then was, and over no other', async () => {
  const path = join(folder, 'a.cot.json');
  expect(await savePlace(path, 'darwin')).toEqual({ path, over: null });
  writeFileSync(path, '{}');
  const { stamp } = (await metAt(path))!;
  for (const system of ['darwin', 'win32'] as const)
    expect(await savePlace(path, system)).toEqual({ path, over: stamp });
  // Nobody has asked: the extension was added afterwards, or the dialog is one that may not ask.
  expect(await savePlace(join(folder, 'a'), 'darwin')).toEqual({ path, over: null });
  expect(await savePlace(path, 'linux')).toEqual({ path, over: null });
});
