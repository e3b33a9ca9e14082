/** What the desktop's main process does about processes that end, hang or meet an error that nobody caught. */
import { app, dialog } from 'electron';
import type { BrowserWindow } from 'electron';
import { catchFaults, faultSentence } from '../faults/catch.ts';
import { note } from '../faults/log.ts';

/** Pages that end so often within so long are not opened again by themselves. */
const quickly = { deaths: 4, milliseconds: 20_000 } as const;

/** `tell` says a sentence in the window. */
export function watchProcesses(tell: (message: string) => void): void {
  catchFaults('main', (message) => tell(faultSentence(message)));
  app.on('child-process-gone', (_event, { type, name, reason, exitCode }) => {
    if (reason !== 'clean-exit') note('main', `${name ?? type} ended: ${reason}, code ${exitCode}`);
  });
}

/** The window comes back with everything, since every edit has been kept; `returned` hears what to say of it then. */
export function watchPage(window: BrowserWindow, returned: (message: string) => void): void {
  let deaths: number[] = [];
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    note('main', `The window's page ended: ${reason}, code ${exitCode}`);
    const now = Date.now();
    deaths = [...deaths.filter((at) => now - at < quickly.milliseconds), now];
    const again = (): void => {
      returned(`The window's page ended (${reason}) and was opened again, with all edits.`);
      window.webContents.reload();
    };
    if (deaths.length < quickly.deaths) again();
    else void askWhetherAgain(window).then((wanted) => (wanted ? again() : app.quit()));
  });
  window.on('unresponsive', () => {
    note('main', 'The window does not answer');
    void askWhetherToWait(window);
  });
}

async function askWhetherAgain(window: BrowserWindow): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'error',
    message: 'The window ends as soon as it is opened.',
    detail: 'All edits are kept and come back at the next start. The logs are in the folder “logs” of the app’s data.',
    buttons: ['Open it again', 'Quit'],
  });
  return response === 0;
}

async function askWhetherToWait(window: BrowserWindow): Promise<void> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    message: 'The window does not answer.',
    detail: 'All edits but those of the last second are kept.',
    buttons: ['Wait', 'Load it again'],
  });
  // What hangs hears nothing of a reload: its process is ended, and it comes back as from a crash.
  if (response === 1 && !window.isDestroyed()) window.webContents.forcefullyCrashRenderer();
}
