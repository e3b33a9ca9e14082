import { expect, it } from 'vitest';
import { unsandboxedNote } from '../../../src-main/desktop/unsandboxed.ts';

it('is noted of an AppImage without a sandbox, and of nothing else', () => {
  const inside = { APPIMAGE: '/home/Cotangent.AppImage' };
  expect(unsandboxedNote(true, inside)).toMatch(
    /^The window runs without its sandbox: .* --no-sandbox, the AppImage did/,
  );
  expect([unsandboxedNote(false, inside), unsandboxedNote(true, {})]).toEqual([undefined, undefined]);
});
