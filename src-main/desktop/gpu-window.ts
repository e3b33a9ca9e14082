/** The hidden window whose page runs plans on Chromium's WebGPU. It is opened when a worker first asks for it. */
import { BrowserWindow, ipcMain } from 'electron';
import type { IpcMainEvent, MessagePortMain } from 'electron';
import { paths } from './paths.ts';
import { origin } from './protocol.ts';
import { isFrom } from './security.ts';

export interface GpuWindow {
  join(port: MessagePortMain): void;
  close(): void;
}

/** `died` hears when the window has gone, and with it all ports that were joined. */
export function createGpuWindow(died: (reason: string) => void): GpuWindow {
  let window: BrowserWindow | undefined;
  let listens = false;
  let waiting: MessagePortMain[] = [];
  let ended = false;

  function lose(lost: BrowserWindow, reason: string): void {
    if (window !== lost) return;
    window = undefined;
    listens = false;
    for (const port of waiting) port.close();
    waiting = [];
    died(reason);
  }

  function open(): BrowserWindow {
    const opened = new BrowserWindow({
      show: false,
      webPreferences: {
        preload: paths.gpuPreload,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        // A hidden page's timers and frames would otherwise be slowed down.
        backgroundThrottling: false,
      },
    });
    // Quitting closes every window, and the app's own first keeps what it has: until it has gone nothing is at an end.
    opened.on('close', (event) => {
      if (!ended && BrowserWindow.getAllWindows().length > 1) event.preventDefault();
    });
    const forget = (): void => lose(opened, 'it was closed');
    opened.on('closed', forget);
    // The next that asks gets a new window. Not every port of a crashed page tells that it has closed.
    opened.webContents.on('render-process-gone', (_event, { reason }) => {
      lose(opened, reason);
      opened.destroy();
    });
    void opened.loadURL(`${origin}/gpu.html`).catch(forget);
    return opened;
  }

  const connect = (event: IpcMainEvent): void => {
    if (!window || !isFrom(window.webContents, event)) return;
    listens = true;
    for (const port of waiting) window.webContents.postMessage('port', null, [port]);
    waiting = [];
  };
  ipcMain.on('connect', connect);

  return {
    join(port) {
      // One that asks while the app ends would keep it from ending.
      if (ended) return port.close();
      // A worker may hear of a crash before this process does.
      if (window?.webContents.isCrashed()) lose(window, 'crashed');
      window ??= open();
      if (listens) window.webContents.postMessage('port', null, [port]);
      else waiting.push(port);
    },
    close() {
      ended = true;
      ipcMain.off('connect', connect);
      const last = window;
      window = undefined;
      last?.destroy();
    },
  };
}
