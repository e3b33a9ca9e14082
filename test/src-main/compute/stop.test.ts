/**
 * What happens after *Stop*: no kernel is compiled and no run is completed, whatever was asked for. A thousand million
 * starts, replicates or rows are more than anything that grows with them could be done for: these end at all because
 * nothing does.
 */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/5-runtime/cpu/cpu-device.ts';
import type { Device } from '../../../engine/5-runtime/device.ts';
import type { Model } from '../../../models/load/model.ts';
import type { StudyRequest } from '../../../src-main/contract/studies.ts';
import { fitModel, type Progress } from '../../../src-main/compute/fit/fit.ts';
import { Refused } from '../../../src-main/refused.ts';
import { runStudy } from '../../../src-main/compute/study/study.ts';
import { c, model, type PlainBlock } from '../../support/documents.ts';

const cpu: Device = cpuDevice();
afterAll(() => cpu.close());

const MANY = 1e9;
let cancel = new Int32Array(1);
let after = { loads: 0, runs: 0 };
/** How many programs have been compiled, and as which of them the user stops. */
let loads = 0;
let stopAtLoad = Infinity;
beforeEach(() => {
  cancel = new Int32Array(1);
  after = { loads: 0, runs: 0 };
  loads = 0;
  stopAtLoad = Infinity;
});

/** The CPU, which counts what is done once the user has stopped. */
const device: Device = {
  ...{ kind: cpu.kind, precision: cpu.precision, name: cpu.name },
  close: () => undefined,
  async load(program, options) {
    if (++loads === stopAtLoad) stop();
    const executable = await cpu.load(program, options);
    if (cancel[0] !== 0) after.loads++;
    return {
      program,
      release: () => executable.release(),
      async bind(sizes) {
        const instance = await executable.bind(sizes);
        return {
          write: (input, values) => instance.write(input, values),
          read: (result) => instance.read(result),
          release: () => instance.release(),
          async run(told) {
            await instance.run(told);
            if (cancel[0] !== 0) after.runs++;
          },
        };
      },
    };
  },
};

const stop = (): void => void (cancel[0] = 1);

const x = [1, 2, 3, 4, 5, 6, 7, 8];
const y = x.map((t, i) => 3 * Math.exp(-0.2 * t) + 0.02 * Math.sin(7 * i));
const parameter = (id: string, initial: number, more = {}): PlainBlock => {
  return { id, kind: 'parameter', initial, lower: 0.01, upper: 10, ...more };
};
const decay = (more: object = {}): readonly PlainBlock[] => [
  c('t', x),
  c('y', y),
  parameter('A', 1, more),
  parameter('k', 0.5),
  { id: 'curve', kind: 'map', formula: 'A * exp(-k * t)' },
  { id: 'loss', kind: 'least-squares', prediction: 'curve', observed: 'y' },
];
const decayModel = (more?: object): Promise<Model> => model(decay(more), { objective: 'loss' });

async function stoppedFit(of: Model, method: string, when: (progress: Progress) => boolean) {
  let begun = 0;
  const report = await fitModel(of, device, {
    parameters: {},
    method,
    starts: MANY,
    cancel,
    onProgress(progress) {
      begun = Math.max(begun, progress.starts?.done ?? 0);
      if (when(progress)) stop();
    },
  });
  return { report, begun };
}

describe('a fit from a thousand million starts, stopped', () => {
  it.each(['levenberg-marquardt', 'l-bfgs-b', 'newton-cg', 'adam', 'nelder-mead'])(
    'ends with what it has, by %s',
    async (method) => {
      const { report } = await stoppedFit(await decayModel(), method, ({ iteration }) => iteration >= 3);
      expect(report.status).toBe('cancelled');
      expect(Number.isFinite(report.objective)).toBe(true);
      expect(report.starts?.ended).toBeLessThan(2000);
      expect(report.starts?.ended).toBe(report.starts?.ends.length);
      expect(after).toEqual({ loads: 0, runs: 0 });
    },
  );

  it('keeps the lowest ends of many, counts them all, and says how many were at the lowest', async () => {
    const { report } = await stoppedFit(
      await decayModel(),
      'levenberg-marquardt',
      ({ starts }) => (starts?.done ?? 0) > 9000,
    );
    const { ends, ended = 0, atBest } = report.starts!;
    expect(ended).toBeGreaterThan(9000);
    expect(ends.length).toBe(4096);
    const objectives = ends.map(({ objective }) => objective);
    expect(objectives).toEqual([...objectives].sort((a, b) => a - b));
    expect(atBest).toBeGreaterThan(4096);
    expect(report.objective).toBe(objectives[0]);
    expect(after.loads).toBe(0);
  });

  it('evaluates the objective once where priors were added to it, and nothing else', async () => {
    const prior = { prior: { family: 'normal', mean: 3, sd: 1 } };
    const { report } = await stoppedFit(await decayModel(prior), 'newton-cg', ({ iteration }) => iteration >= 3);
    expect(report.status).toBe('cancelled');
    expect(Number.isFinite(report.objective)).toBe(true);
    expect(after).toEqual({ loads: 1, runs: 1 });
  });
});

describe('a study of a thousand million rows, stopped', () => {
  const requests: StudyRequest[] = [
    { kind: 'uncertainty', method: 'bootstrap', samples: MANY, bands: ['curve'] },
    { kind: 'uncertainty', method: 'hmc', samples: MANY, bands: ['curve'] },
    { kind: 'sensitivity', method: 'sobol', samples: MANY },
    { kind: 'sensitivity', method: 'morris', samples: MANY },
    { kind: 'sensitivity', method: 'dgsm', samples: MANY },
    { kind: 'sensitivity', method: 'active-subspace', samples: MANY },
  ];

  async function stopped(of: Model, request: StudyRequest) {
    let heard = 0;
    return runStudy(of, device, request, {
      parameters: {},
      cancel,
      onProgress(stage) {
        if (stage !== 'fitting' && ++heard === 40) stop();
      },
    });
  }

  it.each(requests)('ends with what it has, by $method', async (request) => {
    const report = await stopped(await decayModel(), request);
    expect(report.cancelled).toBe(true);
    expect(after).toEqual({ loads: 0, runs: 0 });
  });

  // What it looks at once it is stopped does not grow with what it has done.
  it.each([
    ['bootstrap', 11_000],
    ['hmc', 24_000],
  ] as const)('looks at no more than so many of what it drew, by %s, and says so', async (method, ended) => {
    let heard = 0;
    const report = await runStudy(
      await decayModel(),
      device,
      { kind: 'uncertainty', method, samples: MANY },
      { parameters: {}, cancel, onProgress: (stage) => stage !== 'fitting' && ++heard === ended && stop() },
    );
    if (report.kind !== 'uncertainty') throw new Error('another study');
    const draws = report.draws ?? [];
    const numbers = draws.flatMap(({ chains }) => chains).reduce((sum, chain) => sum + chain.length, 0);
    expect(numbers).toBeLessThanOrEqual(10_000);
    expect(numbers).toBeGreaterThan(5_000);
    expect(report.warnings.join()).toMatch(/figures are of \d+ of the \d+/);
    for (const { lower, value, upper } of report.parameters.filter(({ fixed }) => !fixed)) {
      expect(lower).toBeLessThan(value);
      expect(upper).toBeGreaterThan(value);
    }
    expect(after).toEqual({ loads: 0, runs: 0 });
  });

  it('of a likelihood ends with its replicates', async () => {
    const blocks = [
      ...decay().slice(0, 5),
      { id: 'loss', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'curve', sigma: 0.1 },
    ];
    const report = await stopped(await model(blocks, { objective: 'loss' }), {
      ...{ kind: 'uncertainty', method: 'bootstrap', samples: MANY },
    });
    expect(report.cancelled).toBe(true);
    expect(after).toEqual({ loads: 0, runs: 0 });
  });

  it('ends its profiles where they are', async () => {
    let heard = 0;
    const report = await runStudy(
      await decayModel(),
      device,
      { kind: 'uncertainty', method: 'profile', bands: ['curve'] },
      {
        parameters: {},
        cancel,
        onProgress: (stage) => stage !== 'fitting' && ++heard === 1 && stop(),
      },
    );
    expect(report.cancelled).toBe(true);
    expect(after).toEqual({ loads: 0, runs: 0 });
  });
});

it('forms the intervals of Sobol’ indices of few groups once it is stopped', async () => {
  const ran = async (samples: number, stopAt: number) => {
    cancel = new Int32Array(1);
    let heard = 0;
    return runStudy(
      await decayModel(),
      device,
      { kind: 'sensitivity', method: 'sobol', samples },
      { parameters: {}, cancel, onProgress: () => ++heard === stopAt && stop() },
    );
  };
  const cut = await ran(MANY, 16);
  const whole = await ran((cut as { samples: number }).samples, Infinity);
  const figures = (report: typeof cut) => {
    if (report.kind !== 'sensitivity') throw new Error('another study');
    return report.indices.map(({ figures: { S1, S1Interval } }) => [S1 as number, ...(S1Interval as number[])]);
  };
  const [ofCut, ofWhole] = [figures(cut), figures(whole)];
  ofCut.forEach(([index, lower, upper], i) => {
    const [there, from, to] = ofWhole[i] as [number, number, number];
    expect(index).toBeCloseTo(there, 10);
    expect(lower).toBeLessThan(index!);
    expect(upper).toBeGreaterThan(index!);
    // As wide as of all groups, within what so few of them leave to chance.
    expect((upper! - lower!) / (to - from)).toBeGreaterThan(0.7);
    expect((upper! - lower!) / (to - from)).toBeLessThan(1.4);
  });
});

describe('stopped as one program after the other is compiled', () => {
  const quantity = { id: 'half', kind: 'quantity', formula: 'log(2) / k' };
  const models: readonly (readonly [string, () => Promise<Model>])[] = [
    ['squares', () => model([...decay(), quantity], { objective: 'loss' })],
    ['a posterior', () => decayModel({ prior: { family: 'normal', mean: 3, sd: 1 } })],
    [
      'a likelihood',
      () =>
        model(
          [
            ...decay().slice(0, 5),
            { id: 'loss', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'curve', sigma: 0.1 },
          ],
          { objective: 'loss' },
        ),
    ],
  ];
  type Report = { readonly status?: string; readonly cancelled?: boolean; readonly objective?: number };
  const fitted =
    (starts: number) =>
    (of: Model, tell: () => void): Promise<Report> =>
      fitModel(of, device, { parameters: {}, starts, cancel, onProgress: tell });
  const studied =
    (request: object) =>
    (of: Model, tell: () => void): Promise<Report> =>
      runStudy(of, device, request as StudyRequest, { parameters: {}, cancel, onProgress: tell });
  const uncertainty = (method: string) =>
    studied({
      kind: 'uncertainty',
      method,
      samples: method === 'profile' || method === 'covariance' ? undefined : 20,
      bands: ['curve'],
    });
  const jobs: readonly (readonly [string, (of: Model, tell: () => void) => Promise<Report>])[] = [
    ['a fit', fitted(1)],
    ['a fit from many starts', fitted(8)],
    ...['covariance', 'profile', 'bootstrap', 'hmc'].map((method) => [method, uncertainty(method)] as const),
    ...['local', 'sobol', 'morris', 'dgsm', 'active-subspace'].map(
      (method) => [method, studied({ kind: 'sensitivity', method })] as const,
    ),
  ];
  const cases = models.flatMap(([name, of]) => jobs.map(([job, run]) => [job, name, run, of] as const));

  const outcome = (of: Model, run: (of: Model, tell: () => void) => Promise<Report>, tell: () => void) =>
    run(of, tell).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error;
      return error;
    });

  it.each(cases)('%s of %s keeps what was told before, and compiles no more', async (_, __, run, of) => {
    const made = await of();
    // Of a posterior no data are drawn again.
    if ((await outcome(made, run, () => undefined)) instanceof Refused) return;
    const all = loads;
    for (let at = 1; at <= all; at++) {
      cancel = new Int32Array(1);
      [loads, stopAtLoad, after] = [0, at, { loads: 0, runs: 0 }];
      let told = false;
      const report = await outcome(made, run, () => void (told = true));
      const kept = !(report instanceof Refused);
      // The objective itself comes last where another number was minimised: then nothing is left to be stopped.
      const ended = kept && (report.status === 'converged' || report.status === 'cancelled' || report.cancelled);
      expect({ at, told, kept: kept || !told, ended: ended || !kept }).toEqual({ at, told, kept: true, ended: true });
      if (kept && told && 'objective' in report) expect(report.objective).toBeLessThan(Infinity);
      // A job that has told nothing may be given up.
      if (told) expect(after.loads, `at ${at}`).toBeLessThanOrEqual(1);
    }
  });
});
