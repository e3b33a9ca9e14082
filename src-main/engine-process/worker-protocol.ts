/**
 * What passes between the engine process's thread, which only relays, and the worker threads, which compute. Each message is
 * checked where it arrives; what a request, a reply or an event holds, by who answers or asked (router.ts, client.ts).
 */
import type { MessagePort } from 'node:worker_threads';
import * as v from 'valibot';
import { type EventName, events, type Message, problem } from '../contract/contract.ts';
import { text } from '../contract/fields.ts';
import { requestMessage } from '../router.ts';
import { job } from './job.ts';

const control = v.custom<Int32Array>((value) => value instanceof Int32Array);

const toWorker = v.variant('type', [
  /** `control` rules what may be long (job-control.ts). */
  v.object({ type: v.literal('request'), message: requestMessage, control: v.exactOptional(control) }),
  /** Progress and the end come back as events with this name. `control` rules it (job-control.ts). */
  v.object({
    type: v.literal('job'),
    name: text,
    job,
    control,
  }),
]);
export type ToWorker = v.InferOutput<typeof toWorker>;

/** Replies and refusals to requests, and the events of jobs. */
const fromWorker = v.variant('type', [
  v.object({ type: v.literal('packed'), id: v.number(), frame: v.instance(Uint8Array) }),
  v.object({ type: v.literal('refusal'), id: v.number(), message: text, problems: v.exactOptional(v.array(problem)) }),
  v.object({ type: v.literal('event'), name: v.picklist(Object.keys(events) as EventName[]), body: v.unknown() }),
]);
export type FromWorker = Exclude<Message, { readonly type: 'request' | 'reply' }>;

/** Both throw where the message is none: a fault of ours. */
export function readToWorker(message: unknown): ToWorker {
  return v.parse(toWorker, message);
}

export function readFromWorker(message: unknown): FromWorker {
  v.assert(fromWorker, message);
  return message;
}

export interface WorkerSettings {
  /** The folder of the example documents. */
  readonly catalogue: string;
  /** The folder of tables of documents that were never saved; absent on the command line, which has none. */
  readonly imports?: string;
  /**
   * Where ways to the window that runs plans on the GPU are asked for: each message is answered by one with a port. Absent
   * in Node, which has WebGPU of its own.
   */
  readonly gpu?: MessagePort;
}
