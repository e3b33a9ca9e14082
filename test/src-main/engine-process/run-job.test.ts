/** A job in its worker, whatever it is: progress, a pause, one end, and nothing after it. */
import { describe, expect, it } from 'vitest';
import { createDevices } from '../../../src-main/compute/running/devices.ts';
import { createSessions } from '../../../src-main/compute/sessions.ts';
import type { EventBody, EventName } from '../../../src-main/contract/contract.ts';
import type { Job, Work } from '../../../src-main/engine-process/job.ts';
import { createControl, isPaused, pause, resume, stop } from '../../../src-main/engine-process/job-control.ts';
import { runJob } from '../../../src-main/engine-process/run-job.ts';
import { constant, documentOf, map, parameter } from '../../support/command-line.ts';

const document = documentOf(
  [
    constant('x', [1, 2, 3, 4]),
    constant('y', [2, 4.1, 5.9, 8]),
    parameter('a', 1, { lower: 0, upper: 4 }),
    parameter('b', 1, { lower: -1, upper: 1 }),
    map('m', 'a*x + b'),
    { id: 'l', kind: 'least-squares', prediction: 'm', observed: 'y' },
  ],
  { objective: 'l' },
);

const devices = createDevices();
const sessions = createSessions('models/catalogue');

type Told = { readonly [N in EventName]: { readonly name: N; readonly body: EventBody<N> } }[EventName];

/** What a job tells; `hear` sees each event before the job goes on. */
async function run(work: Work, hear: (told: Told, control: Int32Array) => void, begin?: (control: Int32Array) => void) {
  const told: Told[] = [];
  const control = createControl();
  begin?.(control);
  const emit = (name: EventName, body: unknown): void => {
    const event = { name, body } as Told;
    told.push(event);
    hear(event, control);
  };
  const job: Job = { document, location: { kind: 'unsaved' }, parameters: {}, work, device: 'cpu' };
  await runJob({ sessions, devices, device: 'cpu', emit }, 'job-1', job, control);
  return { told, control };
}

const isPause = ({ name, body }: Told): boolean => name === 'job.progress' && body.paused === true;

describe.each<[string, Work]>([
  ['a fit', { kind: 'fit', start: { a: 3, b: 0.5 } }],
  ['a study', { kind: 'study', study: { kind: 'sensitivity', method: 'sobol', samples: 64 } }],
  ['a study that fits first', { kind: 'study', study: { kind: 'uncertainty', method: 'profile' } }],
])('%s', (_, work) => {
  it('waits between two steps, says so, and ends as it would have', async () => {
    const plain = await run(work, () => undefined);
    const { told, control } = await run(
      work,
      (event, words) => {
        if (isPause(event)) resume(words);
      },
      pause,
    );
    expect(told.filter(isPause)).toHaveLength(1);
    expect(isPaused(control)).toBe(false);
    expect(told.map(({ name }) => name)).toEqual([...told.slice(1).map(() => 'job.progress'), 'job.done']);
    const results = [plain.told, told].map((events) => (events.at(-1)!.body as EventBody<'job.done'>).result);
    const [ran, waited] = results.map(({ kind, report }) => {
      const { milliseconds: _ran, finishedAt: _at, ...found } = report;
      return { kind, found };
    });
    expect(waited).toEqual(ran);
    expect(told.every(({ body }) => (body as { job: string }).job === 'job-1')).toBe(true);
  });

  it('that waits is woken to stop, and tells what it has found', async () => {
    const { told } = await run(
      work,
      (event, words) => {
        if (isPause(event)) stop(words);
      },
      pause,
    );
    expect(told.filter(isPause)).toHaveLength(1);
    expect(['job.done', 'job.refused']).toContain(told.at(-1)!.name);
  });
});

it('is refused in words where the model is at fault', async () => {
  const { told } = await run({ kind: 'fit', method: 'guess' }, () => undefined);
  expect(told).toMatchObject([{ name: 'job.refused', body: { job: 'job-1', problems: [{ severity: 'error' }] } }]);
});
