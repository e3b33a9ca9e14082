/** A study in the window: ruled as a fit is, and kept by its method. */
import { describe, expect, it } from 'vitest';
import type { StudyReport } from '../../../../src-main/contract/studies.ts';
import type { Draft } from '../../../../src-renderer/state/document/draft.ts';
import type { Checked } from '../../../../src-renderer/state/document/staleness.ts';
import { studyRun } from '../../../../src-renderer/state/study/found-runs.ts';
import {
  runStaleSince,
  staleSince,
  Studying,
  type RequestOf,
} from '../../../../src-renderer/state/study/studying.svelte.ts';
import { playedEngine } from '../../../support/played-engine.ts';

const draft: Draft = { format: 'cotangent/1', blocks: [{ id: 'k', kind: 'parameter', initial: 1 }] };
const request: RequestOf<'sensitivity'> = { kind: 'sensitivity', method: 'sobol' };
const report = { kind: 'sensitivity', method: 'sobol' } as StudyReport;
const progress = (share: number) => ({ kind: 'study' as const, stage: 'sampling', share });

function studying() {
  const engine = playedEngine({
    'job.start': () => ({ job: 'job-1' }),
    'job.stop': () => ({}),
    'job.pause': () => ({}),
    'job.resume': () => ({}),
  });
  const finished: unknown[][] = [];
  const study = new Studying('sensitivity', {
    client: engine.client,
    location: () => ({ kind: 'unsaved' }),
    finished: ({ report, draft }) => void finished.push([report, draft]),
  });
  return { engine, study, finished };
}

describe('a study', () => {
  it('says how far it is, and keeps its report by its method', async () => {
    const { engine, study, finished } = studying();
    await study.start(request, draft, new Map([['k', [2]]]));
    expect(engine.of('job.start')).toMatchObject([{ parameters: { k: 2 }, work: { kind: 'study', study: request } }]);
    engine.emit('job.progress', { job: 'job-1', progress: progress(0.5) });
    expect(study.progress).toMatchObject({ stage: 'sampling', share: 0.5 });
    engine.emit('job.done', { job: 'job-1', result: { kind: 'study', report } });
    expect(study.running).toBe(false);
    expect(study.progress).toBeNull();
    expect(study.findings.get('sobol')).toMatchObject({ report, draft });
    expect(finished).toEqual([[report, draft]]);
  });

  it('waits and goes on, and the time between is no time at work', async () => {
    const { engine, study } = studying();
    await study.start(request, draft, new Map());
    await study.pause();
    expect([engine.of('job.pause'), study.paused]).toEqual([[{ job: 'job-1' }], false]);
    engine.emit('job.progress', { job: 'job-1', progress: progress(0.2), paused: true });
    const { startedAt, pausedAt } = study.progress!;
    expect(study.paused).toBe(true);
    engine.emit('job.progress', { job: 'job-1', progress: progress(0.2), paused: true });
    expect(study.progress!.pausedAt).toBe(pausedAt);
    await study.resume();
    expect(study.paused).toBe(false);
    expect(study.progress!.startedAt).toBeGreaterThanOrEqual(startedAt);
    engine.emit('job.progress', { job: 'job-1', progress: progress(0.4) });
    expect(study.progress).toMatchObject({ share: 0.4, pausedAt: undefined });
  });

  it('keeps what was asked and chosen, by method, and reads it from a report', async () => {
    const { study } = studying();
    expect(study.askOf('sobol')).toEqual(request);
    study.choose(study.askOf('sobol'), { seed: 3, samples: 64 });
    // A number of samples means another thing to another method; what has been asked already keeps its own.
    expect(study.askOf('morris')).toEqual({ kind: 'sensitivity', method: 'morris', seed: 3 });
    await study.start(study.askOf('sobol'), draft, new Map());
    study.choose(study.askOf('morris'), { seed: 4 });
    expect(study.askOf('sobol')).toMatchObject({ seed: 3, samples: 64 });
    const asked = { kind: 'sensitivity', method: 'dgsm', of: 'f', logUniform: true } as const;
    study.take({ report: { ...report, method: 'dgsm', asked } as StudyReport as never, draft, point: new Map() });
    expect(study.askOf('dgsm')).toEqual(asked);
  });

  it('is told why where it is refused, and starts again', async () => {
    const { engine, study } = studying();
    await study.start(request, draft, new Map());
    engine.emit('job.refused', { job: 'job-1', problems: [{ severity: 'error', message: 'no' }] });
    expect([study.running, study.refused]).toEqual([false, [{ severity: 'error', message: 'no' }]]);
    await study.start(request, draft, new Map());
    expect(study.refused).toEqual([]);
    engine.emit('engine.restarted', { reason: 'it died' });
    expect([study.running, study.refused[0]?.message]).toEqual([false, 'it died']);
  });

  it('stops once, and with its document', async () => {
    const { engine, study } = studying();
    await study.start(request, draft, new Map());
    await study.stop();
    study.close();
    expect(engine.of('job.stop')).toEqual([{ job: 'job-1' }]);
    expect(engine.listeners('job.done')).toBe(0);
  });
});

describe('a run in the list', () => {
  it('of a study at the values that parameters had stands as long as these, as its panel has it', () => {
    const found = { ...report, of: 'objective', failed: 0, meaning: 'a', finishedAt: '2026-01-02T00:00:00Z' };
    const checked = { draft, meaning: { objective: 'a', outputs: {} } } as unknown as Checked;
    const [then, now] = [new Map([['k', [2]]]), new Map([['k', [3]]])];
    const of = (method: string) =>
      ({ number: 1, name: '', pinned: false, ...studyRun({ ...found, method } as StudyReport, draft, then) }) as const;
    expect(runStaleSince(of('local'), draft, then, checked)).toEqual([]);
    expect(runStaleSince(of('local'), draft, now, checked)).toEqual(['the value of k']);
    expect(runStaleSince(of('sobol'), draft, now, checked)).toEqual([]);
    const finding = { report: { ...found, method: 'local' } as never, draft, point: then };
    expect(staleSince(finding, draft, now, checked)).toEqual(['the value of k']);
  });
});
