/** Files as a window reads them: whole, and nothing that never ends. */
import { constants, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';

/** What is no file and no folder: a pipe without a writer, or a device, would be read for ever. */
export const noFileCode = 'ENOTREG';

/** As the system would have said it. */
export const systemError = (code: string): Error => Object.assign(new Error(code), { code });

function demandFile(state: Stats): void {
  if (!state.isFile()) throw systemError(state.isDirectory() ? 'EISDIR' : noFileCode);
}

/** Rejects as the system does, and with `noFileCode`. `unlinked`: no link is followed, which may lead anywhere. */
export async function readWhole(path: string, { unlinked = false } = {}): Promise<Buffer> {
  // To open some devices is to begin something.
  demandFile(await stat(path));
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const file = await open(path, O_RDONLY | O_NONBLOCK | (unlinked ? O_NOFOLLOW : 0));
  try {
    // It may be another by now.
    demandFile(await file.stat());
    return await file.readFile();
  } finally {
    await file.close();
  }
}
