/** A worker thread of the engine process: answers requests and runs fits and studies, one after the other. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { createDevices, type OpenGpuPort } from '../compute/running/devices.ts';
import type { Progress } from '../compute/fit/fit.ts';
import { demandModel } from '../compute/running/load.ts';
import { elementsOf } from '../compute/running/run.ts';
import { fitOutlivingGpu, outlivingGpu, type Loss } from '../compute/outliving-gpu.ts';
import { createSessions } from '../compute/sessions.ts';
import { withMisfits } from '../compute/misfit.ts';
import { runStudy } from '../compute/study/study.ts';
import type { Problem } from '../contract/contract.ts';
import { deviceOfEnvironment } from '../device-choice.ts';
import { objectiveMeaning } from '../../models/lower/meaning.ts';
import { Refused, Unsolved } from '../refused.ts';
import { emitter, serve } from '../router.ts';
import { answers } from './answers.ts';
import type { FitJob } from './fit-job.ts';
import { importHandlers } from './imports.ts';
import { isPaused, waitWhilePaused } from './job-control.ts';
import type { StudyJob } from './study-job.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './worker-protocol.ts';

/** The window draws no more often than this. */
const progressMilliseconds = 30;

if (!parentPort) throw new Error('worker.ts runs as a worker thread');
const parent = parentPort;
const { catalogue, imports, gpu } = workerData as WorkerSettings;
const devices = createDevices(gpu && asking(gpu));
const sessions = createSessions(catalogue, imports);
const device = deviceOfEnvironment();
const endpoint = { send: (message: FromWorker) => parent.postMessage(message) };
const emit = emitter(endpoint);
const handlers = {
  ...answers(sessions, devices, device),
  ...importHandlers({ catalogue, imports, onProgress: paced((share) => emit('import.progress', { share })) }),
};

/** At most every 30 ms. */
function paced<T>(send: (progress: T) => void): (progress: T) => void {
  let sentAt = -Infinity;
  return (progress) => {
    const now = performance.now();
    if (now - sentAt < progressMilliseconds) return;
    sentAt = now;
    send(progress);
  };
}

/** Asks for one way to the GPU after the other, and gets them in that order. */
function asking(broker: MessagePort): OpenGpuPort {
  const waiting: ((port: MessagePort) => void)[] = [];
  broker.on('message', (port: MessagePort) => waiting.shift()?.(port));
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      broker.postMessage(null);
    });
}

const optionsOf = (job: FitJob | StudyJob) => ({ ...job, device: job.device ?? device });

function tellLoss(what: string, { why, device: { kind } }: Loss): void {
  const where = kind === 'webgpu' ? 'on the GPU, which was opened again' : 'on the CPU';
  emit('engine.notice', { message: `The GPU was lost (${why}). ${what} ${where}.` });
}

/** What was refused; anything else is a fault of ours: this thread ends by it, and whoever started it says so. */
function problemsOf(error: unknown): Problem[] {
  if (!(error instanceof Refused)) throw error;
  return error.problems.length > 0 ? [...error.problems] : [{ severity: 'error', message: error.message }];
}

async function runFit(fit: string, job: FitJob, cancel: Int32Array): Promise<void> {
  const { parameters, start, method, starts, seed, maxIterations, adam } = job;
  try {
    const model = demandModel(await sessions.get(job.document, job.location));
    const meaning = objectiveMeaning(model) ?? '';
    const emitProgress = (progress: Progress, paused?: true): void =>
      emit('fit.progress', { fit, meaning, ...progress, ...(paused && { paused }) });
    const request = {
      parameters,
      start,
      method,
      starts,
      seed,
      maxIterations,
      adam,
      cancel,
      onProgress: paced(emitProgress),
      pausePoint(reached: Progress) {
        if (!isPaused(cancel)) return;
        emitProgress(reached, true);
        waitWhilePaused(cancel);
      },
    };
    const report = await fitOutlivingGpu(model, devices, optionsOf(job), request, (loss) =>
      tellLoss('The fit goes on', loss),
    );
    const told = await outlivingGpu(devices, optionsOf(job), elementsOf(model), (chosen) =>
      withMisfits(model, chosen, report),
    );
    emit('fit.done', { fit, report: told });
  } catch (error) {
    emit('fit.refused', { fit, problems: problemsOf(error) });
  }
}

async function runStudyJob(study: string, job: StudyJob, cancel: Int32Array): Promise<void> {
  const progress = paced(([stage, share]: readonly [string, number]) =>
    emit('study.progress', { study, stage, share }),
  );
  try {
    const model = demandModel(await sessions.get(job.document, job.location));
    const report = await outlivingGpu(
      devices,
      optionsOf(job),
      elementsOf(model),
      (chosen) =>
        runStudy(model, chosen, job.study, {
          parameters: job.parameters,
          load: async (document) => demandModel(await sessions.get(document, job.location)),
          cancel,
          onProgress: (stage, share) => progress([stage, share]),
        }),
      (loss) => tellLoss('The study begins again', loss),
    );
    emit('study.done', { study, report });
  } catch (error) {
    const unsolved = error instanceof Unsolved ? { unsolved: [...error.errors] } : {};
    emit('study.refused', { study, problems: problemsOf(error), ...unsolved });
  }
}

function work(message: ToWorker): Promise<void> {
  switch (message.type) {
    case 'request':
      return serve(endpoint, handlers, message.message);
    case 'fit':
      return runFit(message.fit, message.job, message.cancel);
    case 'study':
      return runStudyJob(message.study, message.job, message.cancel);
  }
}

/** What there is to compute on is asked of a window that opens meanwhile: nothing else waits for the answer. */
const standsApart = (message: ToWorker): boolean =>
  message.type === 'request' && message.message.name === 'devices.list';

let turn = Promise.resolve();
parent.on('message', (message: ToWorker) => {
  if (standsApart(message)) void work(message);
  else turn = turn.then(() => work(message));
});
