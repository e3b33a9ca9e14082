/** Serves `app.*` and `files.*` to the desktop window. */
import { app, dialog } from 'electron';
import type { BrowserWindow } from 'electron';
import { dirname, join, resolve } from 'node:path';
import type { Location } from '../contract.ts';
import { examplePath, listExamples } from '../files/examples.ts';
import { documentExtension, readDocument, readFit, withExtension, writeDocument } from '../files/documents.ts';
import { folderOf } from '../files/locations.ts';
import type { Store } from '../files/store.ts';
import { bringTables } from '../files/table-files.ts';
import { Refused } from '../refused.ts';
import type { Handlers } from '../router.ts';
import { paths } from './paths.ts';

export interface HostOptions {
  readonly window: BrowserWindow;
  readonly store: Store;
  /** What the page opens first. */
  readonly initial: () => Location | null;
  /** Paths that the page may open and write: the user has chosen them. It grows as more are chosen. */
  readonly chosen: Set<string>;
  /** Lets the engine read beside a document. */
  readonly grant: (folder: string) => Promise<void>;
}

type HostRequest =
  | 'app.info'
  | `files.${'examples' | 'recent' | 'list' | 'open' | 'chooseOpen' | 'chooseSave' | 'save' | 'keep' | 'kept'}`;

const filters = [{ name: 'Cotangent model', extensions: [documentExtension.slice(1), 'json'] }];

export function hostHandlers({ window, store, initial, chosen, grant }: HostOptions): Handlers<HostRequest> {
  const choose = (path: string): Location => {
    chosen.add(resolve(path));
    return { kind: 'file', path: resolve(path) };
  };

  async function demandChosen(path: string): Promise<string> {
    const known =
      chosen.has(resolve(path)) ||
      (await store.recent()).some((entry) => entry.path === path) ||
      (await store.kept()).some((copy) => copy.location.kind === 'file' && copy.location.path === path);
    if (!known) throw new Refused(`${path} has not been chosen in a dialog.`);
    return resolve(path);
  }

  /** Where the tables of the document lie before it is saved. */
  async function folderBefore(from: Location | undefined): Promise<string | undefined> {
    if (from?.kind === 'file') await demandChosen(from.path);
    return from && folderOf(from, paths.catalogue, store.imports);
  }

  return {
    'app.info': () => ({ version: app.getVersion(), host: 'desktop', platform: process.platform, initial: initial() }),
    'files.examples': () => listExamples(paths.catalogue),
    'files.recent': () => store.recent(),
    'files.list': () => [],
    'files.kept': async () => {
      const copies = await store.kept();
      for (const copy of copies) if (copy.location.kind === 'file') await grant(dirname(copy.location.path));
      return copies;
    },

    async 'files.open'({ location }) {
      if (location.kind === 'unsaved') throw new Refused('A document that was never saved cannot be opened.');
      const path =
        location.kind === 'example' ? examplePath(paths.catalogue, location.name) : await demandChosen(location.path);
      const document = await readDocument(path);
      if (location.kind === 'file') {
        choose(path);
        await grant(dirname(path));
        await store.addRecent(path);
      }
      return {
        location: location.kind === 'file' ? { ...location, path } : location,
        document,
        fit: await readFit(path),
      };
    },

    async 'files.chooseOpen'() {
      const { filePaths } = await dialog.showOpenDialog(window, { properties: ['openFile'], filters });
      return filePaths[0] === undefined ? null : choose(filePaths[0]);
    },

    async 'files.chooseSave'({ suggestion }) {
      const defaultPath = join(app.getPath('documents'), withExtension(suggestion));
      const { filePath } = await dialog.showSaveDialog(window, { defaultPath, filters });
      return filePath ? choose(withExtension(filePath)) : null;
    },

    async 'files.save'({ location, document, fit, from }) {
      if (location.kind !== 'file') throw new Refused('Choose a file to save under first.');
      const path = await demandChosen(location.path);
      await bringTables(document, await folderBefore(from), dirname(path));
      await writeDocument(path, document, fit);
      await grant(dirname(path));
      await store.addRecent(path);
      return { location: { kind: 'file', path }, savedAt: new Date().toISOString() };
    },

    async 'files.keep'({ location, document }) {
      await store.keep(location, document);
      return {};
    },
  };
}
