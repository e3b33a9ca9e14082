/** `fit`: a stopped one prints the best point so far. */
import writeFileAtomic from 'write-file-atomic';
import { prepareGpuEnvironment } from '../../engine/index.ts';
import type { FitReport } from '../contract.ts';
import { stringify } from '../json.ts';
import { Refused } from '../refused.ts';
import { exitStatus } from './failure.ts';
import { fitJson, printFit } from './fit-output.ts';
import type { ModelOptions } from './options.ts';
import { printJson, shown } from './output.ts';
import { readJob, runInWorker, Stopped } from './run-in-worker.ts';

interface FitOptions extends ModelOptions {
  readonly method?: string;
  readonly starts?: number;
  readonly seed?: number;
  readonly out?: string;
}

export const fitStatuses: Readonly<Record<FitReport['status'], number>> = {
  converged: exitStatus.done,
  'not-converged': exitStatus.notConverged,
  failed: exitStatus.notConverged,
  cancelled: exitStatus.stopped,
};

export async function fit(path: string, options: FitOptions): Promise<void> {
  const { method, starts, seed } = options;
  const job = { ...(await readJob(path, options)), method, starts, seed };
  // Before the worker starts: its own environment is a copy that drivers do not see.
  if (options.device === 'webgpu' || options.device === 'auto') prepareGpuEnvironment();
  const interactive = process.stderr.isTTY;
  let report: FitReport;
  try {
    report = await runInWorker({ kind: 'fit', job }, ({ iteration, objective, starts, secondsLeft }) => {
      if (!interactive) return;
      const ended = starts ? `, ${starts.done} of ${starts.all} starts done` : '';
      const left = secondsLeft === undefined ? '' : `, about ${Math.ceil(secondsLeft)} s left`;
      process.stderr.write(`\r\x1b[Kiteration ${iteration}, objective ${shown(objective)}${ended}${left}`);
    });
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    process.stderr.write('cotangent: stopped before a first point was known\n');
    process.exitCode = exitStatus.stopped;
    return;
  } finally {
    if (interactive) process.stderr.write('\r\x1b[K');
  }
  process.exitCode = fitStatuses[report.status];
  if (options.json) printJson(fitJson(report));
  else printFit(report);
  if (options.out === undefined) return;
  try {
    await writeFileAtomic(options.out, stringify(fitJson(report), 2) + '\n');
  } catch (error) {
    throw new Refused(`${options.out} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}
