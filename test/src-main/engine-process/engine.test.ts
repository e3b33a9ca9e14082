import { describe, expect, it, vi } from 'vitest';
import { encode } from '../../../src-main/contract/codec.ts';
import type { Message } from '../../../src-main/contract/contract.ts';
import { runEngine } from '../../../src-main/engine-process/engine.ts';
import { createGrants } from '../../../src-main/files/locations.ts';
import type { ToWorker } from '../../../src-main/engine-process/worker-protocol.ts';
import { startAhead } from '../../../src-main/engine-process/worker-slot.ts';
import { fitReport } from '../../support/fits/fit-report.ts';
import type { WorkerEvents } from '../../../src-main/engine-process/worker-thread.ts';

/** An engine whose workers are played by the test. */
function setUp() {
  const sent: Message[] = [];
  const workers: { events: WorkerEvents; received: ToWorker[] }[] = [];
  /** The workers that were ended, by their place. */
  const ended: number[] = [];
  let receive: (message: unknown) => void = () => undefined;
  const grants = createGrants();
  runEngine({
    endpoint: { send: (message) => void sent.push(message), listen: (listener) => (receive = listener) },
    startWorker: (events) => {
      const worker = { events, received: [] as ToWorker[] };
      workers.push(worker);
      const place = workers.length - 1;
      return {
        send: (message) => void worker.received.push(message),
        end: () => (ended.push(place), Promise.resolve()),
      };
    },
    mayRead: grants.mayRead,
  });
  const ask = (id: number, name: string, body: object) => receive({ type: 'request', id, name, body });
  return { sent, workers, ended, grants, ask, receive: (message: unknown) => receive(message) };
}

/** What a worker has answered, which passes unread. */
const frame = encode({});

const model = { document: {}, location: { kind: 'unsaved' } };
const task = (work: object) => ({ ...model, parameters: {}, work });
const fit = task({ kind: 'fit' });
const study = (asked: object) => task({ kind: 'study', study: asked });
const controls = (received: readonly ToWorker[] = []) =>
  received.map((message) => message.type === 'job' && [...message.control]);

describe('the engine process', () => {
  it('refuses whatever is no request of the contract, and goes on', () => {
    const { sent, workers, receive, ask } = setUp();
    const bad = [
      undefined,
      null,
      'text',
      {},
      { type: 'request', id: 1, name: 'constructor', body: {} },
      { type: 'request', id: 2, name: 'model.check', body: { ...model, location: { kind: 'elsewhere' } } },
      { type: 'request', id: 3, name: 'model.evaluate', body: { ...model, outputs: ['a'], parameters: { a: 'text' } } },
      { type: 'reply', id: 4, body: {} },
    ];
    for (const message of bad) receive(message);
    ask(5, 'files.recent', {});
    expect(sent.map(({ type }) => type)).toEqual(Array(bad.length + 1).fill('refusal'));
    expect(workers).toHaveLength(0);
    ask(6, 'model.check', model);
    expect(workers[0]?.received).toMatchObject([{ message: { id: 6 } }]);
  });

  it('raises the flag of the job that is stopped', () => {
    const { sent, workers, ask } = setUp();
    ask(1, 'job.start', fit);
    ask(2, 'job.start', fit);
    ask(3, 'job.stop', { job: 'job-2' });
    ask(4, 'job.stop', { job: 'no such job' });
    expect(controls(workers[0]?.received)).toEqual([
      [0, 0],
      [1, 0],
    ]);
    expect(sent).toMatchObject([{ body: { job: 'job-1' } }, { body: { job: 'job-2' } }, { body: {} }, { body: {} }]);
  });

  it('gives a job up that is stopped and has told nothing, as one that reads a large table, and begins the next anew', () => {
    vi.useFakeTimers();
    try {
      const { sent, workers, ended, ask } = setUp();
      for (const id of [1, 2, 3, 4]) ask(id, 'job.start', fit);
      // One that waits behind others takes no thread with it.
      ask(5, 'job.stop', { job: 'job-3' });
      ask(6, 'job.stop', { job: 'job-1' });
      expect(sent.slice(4).map(({ type }) => type)).toEqual(['reply', 'reply']);
      vi.advanceTimersByTime(100);
      const problems = [{ severity: 'warning', message: 'It was stopped before anything was found.' }];
      const refused = (job: string) => ({ type: 'event', name: 'job.refused', body: { job, problems } });
      expect(sent.slice(6)).toEqual([refused('job-3'), refused('job-1')]);
      expect(ended).toEqual([0]);
      expect(workers[1]?.received).toMatchObject([{ name: 'job-2' }, { name: 'job-4' }]);
      // What it may still have been telling is nobody's.
      const progress = (job: string) => ({ type: 'event', name: 'job.progress', body: { job } }) as never;
      workers[0]?.events.message(progress('job-1'));
      expect(sent).toHaveLength(8);
      // One that has found something ends by itself.
      workers[1]?.events.message(progress('job-2'));
      ask(7, 'job.stop', { job: 'job-2' });
      vi.advanceTimersByTime(1000);
      expect(ended).toEqual([0]);
      expect(controls(workers[1]?.received)[0]).toEqual([1, 0]);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ['a diagnosis', task({ kind: 'diagnosis', fit: fitReport })],
    ['a comparison', study({ kind: 'comparison', name: 'A', others: [], method: 'aicc' })],
  ])('gives %s up that is stopped, however far it has come: it has nothing to show before its end', (_, asked) => {
    vi.useFakeTimers();
    try {
      const { sent, workers, ended, ask } = setUp();
      ask(1, 'job.start', asked);
      ask(2, 'job.start', fit);
      expect(sent.map(({ type }) => type)).toEqual(['reply', 'reply']);
      workers[0]?.events.message({ type: 'event', name: 'job.progress', body: { job: 'job-1' } } as never);
      ask(3, 'job.stop', { job: 'job-1' });
      vi.advanceTimersByTime(100);
      expect(sent.at(-1)).toMatchObject({ type: 'event', name: 'job.refused', body: { job: 'job-1' } });
      expect(ended).toEqual([0]);
      expect(workers[1]?.received).toMatchObject([{ name: 'job-2' }]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('reads tables in a worker of their own, which ends in the middle of one', () => {
    const { sent, workers, ask } = setUp();
    ask(1, 'model.check', model);
    ask(2, 'import.begin', { name: 'a.csv', size: 2 });
    ask(3, 'import.preview', { choices: {} });
    expect(workers.map(({ received }) => received.length)).toEqual([1, 2]);
    workers[1]?.events.message({ type: 'packed', id: 2, frame });
    ask(4, 'import.end', {});
    expect(sent).toEqual([
      { type: 'packed', id: 2, frame },
      { type: 'refusal', id: 3, message: 'The import was stopped.', problems: [] },
      { type: 'reply', id: 4, body: {} },
    ]);
    ask(5, 'import.begin', { name: 'b.csv', size: 2 });
    expect(workers.map(({ received }) => received.length)).toEqual([1, 2, 1]);
  });

  it.each([
    ['a fit', fit],
    ['a study', study({ kind: 'sensitivity', method: 'sobol' })],
  ])('lets %s wait, go on, and wakes one that is to stop', (_, begun) => {
    const { sent, workers, ask } = setUp();
    ask(1, 'job.start', begun);
    const words = () => controls(workers[0]?.received)[0];
    ask(2, 'job.pause', { job: 'job-1' });
    expect(words()).toEqual([0, 1]);
    ask(3, 'job.resume', { job: 'job-1' });
    expect(words()).toEqual([0, 0]);
    ask(4, 'job.pause', { job: 'job-1' });
    ask(5, 'job.stop', { job: 'job-1' });
    ask(6, 'job.pause', { job: 'job-1' });
    expect(words()).toEqual([1, 0]);
    expect(sent.map(({ type }) => type)).toEqual(new Array(6).fill('reply'));
  });

  it('stops a contest by its word, and the one before by another', () => {
    const { sent, workers, ask } = setUp();
    const contest = { choices: {}, roles: ['x', 'y'], units: [null, null], together: 'replicates', controls: true };
    ask(1, 'import.contest', contest);
    ask(2, 'import.contest', contest);
    const words = () => workers[0]!.received.map((message) => message.type === 'request' && message.control?.[0]);
    expect(words()).toEqual([1, 0]);
    ask(3, 'import.stop', {});
    expect(words()).toEqual([1, 1]);
    expect(sent).toEqual([{ type: 'reply', id: 3, body: {} }]);
  });

  it('rules nothing that has ended, and names no job twice', () => {
    const { sent, workers, ask } = setUp();
    ask(1, 'job.start', fit);
    const [worker] = workers;
    const end = { type: 'event', name: 'job.refused', body: { job: 'job-1', problems: [] } } as const;
    worker?.events.message(end);
    ask(2, 'job.stop', { job: 'job-1' });
    expect(controls(worker?.received)).toEqual([[0, 0]]);
    ask(3, 'job.start', fit);
    expect(sent).toMatchObject([{ body: { job: 'job-1' } }, end, { id: 2 }, { body: { job: 'job-2' } }]);
  });

  it('runs studies beside fits, refuses what is neither, and answers for them', () => {
    const { sent, workers, ask } = setUp();
    ask(1, 'job.start', study({ kind: 'sensitivity', method: 'sobol' }));
    ask(2, 'job.start', fit);
    ask(3, 'job.start', study({ kind: 'sensitivity', method: 'guess' }));
    ask(4, 'job.start', task({ kind: 'guess' }));
    expect(sent.map(({ type }) => type)).toEqual(['reply', 'reply', 'refusal', 'refusal']);
    workers[0]?.events.died('out of memory');
    const refused = (job: string, kind: string) => ({
      name: 'job.refused',
      body: { job, problems: [{ severity: 'error', message: `The ${kind} ended unexpectedly: out of memory` }] },
    });
    expect(sent.slice(4)).toMatchObject([refused('job-1', 'study'), refused('job-2', 'fit')]);
  });

  it('answers for a worker that dies, and starts another', () => {
    const { sent, workers, ask } = setUp();
    ask(1, 'model.check', model);
    ask(2, 'job.start', fit);
    workers[0]?.events.died('out of memory');
    workers[1]?.events.died('out of memory');
    expect(sent).toMatchObject([
      { type: 'reply', id: 2 },
      { type: 'refusal', id: 1 },
      { type: 'event', name: 'job.refused', body: { job: 'job-1' } },
    ]);
    ask(3, 'model.check', model);
    expect(workers[2]?.received).toMatchObject([{ message: { id: 3 } }]);
  });

  it('has its first thread before anybody asks, and another where that one has died', () => {
    const started: WorkerEvents[] = [];
    const start = startAhead((events) => {
      started.push(events);
      return { send: () => undefined, end: () => Promise.resolve() };
    });
    expect(started).toHaveLength(1);
    const heard: string[] = [];
    const listen = (name: string): WorkerEvents => ({
      message: ({ type }) => heard.push(`${name} ${type}`),
      died: (reason) => heard.push(`${name} ${reason}`),
    });
    start(listen('a'));
    expect(started).toHaveLength(1);
    started[0]?.message({ type: 'packed', id: 1, frame });
    start(listen('b'));
    expect(started).toHaveLength(2);
    started[0]?.died('ended');
    started[1]?.died('ended');
    expect(heard).toEqual(['a packed', 'a ended', 'b ended']);
    const early: WorkerEvents[] = [];
    const again = startAhead((events) => {
      early.push(events);
      return { send: () => undefined, end: () => Promise.resolve() };
    });
    early[0]?.died('at once');
    again(listen('c'));
    expect(early).toHaveLength(2);
  });

  it('reads nothing beside what was opened', () => {
    const { sent, workers, grants, ask } = setUp();
    const at = (path: string) => ({ document: {}, location: { kind: 'file', path } });
    grants.grant('/data/models');
    ask(1, 'model.check', at('/etc/passwd.json'));
    ask(2, 'model.check', at('/data/models/../other.json'));
    ask(3, 'model.check', at('/data/models-too/a.json'));
    expect(sent.map(({ type }) => type)).toEqual(['refusal', 'refusal', 'refusal']);
    ask(4, 'model.check', at('/data/models/a.json'));
    expect(workers[0]?.received).toHaveLength(1);
  });
});
