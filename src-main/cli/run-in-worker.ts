/**
 * Long work in a worker thread, so that this one hears Ctrl-C at any time: the first stops the work, which then tells
 * what it has found; another ends the process at once.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { printDocument } from '../../models/format/print.ts';
import { applyOverrides } from '../../models/format/override.ts';
import { readDocument as parseModel } from '../../models/format/parse.ts';
import { hasErrors } from '../../models/notation/problem.ts';
import type { EventBody, EventName, FitReport, Progress } from '../contract/contract.ts';
import type { Diagnosis } from '../contract/plots.ts';
import type { StudyReport } from '../contract/studies.ts';
import { refusedFor } from '../compute/running/refusals.ts';
import { readDocument } from '../files/documents.ts';
import { Unsolved } from '../refused.ts';
import type { Job, WorkKind } from '../engine-process/job.ts';
import { createControl, stop } from '../engine-process/job-control.ts';
import type { FromWorker } from '../engine-process/worker-protocol.ts';
import { startWorker } from '../engine-process/worker-thread.ts';
import { exitStatus } from './failure.ts';
import { parseOverrides } from './model.ts';
import type { ModelOptions } from './options.ts';
import { places } from './places.ts';

/** What every job has, from the options: the document with the values of `--set`. */
export async function readJob(path: string, { set, device, precision }: ModelOptions): Promise<Omit<Job, 'work'>> {
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
  return { document, location, parameters: {}, entire: true, device, precision };
}

/** Milliseconds that a run has to end once it is stopped; it looks every few. */
const PATIENCE = 10_000;

/** It was stopped before there was anything to tell. */
export class Stopped extends Error {}

/** One of the contract's, with its body. */
type Event = { readonly [N in EventName]: { readonly name: N; readonly body: EventBody<N> } }[EventName];

interface Reports {
  readonly fit: FitReport;
  readonly study: StudyReport;
  readonly diagnosis: Diagnosis;
}
type ReportOf<K extends WorkKind> = Reports[K];

export async function runInWorker<K extends WorkKind>(
  job: Job<K>,
  onProgress: (progress: Extract<Progress, { readonly kind: K }>) => void,
): Promise<ReportOf<K>> {
  const control = createControl();
  // A worker's events are those of the contract, made by the same code, and of the one job that it has.
  const hear = (
    event: unknown,
    { done, refused }: { done: (report: ReportOf<K>) => void; refused: (error: Error) => void },
  ): void => {
    const { name, body } = event as Event;
    if (name === 'job.progress') onProgress(body.progress as Extract<Progress, { readonly kind: K }>);
    if (name === 'job.done') done(body.result.report as ReportOf<K>);
    if (name === 'job.refused') {
      const { problems, unsolved } = body;
      const error = unsolved ? new Unsolved(problems, unsolved) : refusedFor(problems);
      refused(control[0] === 0 ? error : new Stopped());
    }
  };
  // Run from its sources it has no bundle to start a thread with.
  if (!existsSync(places.worker)) {
    const { runHere } = await import('./run-here.ts');
    return new Promise((done, refused) => {
      runHere(job, control, (event) => hear(event, { done, refused })).catch(refused);
    });
  }
  return new Promise<ReportOf<K>>((resolveReport, reject) => {
    let patience: NodeJS.Timeout | undefined;
    const interrupted = (): void => {
      if (!stop(control)) process.exit(exitStatus.stopped);
      // A driver that compiles for minutes hears nothing.
      patience = setTimeout(() => {
        process.stderr.write('cotangent: the device does not answer, and what was found is lost\n');
        process.exit(exitStatus.stopped);
      }, PATIENCE);
    };
    const finish = (end: () => void): void => {
      clearTimeout(patience);
      process.off('SIGINT', interrupted);
      process.off('SIGTERM', interrupted);
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
          hear(message, {
            done: (report) => finish(() => resolveReport(report)),
            refused: (error) => finish(() => reject(error)),
          });
        },
      },
    );
    process.on('SIGINT', interrupted);
    process.on('SIGTERM', interrupted);
    worker.send({ type: 'job', name: job.work.kind, job, control });
  });
}
