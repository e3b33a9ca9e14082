/**
 * How long *Stop* takes: from the moment at which another thread raises the flag, some way into a fit or a study, until
 * what was found is there. Whatever was asked for is far more than is run.
 */
import { Worker } from 'node:worker_threads';
import {
  type Device,
  fit,
  fitFromStarts,
  type FitProblem,
  orCancelled,
  sensitivity,
  type SensitivityMethod,
  uncertainty,
  type UncertaintyOptions,
  uniformDistribution,
} from '../../engine/index.ts';
import { count, milliseconds } from './shown.ts';
import { misra1a } from './starts/misra1a.ts';
import type { Measurement, Output, Suite, SuiteOptions } from './suite.ts';

export interface StopMeasurement extends Measurement {
  /** Starts, replicates, draws or rows that were asked for. */
  readonly asked: number;
  /** From the flag to the result. */
  readonly medianMs: number;
  readonly longestMs: number;
}

const sizes = [1000, 100_000, 10_000_000];
/** Milliseconds from the beginning to the flag. */
const moments = [50, 100, 200, 300, 400, 500, 700, 900, 1200, 1500, 2000, 8000];

type Work = (size: number, cancel: Int32Array) => Promise<unknown>;

/** What is stopped, by the name of its row; each in its own sizes. */
function works(problem: FitProblem, device: Device): ReadonlyMap<string, Work> {
  const { program, parameters, data, sizes: bound } = problem;
  const asked = {
    program: { ...program, results: program.results.filter(({ name }) => name === 'loss') },
    ...{ output: 'loss', parameters, data, sizes: bound },
    distributions: parameters.map(({ upper }) => uniformDistribution(0, upper[0]!)),
  };
  const density = { program: asked.program, result: 'loss', support: new Map() };
  const studied =
    (method: 'bootstrap' | 'hmc'): Work =>
    async (samples, cancel) => {
      const result = await fit(problem, device, { cancel });
      const options: UncertaintyOptions = { level: 0.95, seed: 0, samples, comparable: true, cancel };
      return uncertainty(problem, result, density, device, method, options);
    };
  const sampled =
    (method: SensitivityMethod): Work =>
    (samples, cancel) =>
      sensitivity(asked, device, method, { samples, seed: 0, cancel });
  const fitted =
    (method: 'levenberg-marquardt' | 'newton-cg'): Work =>
    (starts, cancel) =>
      fitFromStarts(problem, device, { method, starts, cancel });
  return new Map([
    ['starts, levenberg-marquardt', fitted('levenberg-marquardt')],
    ['starts, newton-cg', fitted('newton-cg')],
    ['bootstrap', studied('bootstrap')],
    ['hmc', studied('hmc')],
    ['sobol', sampled('sobol')],
    ['morris', sampled('morris')],
    ['dgsm', sampled('dgsm')],
    ['active-subspace', sampled('active-subspace')],
  ]);
}

/** A thread of its own raises the flag, since this one hears nothing while it computes. */
const alarm = `
  const { workerData: { cancel, at, after } } = require('node:worker_threads');
  Atomics.wait(cancel, 1, 0, after);
  at[0] = process.hrtime.bigint();
  Atomics.store(cancel, 0, 1);
`;

/** Milliseconds from the flag to the end; undefined where it had ended before. */
async function stopped(work: Work, size: number, after: number): Promise<number | undefined> {
  const cancel = new Int32Array(new SharedArrayBuffer(8));
  const at = new BigInt64Array(new SharedArrayBuffer(8));
  const thread = new Worker(alarm, { eval: true, workerData: { cancel, at, after } });
  // Stopped before anything is found it has nothing to give.
  await orCancelled(() => work(size, cancel));
  const ended = process.hrtime.bigint();
  const raised = Atomics.load(cancel, 0) !== 0 ? at[0] : undefined;
  await thread.terminate();
  return raised === undefined ? undefined : Number(ended - raised) / 1e6;
}

export const stop: Suite<StopMeasurement> = {
  names: [
    'starts, levenberg-marquardt',
    'starts, newton-cg',
    'bootstrap',
    'hmc',
    'sobol',
    'morris',
    'dgsm',
    'active-subspace',
  ],
  columns: [
    { heading: 'stopped', text: 28, cell: ({ row }) => row },
    { heading: 'asked for', cell: ({ asked }) => count(asked) },
    { heading: 'median', cell: ({ medianMs }) => milliseconds(medianMs) },
    { heading: 'longest', cell: ({ longestMs }) => milliseconds(longestMs) },
    { heading: 'stops', cell: ({ runs }) => String(runs) },
  ],
  async run(device: Device, { only }: SuiteOptions, { row, progress, note }: Output<StopMeasurement>) {
    const problem = misra1a();
    for (const [name, work] of works(problem, device)) {
      if (!name.startsWith(only)) continue;
      for (const asked of sizes) {
        const times: number[] = [];
        for (const after of moments) {
          progress(`${name}, ${count(asked)}, stopped after ${after} ms`);
          const time = await stopped(work, asked, after);
          if (time === undefined) break;
          times.push(time);
        }
        times.sort((a, b) => a - b);
        if (times.length === 0) {
          note(`${name}: ${count(asked)} had ended before they were stopped`);
          continue;
        }
        row({
          ...{ row: name, n: problem.observations, device: device.kind, precision: device.precision },
          ...{ runs: times.length, asked },
          medianMs: times[times.length >> 1]!,
          longestMs: times.at(-1)!,
        });
      }
    }
  },
};
