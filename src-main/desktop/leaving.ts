/** Before the window goes or the machine sleeps, the page keeps what it has not kept yet. */
import { app, dialog, powerMonitor } from 'electron';
import type { BrowserWindow } from 'electron';

export interface Leaving {
  /** From now on this window waits for its page before it closes. */
  watch(window: BrowserWindow): void;
  /** The page has kept it all. */
  readonly flushed: () => void;
}

/** A page that does not answer has crashed or hangs: what it kept until then is there. */
const patienceMilliseconds = 2000;

/** Whether the user would rather lose them. What has to be answered at once, Electron asks before anything else goes on. */
function losesEdits(window: BrowserWindow): boolean {
  const answer = dialog.showMessageBoxSync(window, {
    type: 'warning',
    message: 'The last edits are kept nowhere and would be lost.',
    detail: 'The window says below why they cannot be kept. Stay to save them, or to make room for them.',
    buttons: ['Stay', 'Lose them'],
    defaultId: 0,
    cancelId: 0,
  });
  return answer === 1;
}

/** `ask` makes the page keep what it has; it answers with `flushed`. `quit` ends the app, its page having kept all. */
export function createLeaving(ask: () => void, quit: () => void): Leaving {
  let answered: () => void = () => undefined;
  /** The window that waits no longer: its page has answered, or has had its time. */
  let ready: BrowserWindow | null = null;

  function flush(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, patienceMilliseconds);
      answered = () => {
        clearTimeout(timer);
        resolve();
      };
      ask();
    });
  }

  // Electron gives these no time to wait; every edit has been kept within a second in any case.
  for (const sign of ['suspend', 'lock-screen', 'shutdown'] as const) powerMonitor.on(sign as 'suspend', ask);

  return {
    watch(window) {
      let quitting = false;
      const noted = (): void => void (quitting = true);
      app.on('before-quit', noted);
      window.on('closed', () => app.off('before-quit', noted));
      window.on('session-end', ask);
      // The page has edits that it could not keep (a full disk), and would be gone with them.
      window.webContents.on('will-prevent-unload', (event) => {
        ready = null;
        quitting = false;
        if (losesEdits(window)) event.preventDefault();
      });
      window.on('close', (event) => {
        if (ready === window || window.webContents.isCrashed()) return;
        event.preventDefault();
        void flush().then(() => {
          ready = window;
          // What was begun by quitting ended with the window that did not close at once.
          if (quitting) quit();
          else window.close();
        });
      });
    },
    flushed: () => answered(),
  };
}
