/**
 * What passes between the desktop's main process and the engine process, beside the window's own port: ports, folders that
 * may be read, and the life of the GPU window. Each message is checked where it arrives.
 */
import * as v from 'valibot';
import { text } from '../contract/fields.ts';

const id = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** From the main process to the engine. */
const toEngine = v.variant('type', [
  /** With it comes the window's port. */
  v.strictObject({ type: v.literal('connect') }),
  /** The answer to `want-gpu`: with it comes a port to the GPU window. */
  v.strictObject({ type: v.literal('gpu') }),
  /** The GPU window has died: all ports to it are dead. */
  v.strictObject({ type: v.literal('gpu-gone') }),
  v.strictObject({ type: v.literal('grant'), folder: v.pipe(text, v.nonEmpty()), id }),
]);
export type ToEngine = v.InferOutput<typeof toEngine>;

/** From the engine to the main process. */
const fromEngine = v.variant('type', [
  v.strictObject({ type: v.literal('want-gpu') }),
  v.strictObject({ type: v.literal('granted'), id }),
]);
export type FromEngine = v.InferOutput<typeof fromEngine>;

/** Undefined where it is none of these: `fault` is told in one sentence, and both processes go on. */
type Read<T> = (message: unknown, fault: (sentence: string) => void) => T | undefined;

const reader =
  <T>(schema: v.GenericSchema<T>, from: string): Read<T> =>
  (message, fault) => {
    const { success, output, issues } = v.safeParse(schema, message);
    if (success) return output;
    const [{ message: why, path }] = issues;
    const place = path?.map(({ key }) => String(key)).join('.');
    fault(`a message from ${from} was passed over, for it is none of its protocol: ${place ? `${place}: ` : ''}${why}`);
    return undefined;
  };

export const readToEngine: Read<ToEngine> = reader(toEngine, 'the main process');
export const readFromEngine: Read<FromEngine> = reader(fromEngine, 'the engine process');
