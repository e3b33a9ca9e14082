/** The thread of `benchmark`: nothing else runs in it while a clock does. */
import { parentPort, workerData } from 'node:worker_threads';
import { suites } from '../../benchmark/suites.ts';
import { cpuDevice, type Device, OutOfMemory } from '../../../engine/index.ts';
import { createDevices } from '../../compute/running/devices.ts';
import { Refused } from '../../refused.ts';
import type { BenchmarkJob, FromBenchmark } from './benchmark-job.ts';

if (!parentPort) throw new Error('benchmark-worker.ts runs as a worker thread');
const parent = parentPort;
const post = (message: FromBenchmark): void => parent.postMessage(message);
const { suite, device, precision, threads, ...options } = workerData as BenchmarkJob;
const devices = createDevices();
const processor = cpuDevice({ precision, ...(threads !== undefined && { threads }) });

/** A GPU computes in f32 alone: `auto` takes one only for work that is to be done so. */
async function choose(): Promise<Device> {
  if (device === 'cpu' || (device === 'auto' && precision === 'f64')) return processor;
  const found = await devices.choose({ device }, options.elements);
  return found.kind === 'cpu' ? processor : found;
}

try {
  const chosen = await choose();
  await suites[suite].run(chosen, options, {
    row: (row) => post({ type: 'row', row }),
    progress: (text) => post({ type: 'progress', text }),
    note: (text) => post({ type: 'note', text }),
  });
  post({ type: 'done' });
} catch (error) {
  if (!(error instanceof Refused || error instanceof OutOfMemory)) throw error;
  post({ type: 'refused', text: error.message });
} finally {
  devices.close();
  processor.close();
}
