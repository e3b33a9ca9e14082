/** The window as it begins, with a host and an engine that the test plays. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { usualSettings } from '../../../src-main/contract/app.ts';
import type { FitReport, RequestOutput } from '../../../src-main/contract/contract.ts';
import type { Draft } from '../../../src-renderer/state/document/draft.ts';
import { openSession, sessionEntry } from '../../../src-renderer/state/document/session.ts';
import { App } from '../../../src-renderer/state/app.svelte.ts';
import { playedEngine, type Answers } from '../../support/played-engine.ts';

const model = join(import.meta.dirname, '../../../models/catalogue/misra1a.cot.json');
const location = { kind: 'file', path: model } as const;

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('document', { activeElement: null });
});
afterEach(() => vi.unstubAllGlobals());

const stamp = (hash: string) => ({ size: 1, time: 1, hash });
const document = (name?: string) => ({
  ...(JSON.parse(readFileSync(model, 'utf8')) as Record<string, unknown>),
  ...(name !== undefined && { name }),
});

async function begun(answers: Answers = {}) {
  const engine = playedEngine({
    'files.keep': () => ({ kept: true }),
    'files.forget': () => ({}),
    'files.release': () => ({}),
    'files.watch': () => ({}),
    'app.info': () => ({ version: '1', host: 'desktop', platform: 'linux', initial: location, updates: false }),
    'app.settings': () => usualSettings,
    'files.kept': () => [],
    'files.recent': () => [],
    'files.examples': () => [],
    'files.open': () => ({
      location,
      document: document(),
      fit: null,
      stamp: stamp('a'),
      kept: null,
      elsewhere: false,
    }),
    ...answers,
  });
  const app = new App(engine.client);
  void app.begin();
  // A GPU that is never found is asked for last.
  await vi.waitUntil(() => engine.of('devices.list').length > 0);
  return { app, of: engine.of, emit: engine.emit };
}

const rename = (app: App, to: string) => app.studio!.perform({ type: 'document', key: 'name', value: to });

it('goes back to what was saved by a step that is undone, and drops nothing where that cannot be read', async () => {
  let read = (): RequestOutput<'files.read'> => {
    throw new Error('there is no such file');
  };
  const { app, of } = await begun({ 'files.read': () => read() });
  rename(app, 'Mine');
  await app.studio!.saving.flush();
  await app.reload();
  expect([app.studio?.draft.name, app.message]).toEqual(['Mine', expect.stringMatching('no such file')]);
  rename(app, 'Mine still');
  expect(await app.studio!.saving.flush()).toBe(true);
  read = () => ({ document: document('Theirs'), fit: null, stamp: stamp('b') });
  await app.reload();
  expect(app.studio).toMatchObject({ draft: { name: 'Theirs' }, dirty: false, saving: { stamp: stamp('b') } });
  app.studio!.undo();
  expect(app.studio).toMatchObject({ draft: { name: 'Mine still' }, dirty: true });
  expect(of('files.forget')).toEqual([]);
});

it('reads a file again that another program wrote, by a step that is undone, unless the user has gone on meanwhile', async () => {
  let answer = (): void => undefined;
  const theirs = { document: document('Theirs'), fit: null, stamp: stamp('b') };
  const { app, of, emit } = await begun({ 'files.read': () => new Promise((done) => (answer = () => done(theirs))) });
  const changed = (hash: string | null) =>
    emit('files.changed', { location, stamp: hash === null ? null : stamp(hash) });
  const before = app.studio!.draft.name;
  changed('b');
  await vi.waitUntil(() => of('files.read').length === 1);
  answer();
  await vi.waitUntil(() => app.studio?.draft.name === 'Theirs');
  app.studio!.undo();
  expect(app.studio!.draft.name).toBe(before);
  app.studio!.redo();
  changed('c');
  await vi.waitUntil(() => of('files.read').length === 2);
  rename(app, 'Mine');
  answer();
  await vi.waitUntil(() => app.notices.some(({ text }) => /Saving asks/.test(text)));
  expect(app.studio).toMatchObject({ draft: { name: 'Mine' }, saving: { stamp: stamp('b') } });
  app.studio!.undo();
  expect(app.studio!.dirty).toBe(true);
  changed(null);
  expect(app.studio!.saving.standing).toMatch(/removed from the disk$/);
});

it('says that it is cut off, asks before edits go then, and is watched and kept anew once it is connected', async () => {
  let answers = true;
  const { app, of, emit } = await begun({
    'files.keep': () => (answers ? { kept: true } : new Promise(() => undefined)),
  });
  emit('host.connected', { connected: false });
  expect(app.notices.map(({ kind }) => kind)).toEqual(['cut-off']);
  expect(app.atRisk).toBe(false);
  answers = false;
  rename(app, 'Mine');
  expect(app.atRisk).toBe(true);
  answers = true;
  emit('host.connected', { connected: true });
  expect(app.notices).toEqual([]);
  expect(of('files.watch')).toEqual([0, 1].map(() => ({ location, stamp: stamp('a') })));
});

it('asks for the watch once the file is open here and once it has been saved: nothing told before would be heard', async () => {
  const other = { kind: 'file', path: '/home/other.cot.json' } as const;
  let open: unknown;
  const { app, of } = await begun({
    'files.save': () => ({ location: other, stamp: stamp('b'), savedAt: '2026-01-02T00:00:00Z' }),
    'files.watch': ({ location: asked }) => {
      // The first is asked for before the test has the window.
      if (asked.kind === 'file' && asked.path === other.path) open = app.studio?.saving.location;
      return {};
    },
  });
  await app.studio!.saving.save(other, { fit: null, meaning: null }, null);
  expect(of('files.watch')).toEqual([
    { location, stamp: stamp('a') },
    { location: other, stamp: stamp('b') },
  ]);
  expect(open).toEqual(other);
});

it('saves as one edits, but for what another program has done to the file', async () => {
  const { app, of, emit } = await begun({
    'app.settings': () => ({ ...usualSettings, autosave: true }),
    'files.save': () => ({ location, stamp: stamp('b'), savedAt: '2026-01-02T00:00:00Z' }),
  });
  expect(app.savesItself).toBe(false);
  rename(app, 'Mine');
  expect(app.savesItself).toBe(true);
  app.overlay = { kind: 'palette' };
  expect(app.savesItself).toBe(true);
  app.autosave.look();
  await vi.waitUntil(() => of('files.save').length === 1 && !app.studio!.dirty, { timeout: 2000 });
  emit('files.changed', { location, stamp: null });
  expect(app.savesItself).toBe(false);
});

it('writes over no file under a new name but the one that the user agreed to', async () => {
  const other = { kind: 'file', path: '/home/other.cot.json' } as const;
  let place: RequestOutput<'files.chooseSave'> = { location: other, over: null };
  const { app, of } = await begun({
    'files.chooseSave': () => place,
    'files.save': () => ({ changed: stamp('there') }),
  });
  expect(await app.filing.saveAs()).toBe(false);
  expect(app.overlay).toMatchObject({ kind: 'changed', location: other, stamp: stamp('there') });
  place = { location: other, over: stamp('agreed') };
  await app.filing.saveAs();
  place = { location, over: stamp('whatever') };
  await app.filing.saveAs();
  expect(of('files.save').map(({ over }) => over)).toEqual([null, stamp('agreed'), stamp('a')]);
});

it('hands files over through the host, and says where they cannot be written', async () => {
  const why = '/full/cotangent-logs.txt cannot be written, because the disk is full: make room on it.';
  let refuses = true;
  const { app, of } = await begun({
    'app.logs': () => ({ text: 'α' }),
    'files.handOver': () => {
      if (refuses) throw new Error(why);
      return { written: true };
    },
  });
  await app.collectLogs();
  expect(app.message).toContain(why);
  app.message = null;
  refuses = false;
  await app.collectLogs();
  const handed = { name: 'cotangent-logs.txt', content: new TextEncoder().encode('α') };
  expect([of('files.handOver'), app.message]).toEqual([[handed, handed], null]);
});

it('leaves a document unsaved only once another is open: where that fails it stays, and is kept', async () => {
  let opens = true;
  const { app, of } = await begun({
    'files.open': () => {
      if (!opens) throw new Error('there is no such file');
      return { location, document: document(), fit: null, stamp: stamp('a'), kept: null, elsewhere: false };
    },
  });
  rename(app, 'Mine');
  await app.studio!.saving.flush();
  opens = false;
  await app.abandon(() => app.open({ kind: 'file', path: '/gone.cot.json' }));
  expect([app.studio?.draft.name, of('files.forget').length]).toEqual(['Mine', 0]);
  rename(app, 'Mine still');
  expect(await app.studio!.saving.flush()).toBe(true);
  opens = true;
  await app.abandon(() => app.open(location));
  expect([app.studio?.dirty, of('files.forget').length]).toEqual([false, 1]);
});

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

it('says which copy of its edits cannot be read, where it lies, and removes it only when told to', async () => {
  const copy = '00000000-0000-4000-8000-000000000001';
  const file = `/home/ada/.state/kept/${copy}.journal`;
  const damaged = {
    ...{ copy, name: 'Misra', location, keptAt: '2026-01-01T00:00:00Z', damaged: { file, readable: false } },
  };
  const { app, of } = await begun({
    'files.open': () => ({
      ...{ location, document: document(), fit: null, stamp: stamp('a'), kept: null, elsewhere: false, damaged },
    }),
  });
  const [notice] = app.notices;
  expect(notice?.text).toMatch(/^The unsaved edits of Misra, of .*, cannot be read: .* is damaged/);
  expect(notice?.text).toContain(file);
  expect(of('files.forget')).toEqual([]);
  notice?.actions[0]?.run();
  await vi.waitUntil(() => of('files.forget').length > 0);
  expect([of('files.forget'), app.notices]).toEqual([[{ copy }], []]);
});

it('restores what can be read of a damaged copy, and says where it stays; of none it shows the file', async () => {
  const copy = '00000000-0000-4000-8000-000000000001';
  const kept = { copy, name: 'Misra', location, keptAt: '2026-01-01T00:00:00Z' };
  let entries = [sessionEntry(openSession(document('Mine') as Draft))];
  const answers: Answers = {
    'files.open': () => ({
      ...{ location, document: document(), fit: null, stamp: stamp('a'), kept, elsewhere: false },
    }),
    'files.restore': () => ({ ...kept, entries, file: '/kept/a.journal', aside: '/kept/b.damaged' }),
  };
  const { app } = await begun(answers);
  expect(app.studio?.draft['name']).toBe('Mine');
  expect(app.notices.find(({ kind }) => kind === 'damaged')?.text).toBe(
    'The copy of the unsaved edits of Misra is damaged: what can be read of it is shown. It stays as /kept/b.damaged.',
  );
  entries = ['{"type":"undo"}'];
  const none = await begun(answers);
  expect(none.app.studio?.draft['name']).toBe(document()['name']);
  expect(none.app.message).toMatch(/^The unsaved edits of Misra, .* cannot be read: their copy, \/kept\/a\.journal,/);
});

it('begins with the start panel and says so where the document that it was started with is not there', async () => {
  const why = `${model} cannot be opened: there is no such file.`;
  const { app } = await begun({
    'files.open': () => {
      throw new Error(why);
    },
    'files.examples': () => [
      {
        name: 'theophylline-oral',
        title: '',
        field: '',
        summary: '',
        origin: '',
      },
    ],
  });
  expect([app.studio, app.message, app.examples.length]).toEqual([null, why, 1]);
});

it('says why its engine was started again, but nothing where that was asked for', async () => {
  const { app, emit } = await begun();
  emit('engine.restarted', {});
  expect(app.message).toBeNull();
  emit('engine.restarted', { reason: 'it died' });
  expect(app.message).toBe('The engine was started again: it died');
});
