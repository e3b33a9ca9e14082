/** How a run is timed: warmed up, then the median of many. */
import type { Device, DeviceKind, HostArray, Program } from '../../engine/index.ts';

export interface TimingOptions {
  /** Timed runs, as many as `seconds` hold, but `least` all the same. */
  readonly runs: number;
  readonly seconds: number;
  readonly least: number;
}

/** 25 runs, or as many as ten seconds hold, at least three. */
export const usualTiming: TimingOptions = { runs: 25, seconds: 10, least: 3 };

export interface Timing {
  /** Of one run, the median. */
  readonly milliseconds: number;
  readonly runs: number;
  /** Until the first result was there: compiling, binding and one run, without writing the inputs. */
  readonly firstMilliseconds: number;
}

/** A device's kernels reach their last compilation only after some use. */
const warmUpMilliseconds = 300;

/**
 * So long that what lies between runs is nothing beside them: on the CPU a clock's tick and a promise's turn, on a GPU a
 * submit and the wait for its answer.
 */
const leastSampleMilliseconds: Readonly<Record<DeviceKind, number>> = { reference: 0.5, cpu: 0.5, webgpu: 20 };
const mostAtOnce = 1024;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return (low! + high!) / 2;
}

/** Runs so often, one after the other. */
type Repeated = (times: number) => void | Promise<void>;

/** Milliseconds of `count` runs. */
async function sample(run: Repeated, count: number): Promise<number> {
  const start = performance.now();
  const pending = run(count);
  if (pending) await pending;
  return performance.now() - start;
}

/** Short runs are timed several at once. */
export async function timed(
  run: Repeated,
  { runs, seconds, least }: TimingOptions,
  leastSample = leastSampleMilliseconds.cpu,
): Promise<Omit<Timing, 'firstMilliseconds'>> {
  const start = performance.now();
  const elapsed = (): number => performance.now() - start;
  let count = 1;
  let taken = await sample(run, count);
  while (elapsed() < Math.min(warmUpMilliseconds, 100 * seconds)) taken = await sample(run, count);
  while (taken < leastSample && count < mostAtOnce) {
    count = Math.min(mostAtOnce, Math.max(2 * count, Math.ceil((count * leastSample) / Math.max(taken, 1e-3))));
    taken = await sample(run, count);
  }
  const samples: number[] = [];
  while (samples.length < runs && (samples.length < least || elapsed() < 1000 * seconds))
    samples.push((await sample(run, count)) / count);
  return { milliseconds: median(samples), runs: samples.length };
}

export interface Measured {
  readonly program: Program;
  readonly sizes: Readonly<Record<string, number>>;
  /** Every input, drawn when it is written, so that no two lie beside the device's own. */
  readonly input: (name: string) => ArrayLike<number> | HostArray;
  /** Those that change from run to run. What depends on the others alone is prepared before the clock starts. */
  readonly varying: ReadonlySet<string>;
}

/** Loads, binds, writes and times a program; inputs and results stay on the device. Throws `OutOfMemory`. */
export async function measure(
  device: Device,
  { program, sizes, input, varying }: Measured,
  options: TimingOptions = usualTiming,
): Promise<Timing> {
  const start = performance.now();
  const executable = await device.load(program, { varying });
  try {
    const instance = await executable.bind(sizes);
    try {
      const bound = performance.now();
      for (const { name } of program.parameters) instance.write(name, input(name));
      const written = performance.now();
      await instance.run();
      const firstMilliseconds = bound - start + (performance.now() - written);
      const run: Repeated = (times) => instance.run({ times });
      return { ...(await timed(run, options, leastSampleMilliseconds[device.kind])), firstMilliseconds };
    } finally {
      instance.release();
    }
  } finally {
    executable.release();
  }
}
