/** How a run is timed: warmed up, then the median of many. */
import type { Device, HostArray, Program } from '../../engine/index.ts';

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

/** A clock's tick and a promise's turn are nothing beside it. */
const leastSampleMilliseconds = 0.5;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return ((low as number) + (high as number)) / 2;
}

/** Milliseconds of `count` runs one after the other. */
async function sample(run: () => void | Promise<void>, count: number): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < count; i++) {
    const pending = run();
    if (pending) await pending;
  }
  return performance.now() - start;
}

/** Short runs are timed several at once. */
export async function timed(
  run: () => void | Promise<void>,
  { runs, seconds, least }: TimingOptions,
): Promise<Omit<Timing, 'firstMilliseconds'>> {
  const start = performance.now();
  const elapsed = (): number => performance.now() - start;
  let once = await sample(run, 1);
  while (elapsed() < Math.min(warmUpMilliseconds, 100 * seconds)) once = await sample(run, 1);
  const count = Math.max(1, Math.ceil(leastSampleMilliseconds / Math.max(once, 1e-3)));
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
      return { ...(await timed(() => instance.run(), options)), firstMilliseconds };
    } finally {
      instance.release();
    }
  } finally {
    executable.release();
  }
}
