/** Runs a study in a worker, with its progress on standard error, and prints its report. */
import { prepareGpuEnvironment } from '../../../engine/index.ts';
import type { StudyReport, StudyRequest } from '../../contract/studies.ts';
import { exitStatus } from '../failure.ts';
import type { ModelOptions } from '../options.ts';
import { progressLine } from '../output/progress.ts';
import { readJob, runInWorker, Stopped } from '../run-in-worker.ts';

/** Undefined where the study was stopped before it found anything. */
export async function runStudy(
  path: string,
  options: ModelOptions,
  study: StudyRequest,
): Promise<StudyReport | undefined> {
  const job = { ...(await readJob(path, options)), work: { kind: 'study', study } } as const;
  // Before the worker starts: its own environment is a copy that drivers do not see.
  if (options.device === 'webgpu' || options.device === 'auto') prepareGpuEnvironment();
  const line = progressLine();
  const startedAt = performance.now();
  try {
    return await runInWorker(job, ({ stage, share }) => {
      const left = ((performance.now() - startedAt) / 1000) * (1 / share - 1);
      const estimate = share > 0.02 && Number.isFinite(left) ? `, about ${Math.ceil(left)} s left` : '';
      line.show(`${stage}: ${Math.floor(100 * share)} %${estimate}`, share);
    });
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    process.stderr.write('cotangent: stopped before anything was found\n');
    process.exitCode = exitStatus.stopped;
    return undefined;
  } finally {
    line.end();
  }
}
