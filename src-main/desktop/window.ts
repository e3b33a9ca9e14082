import { BrowserWindow, nativeTheme, screen } from 'electron';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder, writeWhole } from '../files/durable.ts';
import { paths } from './paths.ts';
import { origin } from './protocol.ts';
import { boundsFor, leastSize, readWindowState } from './window-state.ts';
import type { WindowState } from './window-state.ts';

/** The title bar's height and colours as the design tokens have them: `window` and `ink-2`. */
const titleBarHeight = 40;
const overlayColours = {
  light: { color: '#f3f3f0', symbolColor: '#4d5257' },
  dark: { color: '#141618', symbolColor: '#b4bac0' },
};

function overlay(): { color: string; symbolColor: string; height: number } {
  // One pixel is the line below the bar.
  return { ...overlayColours[nativeTheme.shouldUseDarkColors ? 'dark' : 'light'], height: titleBarHeight - 1 };
}

/** Moved and sized in many steps: what it comes to is written. */
const restMilliseconds = 500;

/** The window's place is written to `file` as it changes, so that a crash forgets it no more than closing does. */
function rememberPlace(window: BrowserWindow, file: string): void {
  let timer: NodeJS.Timeout | undefined;
  const write = (): void => {
    clearTimeout(timer);
    if (window.isDestroyed() || window.isMinimized()) return;
    const state: WindowState = {
      bounds: window.getNormalBounds(),
      maximized: window.isMaximized(),
      fullScreen: window.isFullScreen(),
    };
    // Where it cannot be written the window opens where it did before.
    makeFolder(dirname(file))
      .then(() => writeWhole(file, JSON.stringify(state)))
      .catch((error: unknown) => console.error(error));
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(write, restMilliseconds);
  };
  window.on('resize', soon);
  window.on('move', soon);
  for (const change of ['maximize', 'unmaximize', 'enter-full-screen', 'leave-full-screen'] as const)
    window.on(change as 'maximize', soon);
  window.on('close', write);
}

function keptPlace(file: string): WindowState | null {
  try {
    return readWindowState(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** The app's one window, where it was when `file` was written; shown when its first frame is painted. */
export function openWindow(file: string): BrowserWindow {
  const place = keptPlace(file);
  const window = new BrowserWindow({
    ...boundsFor(
      place,
      screen.getAllDisplays().map(({ workArea }) => workArea),
    ),
    minWidth: leastSize.width,
    minHeight: leastSize.height,
    show: false,
    title: 'Cotangent',
    titleBarStyle: 'hidden',
    titleBarOverlay: overlay(),
    trafficLightPosition: { x: 12, y: 13 },
    backgroundColor: overlay().color,
    webPreferences: {
      preload: paths.preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      spellcheck: false,
    },
  });
  if (place?.maximized) window.maximize();
  if (place?.fullScreen) window.setFullScreen(true);
  rememberPlace(window, file);
  window.once('ready-to-show', () => window.show());
  const repaint = (): void => {
    window.setBackgroundColor(overlay().color);
    if (process.platform !== 'darwin') window.setTitleBarOverlay(overlay());
  };
  nativeTheme.on('updated', repaint);
  window.on('closed', () => nativeTheme.off('updated', repaint));
  void window.loadURL(`${origin}/index.html`);
  return window;
}
