import { Worker } from 'node:worker_threads';
import { note } from '../faults/log.ts';
import { type FromWorker, readFromWorker, type ToWorker, type WorkerSettings } from './worker-protocol.ts';

export interface WorkerThread {
  send(message: ToWorker): void;
  /** Ends it at once. */
  end(): Promise<void>;
}

export interface WorkerEvents {
  message(message: FromWorker): void;
  /** It ended without having been told to. */
  died(reason: string): void;
}

/** Starts the bundle at `path` (worker.ts) as a thread. */
export function startWorker(path: string, settings: WorkerSettings, events: WorkerEvents): WorkerThread {
  const worker = new Worker(path, { workerData: settings, transferList: settings.gpu ? [settings.gpu] : [] });
  let ended = false;
  let fault: string | undefined;
  worker.on('message', (message: unknown) => events.message(readFromWorker(message)));
  worker.on('error', (error: Error) => {
    note('worker', error);
    fault = error.message;
  });
  worker.on('exit', (code) => {
    if (!ended) events.died(fault ?? `it exited with code ${code}`);
  });
  return {
    send: (message) => worker.postMessage(message),
    async end() {
      ended = true;
      await worker.terminate();
    },
  };
}
