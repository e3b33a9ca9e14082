/** Serves `app.*` and `files.*` to a browser page: documents of one folder, and of nowhere else. */
import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Location } from '../contract.ts';
import { folderOf, isInside } from '../files/locations.ts';
import { examplePath, listExamples } from '../files/examples.ts';
import {
  documentExtension,
  documentName,
  readDocument,
  readFit,
  withExtension,
  writeDocument,
} from '../files/documents.ts';
import type { Store } from '../files/store.ts';
import { bringTables } from '../files/table-files.ts';
import { Refused } from '../refused.ts';
import type { Handlers } from '../router.ts';

export interface HostOptions {
  readonly version: string;
  /** Absolute, with links resolved. */
  readonly folder: string;
  readonly catalogue: string;
  readonly store: Store;
  readonly initial: Location | null;
}

type HostRequest =
  | 'app.info'
  | `files.${'examples' | 'recent' | 'list' | 'open' | 'chooseOpen' | 'chooseSave' | 'save' | 'keep' | 'kept'}`;

export function hostHandlers({ version, folder, catalogue, store, initial }: HostOptions): Handlers<HostRequest> {
  /** The absolute path of a document inside the folder, also after links are followed. */
  async function inside(path: string): Promise<string> {
    const absolute = resolve(folder, path);
    const real = await realpath(absolute).catch(async () =>
      join(await realpath(dirname(absolute)).catch(() => ''), basename(absolute)),
    );
    if (!isInside(folder, absolute) || !isInside(folder, real) || !absolute.endsWith('.json'))
      throw new Refused(`${path} lies outside the folder that is served, or is no .json file.`);
    return absolute;
  }

  return {
    'app.info': () => ({ version, host: 'browser', platform: process.platform, initial }),
    'files.examples': () => listExamples(catalogue),
    'files.recent': async () => (await store.recent()).filter(({ path }) => isInside(folder, path)),
    'files.list': async () => {
      const names = (await readdir(folder)).filter((name) => name.endsWith(documentExtension)).sort();
      return names.map((name) => ({ path: join(folder, name), name: documentName(name) }));
    },
    'files.kept': async () =>
      (await store.kept()).filter(({ location }) => location.kind !== 'file' || isInside(folder, location.path)),

    async 'files.open'({ location }) {
      if (location.kind === 'unsaved') throw new Refused('A document that was never saved cannot be opened.');
      if (location.kind === 'example') {
        const path = examplePath(catalogue, location.name);
        return { location, document: await readDocument(path), fit: await readFit(path) };
      }
      const path = await inside(location.path);
      const document = await readDocument(path);
      await store.addRecent(path);
      return { location: { kind: 'file', path }, document, fit: await readFit(path) };
    },

    // A page has no native dialog: it shows files.list, and takes a name.
    'files.chooseOpen': () => null,
    async 'files.chooseSave'({ suggestion }) {
      return { kind: 'file', path: await inside(withExtension(suggestion)) };
    },

    async 'files.save'({ location, document, fit, from }) {
      if (location.kind !== 'file') throw new Refused('Choose a name to save under first.');
      const path = await inside(location.path);
      if (from?.kind === 'file') await inside(from.path);
      // The tables come along from where the document was.
      await bringTables(document, from && folderOf(from, catalogue, store.imports), dirname(path));
      await writeDocument(path, document, fit);
      await store.addRecent(path);
      return { location: { kind: 'file', path }, savedAt: new Date().toISOString() };
    },

    async 'files.keep'({ location, document }) {
      if (location.kind === 'file') await inside(location.path);
      await store.keep(location, document);
      return {};
    },
  };
}
