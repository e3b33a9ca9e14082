/** A contest in a thread of its own: the first Ctrl-C stops it, and what was found by then is told; another ends the process. */
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { createControl, stop } from '../../engine-process/job-control.ts';
import { exitStatus } from '../failure.ts';
import { places } from '../places.ts';
import { fight, type ContestJob, type Found, type FromContest } from './contest-job.ts';

export interface Fought {
  readonly contestants: readonly Found[];
  readonly stopped: boolean;
}

export async function contestInThread(
  asked: Omit<ContestJob, 'cancel'>,
  onProgress: (share: number) => void,
): Promise<Fought> {
  const job: ContestJob = { ...asked, cancel: createControl() };
  // Run from its sources it has no bundle to start a thread with.
  if (!existsSync(places.contest)) return { contestants: await fight(job, onProgress), stopped: false };
  return new Promise((resolve, reject) => {
    const interrupted = (): void => {
      if (!stop(job.cancel)) process.exit(exitStatus.stopped);
    };
    const finish = (end: () => void): void => {
      process.off('SIGINT', interrupted);
      process.off('SIGTERM', interrupted);
      worker.removeAllListeners();
      void worker.terminate();
      end();
    };
    process.on('SIGINT', interrupted);
    process.on('SIGTERM', interrupted);
    const worker = new Worker(places.contest, { workerData: job });
    worker.on('message', (message: FromContest) => {
      if (message.type === 'progress') onProgress(message.share);
      else finish(() => resolve({ contestants: message.contestants, stopped: job.cancel[0] !== 0 }));
    });
    worker.on('error', (error) => finish(() => reject(error)));
    worker.on('exit', (code) => finish(() => reject(new Error(`the contest's thread ended with code ${code}`))));
  });
}
