/** Files as a window reads them: whole, and nothing that never ends. */
import { constants, type Stats } from 'node:fs';
import { open, readFile, stat, type FileHandle } from 'node:fs/promises';
import * as v from 'valibot';

/** What is no file and no folder: a pipe without a writer, or a device, would be read for ever. */
export const noFileCode = 'ENOTREG';

/** As the system would have said it. */
export const systemError = (code: string): Error => Object.assign(new Error(code), { code });

function demandFile(state: Stats): void {
  if (!state.isFile()) throw systemError(state.isDirectory() ? 'EISDIR' : noFileCode);
}

/** Rejects as the system does, and with `noFileCode`. `unlinked`: no link is followed, which may lead anywhere. */
export const readWhole = (path: string, { unlinked = false } = {}): Promise<Buffer> =>
  opened(path, unlinked, (file) => file.readFile());

/** The same of its first bytes, and no link is followed. */
export const readBeginning = (path: string, bytes: number): Promise<Buffer> =>
  opened(path, true, async (file) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  });

async function opened<T>(path: string, unlinked: boolean, read: (file: FileHandle) => Promise<T>): Promise<T> {
  // To open some devices is to begin something.
  demandFile(await stat(path));
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const file = await open(path, O_RDONLY | O_NONBLOCK | (unlinked ? O_NOFOLLOW : 0));
  try {
    // It may be another by now.
    demandFile(await file.stat());
    return await read(file);
  } finally {
    await file.close();
  }
}

/** What cannot be read (absent, half of another version, no JSON) is as if it were not there. */
export async function readParsed<S extends v.GenericSchema>(schema: S, path: string): Promise<v.InferOutput<S> | null> {
  try {
    const parsed = v.safeParse(schema, JSON.parse(await readFile(path, 'utf8')));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}
