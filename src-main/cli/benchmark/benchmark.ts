/**
 * `benchmark`: measures in a thread of its own, so that this one hears Ctrl-C at any time; what has been measured by then
 * is printed. Rows are printed as they come, as JSON all at once.
 */
import { Worker } from 'node:worker_threads';
import type { SuiteName } from '../../benchmark/names.ts';
import type { Measurement } from '../../benchmark/suite.ts';
import { suites } from '../../benchmark/suites.ts';
import { prepareGpuEnvironment } from '../../../engine/index.ts';
import { readPyTorch } from './benchmark-pytorch.ts';
import { Refused } from '../../refused.ts';
import type { BenchmarkJob, FromBenchmark } from './benchmark-job.ts';
import { rowPrinter } from './benchmark-table.ts';
import { exitStatus } from '../failure.ts';
import { progressLine } from '../output/progress.ts';
import { printJson } from '../output/output.ts';
import { places } from '../places.ts';

export interface BenchmarkOptions extends Pick<BenchmarkJob, 'device' | 'precision' | 'only' | 'elements'> {
  readonly size: BenchmarkJob['dataset'];
  readonly threads?: number;
  readonly pytorch?: string;
  readonly json: boolean;
}

type Heard = Exclude<FromBenchmark, { type: 'done' | 'refused' }>;

/** Runs the job to its end: false where Ctrl-C came first. Throws `Refused`. */
function runInThread(job: BenchmarkJob, hear: (message: Heard) => void): Promise<boolean> {
  return new Promise<boolean>((resolve, reject) => {
    const worker = new Worker(places.benchmark, { workerData: job });
    const finish = (end: () => void): void => {
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
      void worker.terminate();
      end();
    };
    const stop = (): void => finish(() => resolve(false));
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
    worker.on('message', (message: FromBenchmark) => {
      if (message.type === 'done') finish(() => resolve(true));
      else if (message.type === 'refused') finish(() => reject(new Refused(`${message.text}.`)));
      else hear(message);
    });
    worker.on('error', (error) => finish(() => reject(error)));
    worker.on('exit', (code) => finish(() => reject(new Error(`the benchmark's thread ended with code ${code}`))));
  });
}

export async function benchmark(suite: SuiteName, options: BenchmarkOptions): Promise<void> {
  const { device, precision, threads, only, elements, size, json } = options;
  if (!suites[suite].names.some((name) => name.startsWith(only)))
    throw new Refused(`No row of ${suite} begins with "${only}"; its rows are ${suites[suite].names.join(', ')}.`);
  const pytorch = options.pytorch === undefined ? [] : await readPyTorch(options.pytorch);
  // Before the thread starts: its own environment is a copy that drivers do not see.
  if (device === 'webgpu' || device === 'auto') prepareGpuEnvironment();
  const line = progressLine();
  const rows: Measurement[] = [];
  const print = json ? undefined : rowPrinter(suites[suite].columns);
  const job = { suite, device, precision, threads, only, elements, dataset: size, pytorch };
  const done = await runInThread(job, (message) => {
    line.end();
    if (message.type === 'row') {
      rows.push(message.row);
      print?.(message.row);
    } else if (message.type === 'note') process.stderr.write(`cotangent: note: ${message.text}\n`);
    else line.show(`measuring ${message.text} …`);
  }).catch((error: unknown) => {
    // A row that cannot be measured takes none of those before it away.
    line.end();
    if (json) printJson(rows);
    throw error;
  });
  line.end();
  if (json) printJson(rows);
  else process.stdout.write(`${suites[suite].summary?.(rows) ?? ''}\n`.trimStart());
  if (!done) process.exitCode = exitStatus.stopped;
}
