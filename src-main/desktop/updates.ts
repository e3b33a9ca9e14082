/**
 * Newer versions. Nobody is asked unless the user turns updates on, and then only by a package that was built with an
 * address to ask (`COTANGENT_FEED`, which electron-builder leaves as app-update.yml), by https alone. What is loaded is taken
 * only with the checksum that was announced there, on Windows and macOS with the signature of the version that runs too, and put
 * in place when the app is closed.
 */
import { app } from 'electron';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { note } from '../faults/log.ts';
import { Refused } from '../refused.ts';
import { createUpdates, demandSafeFeed, type Updates } from './update-feed.ts';

const everyMilliseconds = 24 * 3600 * 1000;

let timer: NodeJS.Timeout | undefined;
let updates: Promise<Updates> | undefined;

async function begin(config: string, tell: (message: string) => void): Promise<Updates> {
  demandSafeFeed(await readFile(config, 'utf8'), process.platform);
  const { autoUpdater } = await import('electron-updater');
  return createUpdates({ updater: autoUpdater, tell, note: (error) => note('main', error) });
}

const config = (): string => join(process.resourcesPath, 'app-update.yml');

/** Whether there is anybody to ask. */
export const hasUpdates = (): boolean => app.isPackaged && existsSync(config());

/** `asked`: the user has just wanted it. Never rejects. */
export async function lookForUpdates(wanted: boolean, tell: (message: string) => void, asked = false): Promise<void> {
  clearInterval(timer);
  if (!wanted) {
    await updates?.then((begun) => begun.stop()).catch(() => undefined);
    return;
  }
  if (!hasUpdates()) return;
  try {
    const begun = await (updates ??= begin(config(), tell));
    timer = setInterval(() => void begun.look(false), everyMilliseconds);
    timer.unref();
    await begun.look(asked);
  } catch (error) {
    updates = undefined;
    note('main', error);
    tell(error instanceof Refused ? error.message : `Newer versions cannot be looked for: ${String(error)}`);
  }
}
