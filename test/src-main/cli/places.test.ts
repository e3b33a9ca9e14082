import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { stateFolder } from '../../../src-main/cli/places.ts';

const home = join(homedir(), '.local', 'state', 'cotangent');
const whole = resolve('somewhere');

it.each([
  [{ XDG_STATE_HOME: whole, LOCALAPPDATA: resolve('else') }, join(whole, 'cotangent')],
  [{ LOCALAPPDATA: whole }, join(whole, 'cotangent')],
  [{}, home],
  [{ XDG_STATE_HOME: '' }, home],
  [{ XDG_STATE_HOME: 'state' }, home],
])('of %j what is remembered lies in %s', (env, folder) => {
  expect(stateFolder(env)).toBe(folder);
});
