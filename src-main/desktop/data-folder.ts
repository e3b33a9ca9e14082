/** Where the app keeps what it remembers, and Chromium what is its own. */
import { app } from 'electron';
import { accessSync, constants, lstatSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Without a folder to write to Chromium does not start: where the user's own cannot be had (a home that may only be read),
 * it is one for temporary files. Gives what is then to be said; undefined where all is as usual. Before the app is ready.
 */
export function findDataFolder(): string | undefined {
  const own = join(app.getPath('appData'), app.getName());
  try {
    mkdirSync(own, { recursive: true });
    accessSync(own, constants.W_OK);
    return undefined;
  } catch {
    const folder = temporaryFolder();
    app.setPath('userData', folder);
    return `The folder ${own} cannot be written: until it can, unsaved edits, backups and settings are in ${folder}, which the system may clear.`;
  }
}

/** The same at every start, so that edits come back, unless somebody else might read or have made it. */
function temporaryFolder(): string {
  // Windows has a folder of temporary files for each user.
  const user = process.getuid?.();
  const folder = join(tmpdir(), user === undefined ? 'cotangent' : `cotangent-${user}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const state = lstatSync(folder);
    if (state.isDirectory() && (user === undefined || (state.uid === user && (state.mode & 0o077) === 0)))
      return folder;
  } catch {
    // As if somebody else had made it.
  }
  return mkdtempSync(join(tmpdir(), 'cotangent-'));
}
