/** `fit`: a stopped one prints the best point so far. */
import { type AdamOptions, prepareGpuEnvironment, type ScheduleName } from '../../../engine/index.ts';
import type { FitReport } from '../../contract/contract.ts';
import { allSpoken } from '../../contract/element-labels.ts';
import { checkpointsIn, readStart } from './checkpoint.ts';
import { fitTarget } from './fit-out.ts';
import { documentExtension } from '../../files/documents.ts';
import { demandWritable } from '../../files/durable.ts';
import { isSamePlace } from '../../files/locations.ts';
import { demandOther } from '../own-files.ts';
import { exitStatus } from '../failure.ts';
import { fitJson, printFit } from '../output/fit-output.ts';
import { labelsOfDocument } from '../output/labels.ts';
import type { ModelOptions } from '../options.ts';
import { printJson, printWarnings, shown } from '../output/output.ts';
import { progressLine } from '../output/progress.ts';
import { readJob, runInWorker, Stopped } from '../run-in-worker.ts';

interface FitOptions extends ModelOptions {
  readonly method?: string;
  readonly starts?: number;
  readonly seed?: number;
  readonly out?: string;
  readonly from?: string;
  readonly batch?: number;
  readonly schedule?: ScheduleName;
  readonly rate?: number;
  readonly maxIterations?: number;
}

export const fitStatuses: Readonly<Record<FitReport['status'], number>> = {
  converged: exitStatus.done,
  'not-converged': exitStatus.notConverged,
  failed: exitStatus.notConverged,
  cancelled: exitStatus.stopped,
};

function adamOptions({ batch, schedule, rate }: FitOptions): AdamOptions {
  return { batch, schedule, rate };
}

export async function fit(path: string, options: FitOptions): Promise<void> {
  const { method, starts, seed, out, from, maxIterations } = options;
  if (out !== undefined) {
    await demandWritable(out);
    if (!out.endsWith(documentExtension) || !isSamePlace(out, path)) await demandOther(out, path);
  }
  const earlier = from === undefined ? undefined : await readStart(from);
  const work = {
    kind: 'fit' as const,
    method,
    starts,
    seed,
    maxIterations,
    start: earlier?.values,
    adam: adamOptions(options),
  };
  const job = { ...(await readJob(path, options)), work } as const;
  const target = out === undefined ? undefined : await fitTarget(out, path, job.document);
  const checkpoints = target && checkpointsIn(target.checkpoints);
  // Before the worker starts: its own environment is a copy that drivers do not see.
  if (options.device === 'webgpu' || options.device === 'auto') prepareGpuEnvironment();
  const line = progressLine();
  let report: FitReport;
  try {
    report = await runInWorker(job, (progress) => {
      checkpoints?.take(progress);
      const { iteration, objective, starts, secondsLeft } = progress;
      const ended = starts ? `, ${starts.done} of ${starts.all} starts done` : '';
      const left = secondsLeft === undefined ? '' : `, about ${Math.ceil(secondsLeft)} s left`;
      const share = starts && starts.done / starts.all;
      line.show(`iteration ${iteration}, objective ${shown(objective)}${ended}${left}`, share);
    });
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    process.stderr.write('cotangent: stopped before a first point was known\n');
    process.exitCode = exitStatus.stopped;
    return;
  } finally {
    line.end();
  }
  await checkpoints?.settled();
  if (earlier?.meaning !== undefined && earlier.meaning !== report.meaning)
    printWarnings([`${from} is of a model that means something else: this fit only began at its values`]);
  process.exitCode = fitStatuses[report.status];
  if (options.json) printJson(fitJson(report));
  else printFit(allSpoken(report, await labelsOfDocument(job.document, path)));
  await target?.write(report);
}
