/** Everything that can be run by name: from the palette, a key or the native menu (whose items carry these ids). */
import type { Action } from './action.ts';
import type { App } from './app.svelte.ts';
import type { ExportForm } from './filing.ts';
import type { CanvasActions } from './canvas/canvas-actions.ts';
import { canvasActionsOf } from './canvas/canvas-actions.ts';
import { manyStarts } from './fit/many-starts.ts';
import type { Studio } from './studio.svelte.ts';
import { panelNames } from './window/panels.svelte.ts';

/** What only the views can do: they offer it while they are on screen. */
export interface ViewActions {
  canvas?: CanvasActions;
  chooseData?: () => void;
  /** The fields of what is selected take the focus; of what is new its formula, or its name where the formula is written or there is none. */
  inspect?: (at?: 'first' | 'formula' | 'name') => void;
}

const exports: readonly { readonly id: string; readonly title: string; readonly form: ExportForm }[] = [
  { id: 'file.export.jax', title: 'Export as a JAX module', form: 'jax' },
  { id: 'file.export.futhark', title: 'Export as a Futhark program', form: 'futhark' },
  { id: 'file.export.wgsl', title: 'Export the WebGPU kernels', form: 'wgsl' },
  { id: 'file.export.sbml', title: 'Export as SBML', form: 'sbml' },
  { id: 'file.export.csv', title: 'Export the values as CSV', form: 'csv' },
  { id: 'file.report', title: 'Write a report', form: 'html' },
];

export function actionsOf(app: App, views: ViewActions): Action[] {
  const { studio } = app;
  return [
    ...fitActions(studio),
    ...editActions(studio),
    ...canvasActionsOf(studio, views.canvas),
    ...shownActions(studio),
    ...fileActions(app, views),
    ...helpActions(app),
    ...viewActions(app),
  ];
}

function fitActions(studio: Studio | null): Action[] {
  const running = studio?.fitting.running ?? false;
  const free = studio !== null && !running;
  return [
    {
      id: 'fit.start',
      title: 'Fit',
      icon: 'objective',
      keys: '$mod+Enter',
      enabled: free,
      run: () => studio?.fit(),
    },
    { id: 'fit.stop', title: 'Stop the fit', icon: 'stop', enabled: running, run: () => void studio?.fitting.stop() },
    studio?.fitting.paused
      ? {
          id: 'fit.resume',
          title: 'Resume the fit',
          icon: 'play',
          enabled: true,
          run: () => void studio.fitting.resume(),
        }
      : {
          id: 'fit.pause',
          title: 'Pause the fit',
          icon: 'pause',
          enabled: running,
          run: () => void studio?.fitting.pause(),
        },
    {
      id: 'fit.useValues',
      title: 'Use the fitted values as start values',
      icon: 'parameter',
      enabled: !!studio?.fitting.report && studio.stale.length === 0,
      run: () => studio?.useFittedValues(),
    },
    {
      id: 'fit.starts',
      title: `Try ${manyStarts} starts`,
      icon: 'objective',
      enabled: free,
      run: () => studio?.fit(manyStarts),
    },
  ];
}

function editActions(studio: Studio | null): Action[] {
  const selected = !!studio && (studio.selection.length > 0 || studio.selectedWire !== null);
  return [
    {
      id: 'edit.undo',
      title: studio?.undoText ? `Undo: ${studio.undoText}` : 'Undo',
      icon: 'undo',
      keys: '$mod+z',
      enabled: studio?.undoText !== undefined,
      run: () => studio?.undo(),
    },
    {
      id: 'edit.redo',
      title: studio?.redoText ? `Redo: ${studio.redoText}` : 'Redo',
      icon: 'redo',
      keys: '$mod+Shift+z',
      enabled: studio?.redoText !== undefined,
      run: () => studio?.redo(),
    },
    {
      id: 'edit.delete',
      title: 'Delete the selection',
      icon: 'cross',
      keys: 'Delete',
      enabled: selected,
      run: () => studio?.deleteSelection(),
    },
  ];
}

/** What stands beside the blocks: adjoints in place of values, and the panels of the dock. */
function shownActions(studio: Studio | null): Action[] {
  const open = studio !== null;
  return [
    {
      id: 'canvas.adjoints',
      title: studio?.adjoints.shown ? 'Show values on the wires' : 'Show adjoints on the wires',
      icon: 'adjoint',
      keys: 'd',
      enabled: open,
      run: () => studio?.adjoints.toggle(),
    },
    ...panelNames.map((name): Action => ({
      id: `panel.${name.toLowerCase()}`,
      title: `Show ${name}`,
      icon: 'histogram',
      enabled: open,
      run: () => studio?.panels.show(name),
    })),
  ];
}

function fileActions(app: App, views: ViewActions): Action[] {
  const { studio } = app;
  return [
    { id: 'file.new', title: 'Empty model', icon: 'blank', enabled: true, run: () => app.leave(() => app.create()) },
    {
      id: 'file.open',
      title: 'Open a document',
      icon: 'open',
      keys: '$mod+o',
      enabled: true,
      run: () => void app.chooseOpen(),
    },
    {
      id: 'file.data',
      title: 'Fit my data',
      icon: 'table',
      enabled: !!views.chooseData,
      run: () => views.chooseData?.(),
    },
    {
      id: 'file.save',
      title: 'Save',
      icon: 'save',
      keys: '$mod+s',
      enabled: studio !== null,
      run: () => void app.filing.save(),
    },
    {
      id: 'file.saveAs',
      title: 'Save under another name',
      icon: 'save',
      keys: '$mod+Shift+s',
      enabled: studio !== null,
      run: () => void app.filing.saveAs(),
    },
    {
      id: 'file.backups',
      title: 'Earlier saves',
      icon: 'save',
      enabled: studio?.saving.location.kind === 'file',
      run: () => {
        app.overlay = { kind: 'backups' };
      },
    },
    {
      id: 'file.revert',
      title: 'Revert to what was saved',
      icon: 'undo',
      enabled: studio?.saving.location.kind === 'file' && studio.saving.unsaved,
      run: () => {
        app.overlay = { kind: 'revert' };
      },
    },
    ...exports.map(({ id, title, form }): Action => ({
      id,
      title,
      icon: 'save',
      enabled: studio !== null,
      run: () => void app.filing.exportAs(form),
    })),
  ];
}

function helpActions(app: App): Action[] {
  const { studio } = app;
  return [
    {
      id: 'help.open',
      title: 'Help',
      icon: 'unknown',
      keys: 'F1',
      enabled: true,
      run: () => {
        app.overlay = { kind: 'help', ...(studio?.selected && { topic: `block ${studio.selected.kind}` }) };
      },
    },
    {
      id: 'help.keys',
      title: 'All keys',
      icon: 'unknown',
      keys: 'Shift+?',
      enabled: true,
      run: () => {
        app.overlay = { kind: 'help' };
      },
    },
    { id: 'help.logs', title: 'Collect logs', icon: 'save', enabled: true, run: () => void app.collectLogs() },
    {
      id: 'help.about',
      title: 'About Cotangent, and licences',
      icon: 'book',
      enabled: true,
      run: () => {
        app.overlay = { kind: 'about' };
      },
    },
    { id: 'help.tour', title: 'Take the tour', icon: 'book', enabled: true, run: () => void app.startTour() },
  ];
}

function viewActions(app: App): Action[] {
  return [
    {
      id: 'view.settings',
      title: 'Settings',
      icon: 'parameter',
      keys: '$mod+,',
      enabled: true,
      run: () => {
        app.overlay = { kind: 'settings' };
      },
    },
    { id: 'view.start', title: 'Start panel', icon: 'book', enabled: app.studio !== null, run: () => app.toStart() },
    { id: 'view.theme', title: 'Light or dark', icon: 'theme', enabled: true, run: () => app.toggleTheme() },
    {
      id: 'view.palette',
      title: 'Find or run',
      icon: 'search',
      keys: '$mod+k',
      enabled: true,
      run: () => {
        app.overlay = app.overlay?.kind === 'palette' ? null : { kind: 'palette' };
      },
    },
  ];
}

/** `Ctrl Z`, or `⌘ Z` on a Mac. */
export function keysText(keys: string, mac: boolean): string {
  // The sign itself says that Shift is held.
  if (keys === 'Shift+?') return '?';
  return keys
    .split('+')
    .map((key) => {
      if (key === '$mod') return mac ? '⌘' : 'Ctrl';
      if (key === 'Enter') return '↵';
      if (key === 'Shift') return mac ? '⇧' : 'Shift';
      return key.length === 1 ? key.toUpperCase() : key;
    })
    .join(' ');
}
