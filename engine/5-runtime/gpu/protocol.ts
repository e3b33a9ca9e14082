/**
 * What the two halves of a remote GPU say to each other: plain data over a port, each message checked where it arrives.
 * The half with the GPU is a page (a hidden window of the desktop app); the other is the engine's process.
 */
import * as v from 'valibot';
import { DeviceLost, OutOfMemory } from '../../0-ir/errors.ts';

/** A MessagePort of Node or of a page. One of Electron's main process takes a line or two around it. */
export interface GpuPort {
  postMessage(message: unknown): void;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  /** Node's ports and newer pages' tell when the other side has gone. */
  addEventListener?(type: 'close', listener: () => void): void;
  close?(): void;
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const range = v.object({ offset: count, length: count });

/** The calls of `GpuHost`, with their arguments; `open` makes the host. */
const call = v.variant('method', [
  v.object({ method: v.literal('open') }),
  v.object({ method: v.literal('compile'), texts: v.array(v.string()) }),
  v.object({ method: v.literal('allocate'), bytes: count }),
  v.object({ method: v.literal('write'), memory: count, offset: count, words: v.instance(Uint32Array) }),
  v.object({ method: v.literal('setBlocks'), memory: count, blocks: v.instance(Int32Array), blockBytes: count }),
  v.object({
    method: v.literal('submit'),
    memory: count,
    dispatches: v.instance(Int32Array),
    clearFault: v.boolean(),
    reads: v.array(range),
  }),
  v.object({ method: v.literal('free'), memory: count }),
  v.object({ method: v.literal('close') }),
]);
export type GpuCall = v.InferOutput<typeof call>;

export const gpuRequest = v.object({ id: count, call });

const failure = v.object({
  name: v.string(),
  message: v.string(),
  neededBytes: v.optional(v.number()),
  availableBytes: v.optional(v.number()),
});
type Failure = v.InferOutput<typeof failure>;

/** What is said to whoever waits for a window that has died: a port that closes while it is on its way may not tell. */
export const windowGone = { id: 0, error: { name: 'DeviceLost', message: 'the window with the GPU has gone' } };

/** `id` as in the request; 0 is nobody's. */
export const gpuReply = v.union([v.object({ id: count, value: v.unknown() }), v.object({ id: count, error: failure })]);

export const gpuReplyValues = {
  open: v.object({ name: v.string(), software: v.boolean(), maxArenaBytes: v.number() }),
  compile: v.array(count),
  allocate: count,
  submit: v.object({
    fault: v.nullable(v.object({ step: count, element: count })),
    doubt: v.boolean(),
    reads: v.array(v.instance(ArrayBuffer)),
  }),
};

export function toFailure(error: unknown): Failure {
  if (error instanceof OutOfMemory) {
    const { name, message, neededBytes, availableBytes } = error;
    return { name, message, neededBytes, availableBytes };
  }
  return error instanceof Error
    ? { name: error.name, message: error.message }
    : { name: 'Error', message: String(error) };
}

export function fromFailure({ name, message, neededBytes = 0, availableBytes = 0 }: Failure): Error {
  if (name === 'OutOfMemory') return new OutOfMemory(neededBytes, availableBytes);
  if (name !== 'DeviceLost') return new Error(message);
  return new DeviceLost(message, message === windowGone.error.message);
}
