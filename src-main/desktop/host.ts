/** Serves `app.*` and `files.*` to the desktop window. */
import { app, dialog } from 'electron';
import type { BrowserWindow } from 'electron';
import { basename, join, resolve } from 'node:path';
import type { Location } from '../contract/contract.ts';
import { createDesk } from '../files/desk.ts';
import type { PageEnd } from '../files/desk.ts';
import { associatedExtensions, documentExtension, withExtension } from '../files/documents.ts';
import { writeWhole } from '../files/durable.ts';
import { listExamples, readablePath } from '../files/examples.ts';
import { documentFolder, fileOf, folderOf } from '../files/locations.ts';
import type { Store } from '../files/store.ts';
import { appHandlers } from '../app-handlers.ts';
import type { Settings } from '../contract/app.ts';
import { Refused } from '../refused.ts';
import type { Handlers } from '../router.ts';
import { paths } from './paths.ts';
import { savePlace } from './save-place.ts';
import { hasUpdates } from './updates.ts';

export interface HostOptions {
  readonly window: BrowserWindow;
  readonly store: Store;
  /** What the page opens first. */
  readonly initial: () => Location | null;
  /** Paths that the page may open and write: the user has chosen them. It grows as more are chosen. */
  readonly chosen: Set<string>;
  /** Lets the engine read beside a document. */
  readonly grant: (folder: string) => Promise<void>;
  readonly page: PageEnd;
  /** What the page says that comes in place of one that crashed, once. */
  readonly told: () => string | undefined;
  readonly restartEngine: () => void;
  readonly changed: (settings: Settings, before: Settings) => void;
  /** The page has kept what it had. */
  readonly flushed: () => void;
}

type HostRequest =
  | `app.${'info' | 'settings' | 'set' | 'fault' | 'licences' | 'logs'}`
  | `files.${'examples' | 'recent' | 'list' | 'open' | 'read' | 'watch' | 'chooseOpen' | 'chooseSave' | 'save' | 'handOver' | 'print'}`
  | `files.${'keep' | 'forget' | 'kept' | 'restore' | 'flushed' | 'backups' | 'backup'}`;

const filters = [{ name: 'Cotangent model', extensions: [documentExtension.slice(1), ...associatedExtensions] }];

export function hostHandlers(options: HostOptions): Handlers<HostRequest> {
  const { window, store, initial, chosen, grant, page, flushed } = options;
  const choose = (path: string): Location => {
    chosen.add(resolve(path));
    return { kind: 'file', path: resolve(path) };
  };

  async function isChosen(path: string): Promise<boolean> {
    return (
      chosen.has(resolve(path)) ||
      (await store.recent()).some((entry) => entry.path === path) ||
      // Only what was chosen is ever kept.
      (await store.copies.kept()).some((copy) => copy.location.kind === 'file' && copy.location.path === path)
    );
  }

  async function demandChosen(path: string): Promise<string> {
    if (!(await isChosen(path))) throw new Refused(`${path} has not been chosen in a dialog.`);
    return resolve(path);
  }

  const mayHave = async (location: Location): Promise<boolean> =>
    location.kind !== 'file' || (await isChosen(location.path));
  const desk = createDesk({ store, page, mayHave });

  /** Where the tables of the document lie before it is saved. */
  async function folderBefore(from: Location | undefined): Promise<string | undefined> {
    if (from?.kind === 'file') await demandChosen(from.path);
    return from && folderOf(from, paths.catalogue, store.imports);
  }

  const pathOf = (location: Location): Promise<string> => readablePath(location, paths.catalogue, demandChosen);

  return {
    ...desk.handlers,
    ...appHandlers({ ...options, licences: paths.licences, version: app.getVersion() }),
    'app.info': () => ({
      ...{ version: app.getVersion(), host: 'desktop', platform: process.platform, initial: initial() },
      updates: hasUpdates(),
      told: options.told(),
    }),
    'files.examples': () => listExamples(paths.catalogue),
    'files.recent': () => store.recent(),
    'files.list': () => [],
    async 'files.restore'(asked) {
      const restored = await desk.handlers['files.restore'](asked);
      if (restored?.location.kind === 'file') {
        choose(restored.location.path);
        await grant(documentFolder(restored.location.path));
      }
      return restored;
    },
    'files.flushed'() {
      flushed();
      return {};
    },

    async 'files.open'({ location }) {
      const path = await pathOf(location);
      if (location.kind !== 'file') return desk.open(location, path);
      const opened = await desk.open({ kind: 'file', path }, path);
      choose(path);
      await grant(documentFolder(path));
      return opened;
    },

    'files.read': async ({ location }) => desk.read(location, await pathOf(location)),

    async 'files.chooseOpen'() {
      const { filePaths } = await dialog.showOpenDialog(window, { properties: ['openFile'], filters });
      return filePaths[0] === undefined ? null : choose(filePaths[0]);
    },

    async 'files.chooseSave'({ suggestion }) {
      const defaultPath = join(app.getPath('documents'), withExtension(suggestion));
      const { filePath } = await dialog.showSaveDialog(window, { defaultPath, filters });
      if (!filePath) return null;
      const { path, over } = await savePlace(filePath, process.platform);
      return { location: choose(path), over };
    },

    async 'files.handOver'({ name, content }) {
      const { filePath } = await dialog.showSaveDialog(window, {
        defaultPath: join(app.getPath('documents'), basename(name)),
        // On Linux nobody is asked otherwise.
        properties: ['showOverwriteConfirmation'],
      });
      if (!filePath) return { written: false };
      await writeWhole(resolve(filePath), content, { chosen: true });
      return { written: true };
    },

    async 'files.print'() {
      const content = await window.webContents.printToPDF({
        ...{ preferCSSPageSize: true, printBackground: true, pageRanges: '1' },
        margins: { top: 0, bottom: 0, left: 0, right: 0 },
      });
      return { content: new Uint8Array(content) };
    },

    async 'files.save'({ location, from, ...asked }) {
      if (location.kind !== 'file') throw new Refused('Choose a file to save under first.');
      const path = await demandChosen(location.path);
      const saved = await desk.save({ ...asked, path, from: await folderBefore(from), of: fileOf(from) });
      await grant(documentFolder(path));
      return saved;
    },
  };
}
