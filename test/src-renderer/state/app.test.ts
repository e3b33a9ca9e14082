/** The window as it begins, with a host and an engine that the test plays. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { usualSettings } from '../../../src-main/contract/app.ts';
import type { FitReport, RequestOutput } from '../../../src-main/contract/contract.ts';
import { App } from '../../../src-renderer/state/app.svelte.ts';
import { playedEngine, type Answers } from '../../support/played-engine.ts';

const model = join(import.meta.dirname, '../../../models/catalogue/misra1a.cot.json');
const location = { kind: 'file', path: model } as const;

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('document', { activeElement: null });
});
afterEach(() => vi.unstubAllGlobals());

async function begun(answers: Answers = {}) {
  const engine = playedEngine({
    ...answers,
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
  const app = new App(engine.client);
  void app.begin();
  // A GPU that is never found is asked for last.
  await vi.waitUntil(() => engine.of('devices.list').length > 0);
  return { app, of: engine.of };
}

it('opens its document without waiting for what there is to compute on', async () => {
  const { app, of } = await begun();
  expect(app.studio?.draft.name).toMatch(/^Misra1a/);
  expect(of('model.check')).toHaveLength(1);
});

it('asks before a fit of a file is left, until it is saved, and takes back that a save failed', async () => {
  let save = (): RequestOutput<'files.save'> => {
    throw new Error('the disk is full');
  };
  const { app } = await begun({ 'files.save': () => save() });
  const [left, kept] = [vi.fn(), { kind: 'leave' }];
  app.studio!.fitting.report = { finishedAt: '2026-01-02T00:00:00Z' } as FitReport;
  app.leave(left);
  expect(app.overlay).toMatchObject(kept);
  app.overlay = null;
  expect(await app.filing.save()).toBe(false);
  expect(app.message).toMatch(/^Not saved: .*the disk is full/);
  save = () => ({ location, stamp: { size: 1, time: 1, hash: 'a' }, savedAt: '2026-01-02T00:00:00Z' });
  expect(await app.filing.save()).toBe(true);
  expect(app.message).toBeNull();
  app.leave(left);
  expect([app.overlay, left.mock.calls.length]).toEqual([null, 1]);
});
