/** By what a file is known again: whether another program has written it since. */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { Stamp } from '../contract/keeping.ts';
import { readWhole } from './reading.ts';
import { codeOf } from './write-failure.ts';

/** `time`: in milliseconds, when it was changed. */
export function stampOfBytes(bytes: Uint8Array, time: number): Stamp {
  return { size: bytes.length, time, hash: createHash('sha256').update(bytes).digest('hex') };
}

export interface Met {
  readonly bytes: Uint8Array;
  readonly stamp: Stamp;
}

/** What the file holds now. */
export async function readMet(path: string): Promise<Met> {
  const bytes = await readWhole(path);
  return { bytes, stamp: stampOfBytes(bytes, (await stat(path)).mtimeMs) };
}

/** The same, or null where there is none. */
export async function metAt(path: string): Promise<Met | null> {
  try {
    return await readMet(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Whether writing over `now` destroys nothing that the writer does not know. A file that is gone is written again. */
export function maySaveOver(known: Stamp | null | undefined, now: Stamp | null): boolean {
  return known === undefined || now === null || known?.hash === now.hash;
}
