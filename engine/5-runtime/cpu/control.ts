/**
 * The words through which a device's threads agree, in a small memory of their own. The caller leads: it opens one phase
 * after another; whoever is awake enters, takes chunks of items until there are none, and leaves. A worker that comes
 * late finds the phase closed and does no harm, so nobody waits for one to wake up.
 */
import type { MessagePort } from 'node:worker_threads';

export const control = {
  /** Changes with every phase that is opened, and when there is post; sleeping workers wait on it. */
  round: 0,
  /** Whether chunks may be taken, and how many workers are inside. */
  open: 1,
  inside: 2,
  asleep: 3,
  /** The next chunk. */
  next: 4,
  /** Once set, no further chunk is begun. */
  stop: 5,
  job: 6,
  kernel: 7,
  items: 8,
  chunk: 9,
  /** Two words for each thread from here on: what it ended the phase with, and where its own memory begins. */
  threads: 16,
} as const;

export type Control = typeof control;

/** Ends a phase besides a kernel's own status: it has thrown. */
export const CRASHED = 3;

/** A module in a memory, as workers know it. */
export interface Job {
  readonly webAssembly: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  /** The exported functions in the order of their numbers. */
  readonly names: readonly string[];
}

/** What the leader posts. A worker answers only with the message of an error. */
export type ToCpuWorker =
  { readonly kind: 'job'; readonly id: number; readonly job: Job } | { readonly kind: 'forget'; readonly id: number };

export interface CpuWorkerData {
  readonly words: SharedArrayBuffer;
  readonly port: MessagePort;
  readonly control: Control;
  readonly crashed: number;
  readonly stopAt: number;
  /** Its number among the threads; the leader is 0. */
  readonly thread: number;
  /** Looks at the round before it goes to sleep. */
  readonly looks: number;
}
