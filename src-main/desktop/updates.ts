/**
 * Newer versions. Nobody is asked unless the user turns updates on, and then only by a package that was built with an
 * address to ask (`COTANGENT_FEED`, which electron-builder leaves as app-update.yml). What is loaded is taken only with the
 * signature of the version that runs, and put in place when the app is closed.
 */
import { app } from 'electron';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { note } from '../faults/log.ts';

const everyMilliseconds = 24 * 3600 * 1000;

let timer: NodeJS.Timeout | undefined;

export async function lookForUpdates(wanted: boolean, tell: (message: string) => void): Promise<void> {
  clearInterval(timer);
  if (!wanted || !app.isPackaged || !existsSync(join(process.resourcesPath, 'app-update.yml'))) return;
  const { autoUpdater } = await import('electron-updater');
  autoUpdater.autoInstallOnAppQuit = true;
  autoUpdater.allowDowngrade = false;
  autoUpdater.removeAllListeners();
  autoUpdater.on('error', (error) => note('main', error));
  autoUpdater.on('update-downloaded', ({ version }) =>
    tell(`Version ${version} has been loaded; it is put in place when Cotangent is closed.`),
  );
  const look = (): void => {
    // A place that cannot be reached is in the log, and asked again tomorrow.
    autoUpdater.checkForUpdates().catch((error: unknown) => note('main', error));
  };
  look();
  timer = setInterval(look, everyMilliseconds);
  timer.unref();
}
