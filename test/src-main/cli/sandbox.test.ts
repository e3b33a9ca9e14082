import { expect, it } from 'vitest';
import { sandboxRemedy } from '../../../src-main/cli/sandbox.ts';

const at = (apparmor: string, clone: string, helper = false, most = '63000') =>
  sandboxRemedy('/opt/it/electron', { apparmor, clone, most, helper });

it('names the rule and the remedy where the sandbox is the reason, and nothing elsewhere', () => {
  expect(at('1', '')).toMatch(/user namespaces .*sudo chown root:root '\/opt\/it\/chrome-sandbox' && sudo chmod 4755/);
  expect(at('', '0')).toContain('user namespaces');
  expect(at('', '', false, '0')).toContain('user namespaces');
  expect(at('', '', true, '0')).toBeUndefined();
  expect([at('0', '1'), at('', ''), at('1', '', true)]).toEqual([undefined, undefined, undefined]);
});
