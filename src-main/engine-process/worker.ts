/** A worker thread of the engine process: answers requests and runs jobs, one after the other. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { createDevices, type OpenGpuPort } from '../compute/running/devices.ts';
import { createSessions } from '../compute/sessions.ts';
import { encode } from '../contract/codec.ts';
import type { Message } from '../contract/contract.ts';
import { deviceOfEnvironment } from '../device-choice.ts';
import { emitter, serve } from '../router.ts';
import { answers } from './answers.ts';
import { importHandlers } from './imports.ts';
import { paced } from './paced.ts';
import { runJob } from './run-job.ts';
import { type FromWorker, readToWorker, type ToWorker, type WorkerSettings } from './worker-protocol.ts';

if (!parentPort) throw new Error('worker.ts runs as a worker thread');
const parent = parentPort;
const { catalogue, imports, gpu } = workerData as WorkerSettings;
const devices = createDevices(gpu && asking(gpu));
const sessions = createSessions(catalogue, imports);
const device = deviceOfEnvironment();
const post = (message: FromWorker, moved: readonly ArrayBuffer[] = []): void => parent.postMessage(message, moved);
/** A reply may hold all the points of all plots, and passes through two processes. */
function send(message: Message): void {
  if (message.type === 'reply') {
    const frame = encode(message.body);
    post({ type: 'packed', id: message.id, frame }, [frame.buffer]);
  } else if (message.type !== 'request') post(message);
}
const endpoint = { send };
const emit = emitter(endpoint);
/** Of the request that is being answered: one is at a time. */
let control: Int32Array | undefined;
const handlers = {
  ...answers(sessions, devices, device),
  ...importHandlers({
    ...{ catalogue, imports },
    onProgress: paced((share) => emit('import.progress', { share })),
    onContest: (progress) => emit('import.contest', progress),
    control: () => control,
  }),
};

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

function work(message: ToWorker): Promise<void> {
  switch (message.type) {
    case 'request':
      control = message.control;
      return serve(endpoint, handlers, message.message);
    case 'job':
      return runJob({ sessions, devices, device, emit }, message.name, message.job, message.control);
  }
}

/** What there is to compute on is asked of a window that opens meanwhile: nothing else waits for the answer. */
const standsApart = (message: ToWorker): boolean =>
  message.type === 'request' && message.message.name === 'devices.list';

let turn = Promise.resolve();
parent.on('message', (data: unknown) => {
  const message = readToWorker(data);
  if (standsApart(message)) void work(message);
  else turn = turn.then(() => work(message));
});
