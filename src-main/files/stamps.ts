/** By what a file is known again: whether another program has written it since. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { Stamp } from '../contract/keeping.ts';

export function stampOfBytes(bytes: Uint8Array, time: number): Stamp {
  return { size: bytes.length, time, hash: createHash('sha256').update(bytes).digest('hex') };
}

/** What the file holds now; null where there is none. */
export async function stampOf(path: string): Promise<Stamp | null> {
  try {
    const bytes = await readFile(path);
    return stampOfBytes(bytes, (await stat(path)).mtimeMs);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Whether writing over `now` destroys nothing that the writer does not know. A file that is gone is written again. */
export function maySaveOver(known: Stamp | null | undefined, now: Stamp | null): boolean {
  return known === undefined || now === null || known?.hash === now.hash;
}
