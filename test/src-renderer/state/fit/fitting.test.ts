/** One fit in the window: from the button to its report, whatever comes between. */
import { describe, expect, it } from 'vitest';
import type { FitReport } from '../../../../src-main/contract/contract.ts';
import { Fitting } from '../../../../src-renderer/state/fit/fitting.svelte.ts';
import type { Draft } from '../../../../src-renderer/state/document/draft.ts';
import { playedEngine, type PlayedEngine } from '../../../support/played-engine.ts';

const draft: Draft = { format: 'cotangent/1', blocks: [{ id: 'k', kind: 'parameter', initial: 1 }], objective: 'l' };
const report: FitReport = {
  status: 'converged',
  reason: 'no step reduces it',
  objective: 2,
  estimates: [
    {
      name: 'k',
      block: 'k',
      value: 3,
      standardError: 1,
      lower95: 1,
      upper95: 5,
      fixed: false,
      verdict: { status: 'determined', reason: 'determined, to ±67 %' },
    },
  ],
  correlationNames: ['k'],
  correlation: [[1]],
  iterations: 4,
  evaluations: 5,
  history: [9, 2],
  device: 'cpu',
  precision: 'f64',
  milliseconds: 1,
  finishedAt: '2026-01-01T00:00:00Z',
  meaning: 'A',
};
const checked = { draft, meaning: { objective: 'A', outputs: {}, quantities: {} } };
const progress = { kind: 'fit' as const, meaning: 'A', iteration: 1, objective: 5, parameters: { k: [2] } };

const started = (): PlayedEngine =>
  playedEngine({
    'job.start': () => ({ job: 'job-1' }),
    'job.stop': () => ({}),
    'job.pause': () => ({}),
    'job.resume': () => ({}),
  });

function fittingWith(engine: PlayedEngine) {
  const finished: unknown[][] = [];
  let moved = 0;
  const fitting = new Fitting(
    engine.client,
    () => ({ kind: 'unsaved', id: 'u' }),
    () => (moved += 1),
    (...args) => finished.push(args),
  );
  return { fitting, finished, moves: () => moved };
}

describe('a fit', () => {
  it('shows its best point while it runs, and its report when it is done', async () => {
    const engine = started();
    const { fitting, finished, moves } = fittingWith(engine);
    await fitting.start(draft, 7);
    expect(engine.of('job.start')[0]).toMatchObject({ work: { kind: 'fit', starts: 7 }, parameters: {} });
    engine.emit('job.progress', { job: 'job-1', progress });
    expect(fitting.progress).toMatchObject({ stage: 'iteration 1, objective 5', history: [{ x: 1, y: 5 }] });
    expect(fitting.pointFor(draft, checked)?.get('k')).toEqual([2]);
    engine.emit('job.done', { job: 'job-1', result: { kind: 'fit', report } });
    expect(fitting.running).toBe(false);
    expect(fitting.pointFor(draft, checked)?.get('k')).toEqual([3]);
    expect(finished).toEqual([[report, draft]]);
    expect(moves()).toBe(2);
  });

  it('does not start a second time while it runs', async () => {
    const engine = started();
    const { fitting } = fittingWith(engine);
    await Promise.all([fitting.start(draft), fitting.start(draft)]);
    expect(engine.of('job.start')).toHaveLength(1);
  });

  it('hears nothing of another job', async () => {
    const engine = started();
    const { fitting } = fittingWith(engine);
    await fitting.start(draft);
    engine.emit('job.done', { job: 'job-0', result: { kind: 'fit', report } });
    expect(fitting.running).toBe(true);
    expect(fitting.report).toBeNull();
  });

  it('that is stopped before the engine has named it is stopped then', async () => {
    let answer: (output: { job: string }) => void = () => undefined;
    const engine = playedEngine({
      'job.start': () => new Promise((resolve) => (answer = resolve)),
      'job.stop': () => ({}),
    });
    const { fitting } = fittingWith(engine);
    const starting = fitting.start(draft);
    await fitting.stop();
    expect(engine.of('job.stop')).toEqual([]);
    answer({ job: 'job-3' });
    await starting;
    expect(engine.of('job.stop')).toEqual([{ job: 'job-3' }]);
  });

  it('that is paused says so until it is resumed', async () => {
    const engine = started();
    const { fitting } = fittingWith(engine);
    await fitting.start(draft);
    await fitting.pause();
    expect(fitting.paused).toBe(false);
    engine.emit('job.progress', { job: 'job-1', progress, paused: true });
    expect(fitting.paused).toBe(true);
    await fitting.resume();
    expect(fitting.paused).toBe(false);
  });

  it('keeps the report of before where the next one is refused, and where the engine dies', async () => {
    const engine = started();
    const { fitting, finished } = fittingWith(engine);
    fitting.take(report);
    await fitting.start(draft);
    engine.emit('job.refused', { job: 'job-1', problems: [{ severity: 'error', message: 'no' }] });
    expect({ running: fitting.running, report: fitting.report }).toEqual({ running: false, report });
    expect(fitting.refused).toEqual([{ severity: 'error', message: 'no' }]);
    await fitting.start(draft);
    expect(fitting.refused).toEqual([]);
    engine.emit('engine.restarted', { reason: 'it died' });
    expect(fitting.refused).toEqual([{ severity: 'error', message: 'it died' }]);
    await fitting.start(draft);
    engine.emit('engine.restarted', {});
    expect(fitting.refused).toMatchObject([{ severity: 'warning' }]);
    expect(finished).toEqual([]);
  });

  it('says why it was refused until the model is another, or a fit is shown', async () => {
    const engine = started();
    const { fitting } = fittingWith(engine);
    const refuse = async (): Promise<void> => {
      await fitting.start(draft);
      engine.emit('job.refused', { job: 'job-1', problems: [{ severity: 'error', message: 'no' }] });
    };
    await refuse();
    fitting.nowIs({ ...draft, blocks: [...draft.blocks] });
    expect(fitting.refused).toHaveLength(1);
    fitting.nowIs({ ...draft, blocks: draft.blocks.slice(1) });
    expect(fitting.refused).toEqual([]);
    await refuse();
    fitting.take(report);
    expect(fitting.refused).toEqual([]);
  });

  it.each(['the death of its engine', 'that of its thread'])(
    'leaves its best point behind at %s, to go on from',
    async (death) => {
      const engine = started();
      const { fitting } = fittingWith(engine);
      await fitting.start(draft);
      engine.emit('job.progress', { job: 'job-1', progress: { ...progress, iteration: 7 } });
      if (death === 'that of its thread')
        engine.emit('job.refused', { job: 'job-1', problems: [{ severity: 'error', message: 'out of memory' }] });
      else engine.emit('engine.restarted', { reason: 'it died' });
      expect(fitting.running).toBe(false);
      expect(fitting.best).toMatchObject({ iteration: 7, parameters: { k: [2] } });
      expect(fitting.pointFor(draft, checked)).toEqual(new Map([['k', [2]]]));
      await fitting.start(draft, undefined, new Map(Object.entries(fitting.best!.parameters)));
      expect(engine.of('job.start')[1]).toMatchObject({ parameters: { k: 2 } });
    },
  );

  it('that cannot be asked for says why', async () => {
    const engine = playedEngine({ 'job.start': () => Promise.reject(new Error('not now')) });
    const { fitting } = fittingWith(engine);
    await fitting.start(draft);
    expect(fitting.running).toBe(false);
    expect(fitting.refused[0]?.message).toContain('not now');
  });
});

describe('a stored fit', () => {
  it('is of the document that means what was fitted', () => {
    const { fitting } = fittingWith(started());
    fitting.take(report);
    expect(fitting.staleSince(draft, { draft: undefined, meaning: undefined })).toEqual([]);
    expect(fitting.recognise(draft, checked)).toBe(true);
    expect(fitting.recognise(draft, checked)).toBe(false);
    const edited: Draft = { ...draft, name: 'Decay' };
    expect(fitting.staleSince(edited, { draft: edited, meaning: checked.meaning })).toEqual([]);
  });

  it('is stale with a document that means something else', () => {
    const { fitting } = fittingWith(started());
    fitting.take(report);
    const other = { draft, meaning: { objective: 'B', outputs: {}, quantities: {} } };
    expect(fitting.recognise(draft, other)).toBe(false);
    expect(fitting.staleSince(draft, other)).toEqual(['the document']);
    expect(fitting.pointFor(draft, other)).toBeUndefined();
  });

  it('has no point to show where a value is missing', () => {
    const { fitting } = fittingWith(started());
    fitting.take({ ...report, estimates: [{ ...report.estimates[0]!, value: NaN }] });
    expect(fitting.pointFor(draft, checked)).toBeUndefined();
  });
});

it('stops and listens no more when its document is closed', async () => {
  const engine = started();
  const { fitting } = fittingWith(engine);
  await fitting.start(draft);
  fitting.close();
  expect(engine.of('job.stop')).toEqual([{ job: 'job-1' }]);
  expect(engine.listeners('job.done')).toBe(0);
});

describe('a document that means again what it meant', () => {
  const other = { ...draft, name: 'other' };
  const means = (of: Draft, objective: string) => ({ draft: of, meaning: { objective, outputs: {}, quantities: {} } });

  it('has its fit again: that of before an edit, and the one beside its file', async () => {
    const engine = started();
    const { fitting } = fittingWith(engine);
    fitting.take(report);
    expect(fitting.recognise(draft, checked)).toBe(true);
    await fitting.start(other);
    const later = { ...report, meaning: 'B', objective: 1 };
    engine.emit('job.done', { job: 'job-1', result: { kind: 'fit', report: later } });
    expect(fitting.report).toBe(later);
    expect(fitting.recognise(other, means(other, 'B'))).toBe(false);
    expect(fitting.recognise(draft, checked)).toBe(true);
    expect([fitting.report, fitting.fitted]).toEqual([report, draft]);
    expect(fitting.recognise(other, means(other, 'B'))).toBe(true);
    expect(fitting.report).toBe(later);
    // Of a third nothing is known: what is shown stays, and is stale.
    expect(fitting.recognise(draft, means(draft, 'C'))).toBe(false);
    expect(fitting.report).toBe(later);
    fitting.remember({ ...report, meaning: 'C', objective: 7 });
    expect(fitting.recognise(draft, means(draft, 'C'))).toBe(true);
    expect(fitting.report?.objective).toBe(7);
  });

  it('changes no fit that runs', async () => {
    const engine = started();
    const { fitting } = fittingWith(engine);
    fitting.take(report);
    await fitting.start(other);
    expect(fitting.recognise(draft, means(draft, 'A'))).toBe(true);
    fitting.take({ ...report, meaning: 'B' });
    expect(fitting.recognise(draft, means(draft, 'A'))).toBe(false);
  });
});
