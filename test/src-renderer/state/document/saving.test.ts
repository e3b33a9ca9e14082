/** What of an open document is safe: saved is only what the host has written, and what is not stays kept. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FitReport, Location, RequestOutput } from '../../../../src-main/contract/contract.ts';
import type { Stamp } from '../../../../src-main/contract/keeping.ts';
import { openLog, perform, undo } from '../../../../src-renderer/state/document/command-log.ts';
import type { CommandLog } from '../../../../src-renderer/state/document/command-log.ts';
import type { Draft } from '../../../../src-renderer/state/document/draft.ts';
import { Saving } from '../../../../src-renderer/state/document/saving.svelte.ts';
import { actionEntry, openSession } from '../../../../src-renderer/state/document/session.ts';
import type { Action, KeptStudy } from '../../../../src-renderer/state/document/session.ts';
import { comparisonReport } from '../../../support/fits/study-report.ts';
import { playedEngine } from '../../../support/played-engine.ts';

const draft = (initial: number, name = 'Decay of A (1)'): Draft => ({
  ...{ format: 'cotangent/1', name, blocks: [{ id: 'k', kind: 'parameter', initial }] },
});
const file: Location = { kind: 'file', path: '/home/ada/decay.cot.json' };
const stamp = (hash: string): Stamp => ({ hash, size: 1, time: 1 });
const fitted = (finishedAt: string) => ({ finishedAt }) as FitReport;

const of = (fit: FitReport | null) => ({ fit, meaning: null });

type Saved = RequestOutput<'files.save'>;

function savingOf(session = openSession(draft(1), { saved: true, stamp: stamp('a') }), location = file) {
  let reply = (): Saved | Promise<Saved> => ({ location: file, stamp: stamp('b'), savedAt: '2026-01-01T00:00:00Z' });
  let keeps = (): { kept: boolean } | Promise<never> => ({ kept: true });
  const engine = playedEngine({
    'files.save': () => reply(),
    'files.keep': () => keeps(),
    'files.forget': () => ({}),
    'files.release': () => ({}),
    'files.keepRuns': () => ({ hash: '' }),
  });
  const open = { ...session };
  const saving = new Saving(
    engine.client,
    location,
    session,
    () => open,
    null,
    () => undefined,
  );
  return {
    saving,
    engine,
    /** The host answers a save so. */
    answers: (answer: typeof reply) => void (reply = answer),
    keepsNothing: (how = (): Promise<never> => Promise.reject(new Error('no space left on the disk'))) =>
      void (keeps = how),
    edit(next: Draft) {
      open.log = openLog(next);
      saving.did({ type: 'undo' });
    },
    went: (log: CommandLog) => void (open.log = log),
    studied: (studies: readonly KeptStudy[]) => void (open.studies = studies),
    runs: () => void (open.best = { draft: draft(2), iteration: 1, objective: 1, parameters: {} }),
    fit: (report: FitReport, of: Draft | null = null) => void Object.assign(open, { report, fitted: of }),
  };
}

it('is dirty from an edit until that very draft is written', async () => {
  const { saving, edit } = savingOf();
  expect([saving.dirty, saving.unsaved]).toEqual([false, false]);
  edit(draft(2));
  expect([saving.dirty, saving.unsaved]).toEqual([true, true]);
  expect(await saving.save(file, of(null), saving.stamp)).toBe('saved');
  expect([saving.dirty, saving.unsaved]).toEqual([false, false]);
  expect(saving).toMatchObject({ stamp: stamp('b'), savedAt: Date.UTC(2026, 0, 1), failure: null, saving: false });
});

it('is not all saved while what studies found is beside no file', async () => {
  const { saving, engine, studied, answers } = savingOf();
  const stored = { documents: [], studies: [{ report: comparisonReport('1'), parameters: {} }] };
  studied([{ report: comparisonReport('1'), draft: null, parameters: {} }]);
  expect(saving).toMatchObject({
    dirty: false,
    unsaved: true,
    atStake: true,
    standing: expect.stringMatching(/saved without its studies$/),
  });
  answers(() => ({ location: file, stamp: stamp('b'), savedAt: '', withoutStudies: 'It may not be written.' }));
  await saving.save(file, of(null), undefined, stored);
  expect(saving).toMatchObject({ unsaved: true, failure: 'Saved without its studies: It may not be written.' });
  answers(() => ({ location: file, stamp: stamp('b'), savedAt: '' }));
  await saving.save(file, of(null), undefined, stored);
  expect(saving).toMatchObject({ unsaved: false, failure: null, standing: expect.stringMatching(/ saved$/) });
  expect(engine.of('files.save')).toMatchObject([{ studies: stored }, { studies: stored }]);
  studied([{ report: comparisonReport('2'), draft: null, parameters: {} }]);
  expect(saving.unsaved).toBe(true);
});

it('leaves studies beside the file that it cannot read, until it has others', async () => {
  const { saving, engine } = savingOf();
  saving.unread = true;
  await saving.save(file, of(null), undefined, { documents: [], studies: [] });
  expect(engine.of('files.save')[0]).not.toHaveProperty('studies');
});

it('stays dirty by what is done while the host writes', async () => {
  const { saving, engine, edit, answers } = savingOf();
  edit(draft(2));
  let written = (): void => undefined;
  answers(
    () => new Promise((resolve) => (written = () => resolve({ location: file, stamp: stamp('b'), savedAt: '' }))),
  );
  const saved = saving.save(file, of(null), undefined);
  expect(saving.saving).toBe(true);
  await vi.waitUntil(() => engine.of('files.save').length > 0);
  edit(draft(3));
  written();
  expect(await saved).toBe('saved');
  expect(saving.dirty).toBe(true);
  expect(engine.of('files.save')).toMatchObject([{ document: { blocks: [{ initial: 2 }] } }]);
});

it('keeps what was done before it is saved: no kill brings back what is older than the file', async () => {
  const { saving, engine, edit } = savingOf();
  edit(draft(2));
  await saving.flush();
  // The first of these goes at once, the second a moment later, which the save does not wait for.
  const done: readonly Action[] = [{ type: 'undo' }, { type: 'redo' }];
  for (const action of done) saving.did(action);
  await saving.save(file, of(null), undefined);
  const before = engine.asked.slice(
    0,
    engine.asked.findIndex(({ name }) => name === 'files.save'),
  );
  const kept = before.flatMap(({ body }) => ('entries' in body ? body.entries : []));
  expect(kept.slice(1)).toEqual(done.map(actionEntry));
});

it('is saved where nothing answers that would keep its edits', async () => {
  vi.useFakeTimers();
  const { saving, edit, keepsNothing } = savingOf();
  keepsNothing(() => new Promise(() => undefined));
  edit(draft(2));
  const saved = saving.save(file, of(null), undefined);
  await vi.advanceTimersByTimeAsync(5000);
  vi.useRealTimers();
  expect(await saved).toBe('saved');
});

it('saves nothing over what another program has written, and says with what it may', async () => {
  const { saving, engine, edit, answers } = savingOf();
  edit(draft(2));
  answers(() => ({ changed: stamp('c') }));
  expect(await saving.save(file, of(null), saving.stamp)).toEqual({ changed: stamp('c') });
  expect(engine.of('files.save')).toMatchObject([{ over: stamp('a') }]);
  expect(saving).toMatchObject({ dirty: true, stamp: stamp('a'), savedAt: null, saving: false });
});

it('says why a save failed, and is as unsaved as before', async () => {
  const { saving, edit, answers } = savingOf();
  edit(draft(2));
  answers(() => Promise.reject(new Error('no space left on the disk')));
  expect(await saving.save(file, of(null), undefined)).toBe('failed');
  expect(saving.failure).toMatch(/^Not saved: .*no space left on the disk/);
  expect(saving).toMatchObject({ dirty: true, saving: false });
});

it('says of a copy that it was not saved there, beside what stands of its own file', async () => {
  const { saving, answers } = savingOf();
  answers(() => Promise.reject(new Error('b.cot.json cannot be written')));
  expect(await saving.save({ kind: 'file', path: '/models/b.cot.json' }, of(null), undefined)).toBe('failed');
  expect(saving.failure).toMatch(/^Not saved there: .*b\.cot\.json cannot be written/);
});

it('is unsaved by a fit that does not lie beside the file', async () => {
  const { saving, fit } = savingOf();
  const report = fitted('2026-01-02T00:00:00Z');
  fit(report);
  expect([saving.dirty, saving.unsaved]).toEqual([false, true]);
  await saving.save(file, of(report), undefined);
  expect(saving.unsaved).toBe(false);
});

it('says saved of what lies on the disk alone, and whether its fit lies beside it', async () => {
  const { saving, fit, answers, edit } = savingOf();
  expect(saving.standing).toBe('decay.cot.json, saved');
  const report = fitted('2026-01-02T00:00:00Z');
  fit(report);
  expect(saving.standing).toBe('decay.cot.json, saved without its fit');
  await saving.save(file, of(report), undefined);
  expect(saving.standing).toBe('decay.cot.json, saved');
  edit(draft(2));
  expect(saving.standing).toBe('decay.cot.json, edited');
  // The fit does not hold any more: it is not written, and what was there is removed.
  await saving.save(file, of(null), undefined);
  expect(saving.standing).toBe('decay.cot.json, saved without its fit');
  answers(() => ({ location: file, stamp: stamp('c'), savedAt: '', without: 'its name is too long' }));
  fit(fitted('2026-01-03T00:00:00Z'));
  await saving.save(file, of(fitted('2026-01-03T00:00:00Z')), undefined);
  expect(saving.standing).toBe('decay.cot.json, saved without its fit');
  expect(saving.failure).toBe('Saved without its fit: its name is too long');
  expect([saving.dirty, saving.atStake]).toEqual([false, true]);
});

it('is saved nowhere once its file is gone, and again once that is back', async () => {
  const { saving, engine } = savingOf();
  saving.lost({ missing: true });
  expect(saving).toMatchObject({ standing: 'decay.cot.json, removed from the disk', atStake: true });
  // It is in this window alone now.
  expect(await saving.flush()).toBe(true);
  expect(engine.of('files.keep')).toMatchObject([{ about: { edited: true } }]);
  saving.found(draft(1), stamp('a'), null);
  expect(saving).toMatchObject({ standing: 'decay.cot.json, saved', atStake: false });
  saving.lost({ missing: true });
  expect(await saving.save(file, of(null), saving.stamp)).toBe('saved');
  expect(saving.standing).toBe('decay.cot.json, saved');
});

it('is not saved by an undo to what the file held before another program wrote it', async () => {
  const { saving, edit, answers } = savingOf();
  edit(draft(2));
  answers(() => ({ changed: stamp('theirs') }));
  await saving.save(file, of(null), saving.stamp);
  edit(draft(1));
  expect(saving).toMatchObject({ dirty: true, atStake: true, stamp: stamp('a') });
  const restored = savingOf();
  restored.edit(draft(2));
  restored.saving.found(draft(4), stamp('theirs'), null);
  restored.edit(draft(1));
  expect(restored.saving.dirty).toBe(true);
});

it('keeps a model whose blocks were all deleted, and no empty one', async () => {
  const emptied = savingOf();
  const empty: Draft = { format: 'cotangent/1', blocks: [] };
  emptied.went(perform(openLog(draft(2)), { type: 'replace', what: 'Delete all', draft: empty }));
  emptied.saving.keep();
  emptied.saving.close();
  const blank = savingOf(openSession(empty), { kind: 'unsaved' });
  blank.saving.keep();
  blank.saving.close();
  await vi.waitUntil(() => blank.engine.of('files.forget').length > 0);
  expect(emptied.engine.of('files.forget')).toEqual([]);
});

it('keeps the first edit with all before it, and says when everything is kept', async () => {
  const { saving, engine, edit } = savingOf();
  edit(draft(2));
  expect([saving.allKept, saving.unkept]).toEqual([false, true]);
  expect(await saving.flush()).toBe(true);
  expect([saving.allKept, saving.unkept]).toEqual([true, false]);
  const [first] = engine.of('files.keep');
  expect(first).toMatchObject({ from: 0, about: { name: 'Decay of A (1)', location: file, edited: true } });
});

it('says why edits are not kept, for as long as no file holds them', async () => {
  const { saving, edit, keepsNothing } = savingOf();
  keepsNothing();
  edit(draft(2));
  expect(await saving.flush()).toBe(false);
  expect(saving.failure).toMatch(/^The last edits are not kept: .*no space left on the disk/);
  expect(await saving.save(file, of(null), undefined)).toBe('saved');
  expect(await saving.flush()).toBe(false);
  expect(saving.failure).toBeNull();
});

it('says that edits are not kept beside why they are not saved', async () => {
  const { saving, edit, answers, keepsNothing } = savingOf();
  answers(() => Promise.reject(new Error('the disk may only be read')));
  edit(draft(2));
  expect(await saving.save(file, of(null), undefined)).toBe('failed');
  expect(saving.failure).toMatch(/^Not saved: [^.]*only be read\.?$/);
  keepsNothing();
  edit(draft(3));
  expect(await saving.flush()).toBe(false);
  expect(saving.failure).toMatch(
    /^The last edits are not kept: .*no space left on the disk.* Not saved: .*only be read/,
  );
});

it('says of the last save how it went for as long as that is about what is here', async () => {
  const { saving, edit, answers } = savingOf();
  answers(() => ({ location: file, stamp: stamp('b'), savedAt: '', withoutBackup: 'the disk is full' }));
  expect(await saving.save(file, of(null), undefined)).toBe('saved');
  expect(saving.failure).toBe('Saved, but not among the earlier saves: the disk is full');
  // What is here now is saved nowhere.
  edit(draft(2));
  expect(saving.failure).toBeNull();
  answers(() => Promise.reject(new Error('the disk is full')));
  expect(await saving.save(file, of(null), undefined)).toBe('failed');
  expect(saving.failure).toMatch(/^Not saved: /);
  // And this is what the file holds.
  edit(draft(1));
  expect(saving).toMatchObject({ failure: null, standing: 'decay.cot.json, saved' });
});

it('forgets what was kept of a document that is closed as its file has it, and of no other', async () => {
  const clean = savingOf();
  clean.edit(draft(2));
  await clean.saving.save(file, of(null), undefined);
  clean.saving.close();
  await vi.waitUntil(() => clean.engine.of('files.forget').length > 0);
  const edited = savingOf();
  edited.edit(draft(2));
  await edited.saving.flush();
  edited.saving.close();
  await new Promise((resolve) => setImmediate(resolve));
  // A fit of a file may have taken hours.
  const withFit = savingOf();
  withFit.fit(fitted('2026-01-02T00:00:00Z'));
  withFit.saving.keep();
  withFit.saving.close();
  await new Promise((resolve) => setImmediate(resolve));
  for (const { engine } of [edited, withFit]) {
    expect(engine.of('files.forget')).toEqual([]);
    // The document may be opened again in this very window.
    await vi.waitUntil(() => engine.of('files.release').length > 0);
    expect(engine.of('files.release')).toEqual([{ copy: engine.of('files.keep')[0]!.copy }]);
  }
});

it('knows a restored document for saved where its file was written as the crash came', () => {
  const { saving, edit } = savingOf();
  edit(draft(2));
  saving.found(draft(5), stamp('a'), null);
  expect(saving.dirty).toBe(true);
  saving.found(draft(2), stamp('z'), null);
  expect(saving).toMatchObject({ dirty: false, stamp: stamp('z') });
});

it('knows its own save for what it is where it was edited or undone before the crash', () => {
  const edited = perform(openLog(draft(2)), { type: 'replace', what: 'Take another', draft: draft(3) });
  for (const [log, held] of [
    [edited, draft(2)],
    [undo(edited), draft(3)],
  ] as const) {
    const { saving, went } = savingOf();
    went(log);
    saving.found(draft(4), stamp('theirs'), null);
    expect(saving.stamp).toEqual(stamp('a'));
    saving.found(held, stamp('z'), null);
    expect(saving).toMatchObject({ dirty: true, stamp: stamp('z'), saved: held });
  }
});

it('says what a file lacks: edits, or a fit alone', () => {
  const { saving, edit, fit } = savingOf();
  fit(fitted('2026-01-02T00:00:00Z'));
  saving.found(draft(1), stamp('a'), null);
  expect(saving).toMatchObject({ unsaved: true, lacking: 'the fit' });
  edit(draft(2));
  expect(saving.lacking).toBe('the edits');
});

it('knows a restored document for saved where all that its file lacks is a fit of what it was before', async () => {
  const { saving, edit, fit } = savingOf();
  fit(fitted('2026-01-02T00:00:00Z'), draft(1));
  expect(saving.unsaved).toBe(true);
  edit(draft(2));
  await saving.save(file, of(null), undefined);
  expect(saving).toMatchObject({ unsaved: false, standing: 'decay.cot.json, saved without its fit' });
  const restored = savingOf();
  restored.edit(draft(2));
  restored.fit(fitted('2026-01-02T00:00:00Z'), draft(1));
  restored.saving.found(draft(2), stamp('b'), null);
  expect(restored.saving).toMatchObject({ unsaved: false, standing: 'decay.cot.json, saved without its fit' });
  // One of what the file holds is work that it lacks.
  restored.fit(fitted('2026-01-03T00:00:00Z'), draft(2));
  restored.saving.found(draft(2), stamp('b'), null);
  expect(restored.saving.unsaved).toBe(true);
});

it('offers a name that a disk takes', () => {
  const unsaved = { kind: 'unsaved' } as const;
  const named = (name: string) => savingOf(openSession(draft(1, name)), unsaved).saving;
  expect(named('Decay of A (1)')).toMatchObject({ suggestion: 'decay-of-a-1.cot.json', fileName: 'not saved yet' });
  expect(named('–').suggestion).toBe('model.cot.json');
  expect(savingOf().saving).toMatchObject({ suggestion: 'decay.cot.json', fileName: 'decay.cot.json' });
  expect(savingOf().saving.isAt({ kind: 'file', path: '/home/ada/other.cot.json' })).toBe(false);
});

it('keeps the runs of a file at once, and of another place to which it is saved', async () => {
  const { saving, engine, answers } = savingOf();
  saving.keepRuns();
  expect(engine.of('files.keepRuns').map(({ location }) => location)).toEqual([file]);
  await saving.save(file, of(null), saving.stamp);
  expect(engine.of('files.keepRuns')).toHaveLength(1);
  const other: Location = { kind: 'file', path: '/home/ada/other.cot.json' };
  answers(() => ({ location: other, stamp: stamp('c'), savedAt: '2026-01-01T00:00:00Z' }));
  await saving.save(other, of(null), null);
  expect(engine.of('files.keepRuns')[1]?.location).toEqual(other);
});

describe('a document that is left', () => {
  const remembered = new Map<string, string>();
  beforeEach(() => {
    remembered.clear();
    vi.stubGlobal('sessionStorage', {
      getItem: (name: string) => remembered.get(name) ?? null,
      setItem: (name: string, value: string) => void remembered.set(name, value),
      removeItem: (name: string) => void remembered.delete(name),
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  it('needs no copy once it has been saved, though a fit of it runs', async () => {
    const { saving, engine, edit, runs } = savingOf();
    edit(draft(2));
    await saving.flush();
    const { copy } = engine.of('files.keep')[0]!;
    expect([...remembered.values()]).toContain(copy);
    runs();
    await saving.save(file, of(null), saving.stamp);
    expect(saving.unsaved).toBe(true);
    saving.close();
    await vi.waitUntil(() => engine.of('files.forget').length > 0);
    expect([...remembered.values()]).not.toContain(copy);
  });

  it('stays kept where it was not saved, and is not what the window has when it is loaded again', async () => {
    const { saving, engine, edit } = savingOf();
    edit(draft(2));
    saving.close();
    await vi.waitUntil(() => engine.of('files.keep').length > 0);
    await saving.flush();
    expect([...remembered.values()]).not.toContain(engine.of('files.keep')[0]!.copy);
    expect(engine.of('files.forget')).toEqual([]);
  });
});

it('is saved without what another program has removed from beside the file, and whole again with the next save', async () => {
  const fit = fitted('2026-01-01T00:00:00Z');
  const session = openSession(draft(1), { saved: true, stamp: stamp('a'), fit });
  const { saving } = savingOf(session);
  saving.besideIs({ fit: true, studies: false });
  expect(saving.word).toBe('saved');
  saving.besideIs({ fit: false, studies: false });
  expect(saving.standing).toBe('decay.cot.json, saved without its fit');
  expect(await saving.save(file, of(fit), saving.stamp)).toBe('saved');
  expect(saving.word).toBe('saved');
});
