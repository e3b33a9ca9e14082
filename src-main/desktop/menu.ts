/** The native menu. What concerns the document is an action of the renderer, sent as an event. */
import { Menu, app, shell } from 'electron';
import type { MenuItemConstructorOptions } from 'electron';

import { paths } from './paths.ts';

type Act = (action: string) => void;

function item(label: string, action: string, accelerator: string | undefined, act: Act): MenuItemConstructorOptions {
  return { label, click: () => act(action), ...(accelerator !== undefined && { accelerator }) };
}

/** `act` is told the id of an action of the renderer: `file.open`, `edit.undo`, … */
export function setMenu(act: Act): void {
  const mac = process.platform === 'darwin';
  app.setAboutPanelOptions({
    applicationName: 'Cotangent',
    applicationVersion: app.getVersion(),
    copyright: 'Copyright © 2026 The Cotangent authors. MIT License; what it contains is listed under Help, Licences.',
  });
  const template: MenuItemConstructorOptions[] = [
    ...(mac ? [{ role: 'appMenu' as const }] : []),
    {
      label: '&File',
      submenu: [
        item('New Model', 'file.new', 'CmdOrCtrl+N', act),
        item('Open…', 'file.open', 'CmdOrCtrl+O', act),
        { type: 'separator' },
        item('Save', 'file.save', 'CmdOrCtrl+S', act),
        item('Save As…', 'file.saveAs', 'CmdOrCtrl+Shift+S', act),
        item('Earlier Saves…', 'file.backups', undefined, act),
        { type: 'separator' },
        {
          label: 'Export As',
          submenu: [
            item('JAX Module…', 'file.export.jax', undefined, act),
            item('Futhark Program…', 'file.export.futhark', undefined, act),
            item('WebGPU Kernels…', 'file.export.wgsl', undefined, act),
            item('Values as CSV…', 'file.export.csv', undefined, act),
          ],
        },
        item('Report…', 'file.report', undefined, act),
        { type: 'separator' },
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
        { label: 'Licences', click: () => void shell.openPath(paths.licences) },
        ...(mac ? [] : [{ role: 'about' as const }]),
      ],
    },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
