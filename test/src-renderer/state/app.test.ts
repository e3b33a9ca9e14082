/** The window as it begins, with a host and an engine that the test plays. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { usualSettings } from '../../../src-main/contract/app.ts';
import { App } from '../../../src-renderer/state/app.svelte.ts';
import { playedEngine } from '../../support/played-engine.ts';

const model = join(import.meta.dirname, '../../../models/catalogue/misra1a.cot.json');
const location = { kind: 'file', path: model } as const;

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('document', { activeElement: null });
});
afterEach(() => vi.unstubAllGlobals());

it('opens its document without waiting for what there is to compute on', async () => {
  const { client, of } = playedEngine({
    'app.info': () => ({ version: '1', host: 'desktop', platform: 'linux', initial: location }),
    'app.settings': () => usualSettings,
    'files.kept': () => [],
    'files.recent': () => [],
    'files.examples': () => [],
    'files.open': () => ({
      location,
      document: JSON.parse(readFileSync(model, 'utf8')) as Record<string, unknown>,
      fit: null,
      stamp: null,
      kept: null,
      elsewhere: false,
    }),
  });
  const app = new App(client);
  void app.begin();
  // A GPU that is never found is asked for last.
  await vi.waitUntil(() => of('devices.list').length > 0);
  expect(app.studio?.draft.name).toMatch(/^Misra1a/);
  expect(of('model.check')).toHaveLength(1);
});
