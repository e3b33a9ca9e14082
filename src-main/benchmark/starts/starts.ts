/**
 * Fits from many starts as one batch: how much longer an iteration of all of them takes than one of a single start. The
 * time is that of the optimiser from start to end, over the iterations of the lane that takes most of them; what is
 * compiled stays from run to run. Runs of the batch and of the single start alternate, and the shortest of each counts:
 * the work is the same every time, and whatever else a machine does only adds to it.
 */
import { type Device, type FitParameter, type OpenStarts, openStarts, startingPoints } from '../../../engine/index.ts';
import { figure, ratio } from '../shown.ts';
import type { Measurement, Output, Suite, SuiteOptions } from '../suite.ts';
import { misra1a } from './misra1a.ts';

export interface StartsMeasurement extends Measurement {
  readonly starts: number;
  /** Of the lane that takes most of them. */
  readonly iterations: number;
  /** From start to end. */
  readonly microseconds: number;
  readonly perIteration: number;
  /** Over that of a single start. */
  readonly times: number;
}

const numbersOfStarts = [1, 8, 64, 256];
const least = 25;
const runs = 400;
const seconds = 10;
const warmUpMilliseconds = 500;

interface Timed {
  readonly microseconds: number;
  readonly iterations: number;
}

type Start = readonly FitParameter[];

async function once(batch: OpenStarts, starts: readonly Start[]): Promise<Timed> {
  const from = performance.now();
  let most = 0;
  await batch.run(starts.length, starts, ({ iterations }) => (most = Math.max(most, iterations)));
  return { microseconds: 1e3 * (performance.now() - from), iterations: most };
}

const shorter = (a: Timed, b: Timed): Timed => (b.microseconds < a.microseconds ? b : a);

export const starts: Suite<StartsMeasurement> = {
  names: ['Misra1a'],
  columns: [
    { heading: 'problem', text: 12, cell: ({ row }) => row },
    { heading: 'starts', cell: ({ starts: count }) => String(count) },
    { heading: 'iterations', cell: ({ iterations }) => String(iterations) },
    { heading: 'together', cell: ({ microseconds }) => `${figure(microseconds)} µs` },
    { heading: 'per iteration', cell: ({ perIteration }) => `${figure(perIteration)} µs` },
    { heading: '× one start', cell: ({ times }) => ratio(times) },
    { heading: 'runs', cell: ({ runs: count }) => String(count) },
  ],
  async run(device: Device, _: SuiteOptions, { row, progress }: Output<StartsMeasurement>) {
    const problem = misra1a();
    const batch = await openStarts(problem, device);
    try {
      for (const count of numbersOfStarts) {
        progress(`Misra1a from ${count} starts`);
        const all = [...startingPoints(problem.parameters, count, 0)];
        const alone = all.slice(0, 1);
        const begun = performance.now();
        let [together, single] = [await once(batch, all), await once(batch, alone)];
        while (performance.now() - begun < warmUpMilliseconds) {
          await once(batch, all);
          await once(batch, alone);
        }
        let done = 0;
        for (; done < runs && (done < least || performance.now() - begun < 1e3 * seconds); done++) {
          together = shorter(together, await once(batch, all));
          single = shorter(single, await once(batch, alone));
        }
        const perIteration = together.microseconds / together.iterations;
        row({
          row: 'Misra1a',
          n: problem.observations,
          device: device.kind,
          precision: device.precision,
          runs: done,
          starts: count,
          ...together,
          perIteration,
          times: perIteration / (single.microseconds / single.iterations),
        });
      }
    } finally {
      batch.release();
    }
  },
};
