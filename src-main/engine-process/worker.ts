/** A worker thread of the engine process: answers requests and runs fits, one after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { createDevices } from '../compute/devices.ts';
import { fitModel } from '../compute/fit.ts';
import { demandModel } from '../compute/load.ts';
import { elementsOf } from '../compute/run.ts';
import { createSessions } from '../compute/sessions.ts';
import { deviceOfEnvironment } from '../device-choice.ts';
import { hashDocument } from '../../models/format/hash.ts';
import { Refused } from '../refused.ts';
import { emitter, serve } from '../router.ts';
import { answers } from './answers.ts';
import type { FitJob } from './fit-job.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './worker-protocol.ts';

/** The window draws no more often than this. */
const progressMilliseconds = 30;

if (!parentPort) throw new Error('worker.ts runs as a worker thread');
const parent = parentPort;
const { catalogue, gpu } = workerData as WorkerSettings;
const devices = createDevices(gpu);
const sessions = createSessions(catalogue);
const device = deviceOfEnvironment();
const handlers = answers(sessions, devices, device);
const endpoint = { send: (message: FromWorker) => parent.postMessage(message) };
const emit = emitter(endpoint);

async function runFit(fit: string, job: FitJob, cancel: Int32Array): Promise<void> {
  const { document, location, parameters, method, starts, seed } = job;
  let shownAt = -Infinity;
  try {
    const model = demandModel(await sessions.get(document, location));
    const chosen = await devices.choose({ ...job, device: job.device ?? device }, elementsOf(model));
    const report = await fitModel(model, chosen, {
      parameters,
      method,
      starts,
      seed,
      documentHash: hashDocument(document),
      cancel,
      onProgress: (progress) => {
        const now = performance.now();
        if (now - shownAt < progressMilliseconds) return;
        shownAt = now;
        emit('fit.progress', { fit, ...progress });
      },
    });
    emit('fit.done', { fit, report });
  } catch (error) {
    // Anything else is a fault of ours: this thread ends by it, and whoever started it says so.
    if (!(error instanceof Refused)) throw error;
    const problems =
      error.problems.length > 0 ? [...error.problems] : [{ severity: 'error' as const, message: error.message }];
    emit('fit.refused', { fit, problems });
  }
}

let turn = Promise.resolve();
parent.on('message', (message: ToWorker) => {
  turn = turn.then(() =>
    message.type === 'request'
      ? serve(endpoint, handlers, message.message)
      : runFit(message.fit, message.job, message.cancel),
  );
});
