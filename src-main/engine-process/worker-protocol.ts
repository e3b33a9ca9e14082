/** What passes between the engine process's thread, which only relays, and the worker threads, which compute. */
import type { MessagePort } from 'node:worker_threads';
import type { Message } from '../contract/contract.ts';
import type { FitJob } from './fit-job.ts';
import type { StudyJob } from './study-job.ts';

export type ToWorker =
  | { readonly type: 'request'; readonly message: Message & { readonly type: 'request' } }
  /** Progress and the end come back as events with this id. Word 0 of `cancel` stops it. */
  | { readonly type: 'fit'; readonly fit: string; readonly job: FitJob; readonly cancel: Int32Array }
  | { readonly type: 'study'; readonly study: string; readonly job: StudyJob; readonly cancel: Int32Array };

/** Replies and refusals to requests, and the events of fits and studies. */
export type FromWorker = Message;

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
