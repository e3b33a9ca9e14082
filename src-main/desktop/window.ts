import { BrowserWindow, nativeTheme } from 'electron';
import { paths } from './paths.ts';
import { origin } from './protocol.ts';

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

/** The app's one window; shown when its first frame is painted. */
export function openWindow(): BrowserWindow {
  const window = new BrowserWindow({
    width: 1440,
    height: 900,
    minWidth: 760,
    minHeight: 520,
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
