/**
 * Worker threads die at random instants of all that a window asks for, in each way in which a thread can: every request is
 * answered once, every fit and study ends once, and what is asked next is answered right. `KILLS` is how often (200 in the long mode).
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker, WorkerOptions } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import type { EventBody, FitReport, Message } from '../../../src-main/contract/contract.ts';
import { runEngine } from '../../../src-main/engine-process/engine.ts';
import { startWorker } from '../../../src-main/engine-process/worker-thread.ts';
import { seed } from '../../support/seed.ts';

const kills = Number(process.env['KILLS'] ?? 4);
const root = join(import.meta.dirname, '../../..');
const catalogue = join(root, 'models', 'catalogue');
const bundle = join(root, 'out', 'cli', 'worker.mjs');
const doomed = join(root, 'test', 'support', 'doomed-worker.mjs');

/** Those that live, and the word by which each dies. */
const threads = vi.hoisted(() => new Map<Worker, Int32Array>());
vi.mock(import('node:worker_threads'), async (importOriginal) => {
  const real = await importOriginal();
  class Watched extends real.Worker {
    constructor(path: string | URL, options: WorkerOptions = {}) {
      const doom = new Int32Array(new SharedArrayBuffer(4));
      super(doomed, {
        ...options,
        workerData: { ...(options.workerData as object), doom, bundle: path },
        // It is full while the test still waits.
        resourceLimits: { maxOldGenerationSizeMb: 256 },
      });
      threads.set(this, doom);
      this.once('exit', () => threads.delete(this));
    }
  }
  return { ...real, Worker: Watched };
});

/** By doomed-worker.mjs, in the order of their numbers from 1; the first is ended from outside. */
const manners = ['is ended', 'exits', 'throws', 'fills its memory'] as const;
type Manner = (typeof manners)[number];

function die(thread: Worker, manner: Manner): Promise<unknown> {
  const doom = threads.get(thread);
  if (manner === 'is ended' || !doom) return thread.terminate();
  const gone = new Promise((resolve) => thread.once('exit', resolve));
  Atomics.store(doom, 0, manners.indexOf(manner));
  return gone;
}

const document = JSON.parse(readFileSync(join(catalogue, 'misra1a.cot.json'), 'utf8')) as Record<string, unknown>;
const model = { document, location: { kind: 'example', name: 'misra1a' }, parameters: {} };
const table = new TextEncoder().encode('t,U\n0,1\n1,3\n2,4\n3,9\n');

const study = { kind: 'uncertainty', method: 'profile', level: 0.95 };

/** What a window asks for: in their order where there are several. */
const deeds = {
  check: [['model.check', { document, location: model.location }]],
  evaluate: [['model.evaluate', { ...model, outputs: ['curve', 'loss'] }]],
  fit: [['job.start', { ...model, work: { kind: 'fit' } }]],
  starts: [['job.start', { ...model, work: { kind: 'fit', starts: 64, seed: 1 } }]],
  profile: [['job.start', { ...model, work: { kind: 'study', study } }]],
  import: [
    ['import.begin', { name: 'a.csv', size: table.length }],
    ['import.bytes', { bytes: table }],
    ['import.preview', { choices: {} }],
  ],
} as const;
type Deed = keyof typeof deeds;

/** An engine with threads of its own, and what it has said. */
function setUp() {
  const said: Message[] = [];
  let heard: () => void = () => undefined;
  let receive: (message: unknown) => void = () => undefined;
  const engine = runEngine({
    endpoint: {
      send(message) {
        said.push(message);
        heard();
      },
      listen: (listener) => (receive = listener),
    },
    startWorker: (events) => startWorker(bundle, { catalogue, imports: catalogue }, events),
    mayRead: () => true,
  });
  let next = 1;
  return {
    said,
    engine,
    ask(name: string, body: object): number {
      const id = next++;
      receive({ type: 'request', id, name, body });
      return id;
    },
    async until(holds: () => boolean): Promise<void> {
      while (!holds()) await new Promise<void>((resolve) => (heard = resolve));
    },
  };
}

const answersTo = (said: readonly Message[], id: number): Message[] =>
  said.filter((message) => message.type !== 'event' && message.type !== 'request' && message.id === id);

/** The jobs that were begun, and how often each has ended. */
function endsOfJobs(said: readonly Message[]): Map<string, number> {
  const ends = new Map<string, number>();
  for (const message of said) {
    if (message.type !== 'reply' && message.type !== 'event') continue;
    const { job } = (message.body ?? {}) as { job?: unknown };
    if (typeof job !== 'string') continue;
    const ended = message.type === 'event' && /^job\.(?:done|refused)$/.test(message.name);
    ends.set(job, (ends.get(job) ?? 0) + (ended ? 1 : 0));
  }
  return ends;
}

const round = fc.record({
  asked: fc.array(fc.constantFrom(...(Object.keys(deeds) as Deed[])), { minLength: 1, maxLength: 5 }),
  after: fc.nat(400),
  victim: fc.nat(2),
  manner: fc.constantFrom(...manners),
});

it.skipIf(!existsSync(bundle))(
  'whichever thread is killed, whatever it does, each request is answered and each job ends, once',
  async () => {
    const { said, engine, ask, until } = setUp();
    let killed = 0;
    for (const { asked, after, victim, manner } of fc.sample(round, { numRuns: kills, seed })) {
      const killing = new Promise<void>((resolve) => {
        setTimeout(() => {
          const living = [...threads.keys()];
          const thread = living[victim % living.length];
          killed += thread ? 1 : 0;
          void Promise.resolve(thread && die(thread, manner)).then(() => resolve());
        }, after);
      });
      const ids = asked.flatMap((deed) => deeds[deed].map(([name, body]) => ask(name, body)));
      await killing;
      await until(
        () =>
          ids.every((id) => answersTo(said, id).length > 0) &&
          [...endsOfJobs(said).values()].every((count) => count > 0),
      );
      // What it answers to now it answers right, whatever has died.
      const fit = ask('job.start', { ...model, work: { kind: 'fit' } });
      const evaluated = ask('model.evaluate', { ...model, outputs: ['loss'] });
      await until(
        () => answersTo(said, evaluated).length > 0 && [...endsOfJobs(said).values()].every((count) => count > 0),
      );
      expect(answersTo(said, fit)).toMatchObject([{ type: 'reply' }]);
      const done = said.flatMap((message) =>
        message.type === 'event' && message.name === 'job.done' ? [message.body as EventBody<'job.done'>] : [],
      );
      expect({
        asked,
        after,
        manner,
        value: (done.at(-1)?.result.report as FitReport | undefined)?.estimates[0]?.value,
      }).toEqual({
        asked,
        after,
        manner,
        value: expect.closeTo(238.94212918, 5) as number,
      });
      expect(answersTo(said, evaluated)).toMatchObject([{ type: 'packed' }]);
    }
    expect(killed).toBe(kills);
    const twice = said.flatMap((message) =>
      message.type === 'event' || message.type === 'request' ? [] : [message.id],
    );
    expect(new Set(twice).size).toBe(twice.length);
    expect([...endsOfJobs(said).values()].filter((count) => count !== 1)).toEqual([]);
    await engine.end();
    expect(threads.size).toBe(0);
  },
  600_000 + kills * 30_000,
);
