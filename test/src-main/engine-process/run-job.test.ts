/** A job in its worker, whatever it is: progress, a pause, one end, and nothing after it. */
import { describe, expect, it } from 'vitest';
import { createDevices } from '../../../src-main/compute/running/devices.ts';
import { createSessions } from '../../../src-main/compute/sessions.ts';
import type { Diagnosis } from '../../../src-main/contract/plots.ts';
import type { EventBody, EventName, FitReport } from '../../../src-main/contract/contract.ts';
import type { Job, Work } from '../../../src-main/engine-process/job.ts';
import { createControl, isPaused, pause, resume, stop } from '../../../src-main/engine-process/job-control.ts';
import { runJob } from '../../../src-main/engine-process/run-job.ts';
import { constant, documentOf, map, parameter } from '../../support/command-line.ts';

const blocks = [
  constant('x', [1, 2, 3, 4]),
  constant('y', [2, 4.1, 5.9, 8]),
  parameter('a', 1, { lower: 0, upper: 4 }),
  parameter('b', 1, { lower: -1, upper: 1 }),
  map('m', 'a*x + b'),
  { id: 'l', kind: 'least-squares', prediction: 'm', observed: 'y' },
];
const document = documentOf(blocks, { objective: 'l' });

const devices = createDevices();
const sessions = createSessions('models/catalogue');

type Told = { readonly [N in EventName]: { readonly name: N; readonly body: EventBody<N> } }[EventName];

/** What a job tells; `hear` sees each event before the job goes on. */
async function run(
  work: Work,
  hear: (told: Told, control: Int32Array) => void,
  begin?: (control: Int32Array) => void,
  of = document,
) {
  const told: Told[] = [];
  const control = createControl();
  begin?.(control);
  const emit = (name: EventName, body: unknown): void => {
    const event = { name, body } as Told;
    told.push(event);
    hear(event, control);
  };
  const job: Job = { document: of, location: { kind: 'unsaved' }, parameters: {}, work, device: 'cpu' };
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
      const { milliseconds: _ran, finishedAt: _at, ...found } = report as FitReport;
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

describe('the diagnosis of a fit', () => {
  const [y, g] = [[2.1, 3.2, 4.4, 1.2, 2.4, 3.1, 3.3, 4.1, 5.6], ['a', 'b', 'c'].flatMap((who) => [who, who, who])];
  const column = (id: string, type = 'real') => ({ id, kind: 'column', table: 't', column: id, type });
  const drawn = documentOf(
    [
      ...[column('y'), column('g', 'category'), parameter('a', 3), parameter('sigma', 1, { scale: 'log' })],
      { id: 'u', kind: 'random-effect', like: 'g' },
      { id: 'b', kind: 'gather', from: 'u', indices: 'g' },
      map('m', 'a + b'),
      { id: 'l', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'm', sigma: 'sigma' },
    ],
    { tables: { t: { columns: { y, g } } }, objective: 'l' },
  );
  const fitted = async () => {
    const { told } = await run({ kind: 'fit' }, () => undefined, undefined, drawn);
    return (told.at(-1)!.body as EventBody<'job.done'>).result.report as FitReport;
  };

  it('draws data sets, and tells how many', async () => {
    const { told } = await run({ kind: 'diagnosis', fit: await fitted() }, () => undefined, undefined, drawn);
    const stages = told.slice(0, -1).map(({ body }) => (body as EventBody<'job.progress'>).progress);
    expect(stages.length).toBeGreaterThan(0);
    expect(stages.every((stage) => stage.kind === 'diagnosis' && stage.share >= 0 && stage.share < 1)).toBe(true);
    const { plots } = (told.at(-1)!.body as EventBody<'job.done'>).result.report as Diagnosis;
    expect(plots.map(({ name }) => name)).toContain('check');
  });

  it('ends where it is stopped', async () => {
    const work = { kind: 'diagnosis', fit: await fitted() } as const;
    const { told } = await run(work, (_, control) => stop(control), undefined, drawn);
    expect(told.at(-1)).toMatchObject({
      name: 'job.refused',
      body: { problems: [{ message: 'stopped before all data sets were drawn' }] },
    });
  });

  it('is of this model alone', async () => {
    const { told } = await run({ kind: 'diagnosis', fit: await fitted() }, () => undefined);
    expect(told).toMatchObject([
      { name: 'job.refused', body: { problems: [{ message: 'The fit is of another model.' }] } },
    ]);
  });
});

it('fits what no fault is in, to what it would be without the fault', async () => {
  const faulty = map('z', 'log(x) + nowhere');
  const done = async (of: typeof document) => {
    const { told } = await run({ kind: 'fit' }, () => undefined, undefined, of);
    const { result } = told.at(-1)!.body as EventBody<'job.done'>;
    const { objective, estimates } = result.report as FitReport;
    return { objective, estimates };
  };
  expect(await done(documentOf([...blocks, faulty], { objective: 'l' }))).toEqual(await done(document));
});

it('is refused in words where the model is at fault', async () => {
  const { told } = await run({ kind: 'fit', method: 'guess' }, () => undefined);
  expect(told).toMatchObject([{ name: 'job.refused', body: { job: 'job-1', problems: [{ severity: 'error' }] } }]);
});
