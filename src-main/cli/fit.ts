/**
 * `fit`: in a worker thread, so that this one hears Ctrl-C at any time. The first stops the fit and prints the best
 * point so far; another ends the process at once.
 */
import { resolve } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { prepareGpuEnvironment } from '../../engine/index.ts';
import { printDocument } from '../../models/format/print.ts';
import type { EventBody, FitReport } from '../contract.ts';
import { refusedFor } from '../compute/refusals.ts';
import { readDocument } from '../files/documents.ts';
import { applyOverrides } from '../../models/format/override.ts';
import { readDocument as parseModel } from '../../models/format/parse.ts';
import { hasErrors } from '../../models/format/problem.ts';
import type { FitJob } from '../engine-process/fit-job.ts';
import type { FromWorker } from '../engine-process/worker-protocol.ts';
import { startWorker } from '../engine-process/worker-thread.ts';
import { stringify } from '../json.ts';
import { Refused } from '../refused.ts';
import { exitStatus } from './failure.ts';
import { fitJson, printFit } from './fit-output.ts';
import { parseOverrides } from './model.ts';
import type { ModelOptions } from './options.ts';
import { printJson, shown } from './output.ts';
import { places } from './places.ts';

interface FitOptions extends ModelOptions {
  readonly method?: string;
  readonly starts?: number;
  readonly seed?: number;
  readonly out?: string;
}

/** The document with the values of `--set`. */
async function readJob(path: string, options: FitOptions): Promise<FitJob> {
  const { set, device, precision, method, starts, seed } = options;
  const json = await readDocument(path);
  const overrides = parseOverrides(set);
  let document = json;
  if (overrides.length > 0) {
    const parsed = parseModel(json);
    if (!('document' in parsed)) throw refusedFor(parsed.problems);
    const applied = applyOverrides(parsed.document, overrides);
    if (hasErrors(applied.problems)) throw refusedFor(applied.problems);
    document = JSON.parse(printDocument(applied.document)) as Record<string, unknown>;
  }
  const location = { kind: 'file', path: resolve(path) } as const;
  return { document, location, parameters: {}, device, precision, method, starts, seed };
}

class Stopped extends Error {}

function runInWorker(job: FitJob, onProgress: (body: EventBody<'fit.progress'>) => void): Promise<FitReport> {
  const cancel = new Int32Array(new SharedArrayBuffer(4));
  return new Promise<FitReport>((resolveReport, reject) => {
    const stop = (): void => {
      if (Atomics.exchange(cancel, 0, 1) !== 0) process.exit(exitStatus.stopped);
    };
    const finish = (end: () => void): void => {
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
      void worker.end();
      end();
    };
    const worker = startWorker(
      places.worker,
      { catalogue: places.catalogue },
      {
        died: (reason) => finish(() => reject(new Error(reason))),
        message: (message: FromWorker) => {
          if (message.type !== 'event') return;
          // A worker's events are those of the contract, made by the same code.
          if (message.name === 'fit.progress') onProgress(message.body as EventBody<'fit.progress'>);
          if (message.name === 'fit.done') finish(() => resolveReport((message.body as EventBody<'fit.done'>).report));
          if (message.name === 'fit.refused') {
            const { problems } = message.body as EventBody<'fit.refused'>;
            finish(() => reject(cancel[0] === 0 ? refusedFor(problems) : new Stopped()));
          }
        },
      },
    );
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
    worker.send({ type: 'fit', fit: 'fit', job, cancel });
  });
}

const statuses: Readonly<Record<FitReport['status'], number>> = {
  converged: exitStatus.done,
  'not-converged': exitStatus.notConverged,
  failed: exitStatus.notConverged,
  cancelled: exitStatus.stopped,
};

export async function fit(path: string, options: FitOptions): Promise<void> {
  const job = await readJob(path, options);
  // Before the worker starts: its own environment is a copy that drivers do not see.
  if (options.device === 'webgpu' || options.device === 'auto') prepareGpuEnvironment();
  const interactive = process.stderr.isTTY;
  let report: FitReport;
  try {
    report = await runInWorker(job, ({ iteration, objective }) => {
      if (interactive) process.stderr.write(`\r\x1b[Kiteration ${iteration}, objective ${shown(objective)}`);
    });
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    process.stderr.write('cotangent: stopped before a first point was known\n');
    process.exitCode = exitStatus.stopped;
    return;
  } finally {
    if (interactive) process.stderr.write('\r\x1b[K');
  }
  process.exitCode = statuses[report.status];
  if (options.json) printJson(fitJson(report));
  else printFit(report);
  if (options.out === undefined) return;
  try {
    await writeFileAtomic(options.out, stringify(fitJson(report), 2) + '\n');
  } catch (error) {
    throw new Refused(`${options.out} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}
