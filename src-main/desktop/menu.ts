/** The native menu. What concerns the document is an action of the renderer, sent as an event. */
import { Menu, app, shell } from 'electron';
import type { MenuItemConstructorOptions } from 'electron';
import { copyright } from '../contract/app.ts';

type Act = (action: string) => void;

function item(label: string, action: string, accelerator: string | undefined, act: Act): MenuItemConstructorOptions {
  return { label, click: () => act(action), ...(accelerator !== undefined && { accelerator }) };
}

export interface MenuOptions {
  /** Is told the id of an action of the renderer: `file.open`, `edit.undo`, … */
  readonly act: Act;
  /** A recent document was chosen. */
  readonly open: (path: string) => void;
  readonly recent: () => Promise<readonly RecentFile[]>;
  /** The folder of the logs. */
  readonly logs: string;
}

interface RecentFile {
  readonly path: string;
  readonly name: string;
}

/** `refresh` takes up what was opened since. */
export function createMenu(options: MenuOptions): { readonly refresh: () => Promise<void> } {
  app.setAboutPanelOptions({
    applicationName: 'Cotangent',
    applicationVersion: app.getVersion(),
    copyright: `${copyright}; what it contains is listed under Help, Licences.`,
  });
  let shown: string | undefined;
  let asked = 0;
  return {
    async refresh() {
      const turn = ++asked;
      const recent = await options.recent();
      // Who asked later knows more.
      if (turn !== asked) return;
      const listed = JSON.stringify(recent);
      // A menu that is open is not taken away for nothing.
      if (listed === shown) return;
      shown = listed;
      Menu.setApplicationMenu(Menu.buildFromTemplate(template(options, recent)));
    },
  };
}

/** As a Mac has it: About and Settings under the app's own name. */
function appMenu(act: Act): MenuItemConstructorOptions {
  return {
    role: 'appMenu',
    submenu: [
      { role: 'about' },
      { type: 'separator' },
      item('Settings…', 'view.settings', 'Cmd+,', act),
      { type: 'separator' },
      { role: 'services' },
      { type: 'separator' },
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      { type: 'separator' },
      { role: 'quit' },
    ],
  };
}

function recentMenu(recent: readonly RecentFile[], open: (path: string) => void): MenuItemConstructorOptions {
  const items = recent.map(({ name, path }) => ({ label: name, toolTip: path, click: () => open(path) }));
  return { label: 'Open Recent', enabled: items.length > 0, submenu: items };
}

function template({ act, open, logs }: MenuOptions, recent: readonly RecentFile[]): MenuItemConstructorOptions[] {
  const mac = process.platform === 'darwin';
  return [
    ...(mac ? [appMenu(act)] : []),
    {
      label: '&File',
      submenu: [
        item('New Model', 'file.new', 'CmdOrCtrl+N', act),
        item('Open…', 'file.open', 'CmdOrCtrl+O', act),
        recentMenu(recent, open),
        { type: 'separator' },
        item('Save', 'file.save', 'CmdOrCtrl+S', act),
        item('Save As…', 'file.saveAs', 'CmdOrCtrl+Shift+S', act),
        item('Revert to Saved', 'file.revert', undefined, act),
        item('Earlier Saves…', 'file.backups', undefined, act),
        { type: 'separator' },
        {
          label: 'Export As',
          submenu: [
            item('JAX Module…', 'file.export.jax', undefined, act),
            item('Futhark Program…', 'file.export.futhark', undefined, act),
            item('WebGPU Kernels…', 'file.export.wgsl', undefined, act),
            item('SBML Model…', 'file.export.sbml', undefined, act),
            item('Values as CSV…', 'file.export.csv', undefined, act),
          ],
        },
        item('Report…', 'file.report', undefined, act),
        { type: 'separator' },
        ...(mac ? [] : [item('Settings…', 'view.settings', 'Ctrl+,', act), { type: 'separator' as const }]),
        mac ? { role: 'close' } : { role: 'quit' },
      ],
    },
    {
      label: '&Edit',
      submenu: [
        item('Undo', 'edit.undo', 'CmdOrCtrl+Z', act),
        item('Redo', 'edit.redo', mac ? 'Cmd+Shift+Z' : 'Ctrl+Y', act),
        { type: 'separator' },
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'selectAll' },
      ],
    },
    {
      label: '&Model',
      submenu: [item('Fit', 'fit.start', 'CmdOrCtrl+Return', act), item('Stop', 'fit.stop', undefined, act)],
    },
    {
      label: '&View',
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
        ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' as const }]),
      ],
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      label: '&Help',
      submenu: [
        item('Blocks and Methods', 'help.open', 'F1', act),
        item('Keyboard Shortcuts', 'help.keys', undefined, act),
        item('Take the Tour', 'help.tour', undefined, act),
        { type: 'separator' },
        item('Licences', 'help.about', undefined, act),
        item('Collect Logs…', 'help.logs', undefined, act),
        { label: 'Show Logs', click: () => void shell.openPath(logs) },
        ...(mac ? [] : [{ role: 'about' as const }]),
      ],
    },
  ];
}
