/** Serves `app.*` and `files.*` to a browser page: documents of one folder, and of nowhere else. */
import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Location } from '../contract/contract.ts';
import { fileOf, folderOf, isInside } from '../files/locations.ts';
import { listExamples, readablePath } from '../files/examples.ts';
import { createDesk } from '../files/desk.ts';
import type { PageEnd } from '../files/desk.ts';
import { documentName, hasDocumentExtension, withExtension } from '../files/documents.ts';
import type { Store } from '../files/store.ts';
import { appHandlers } from '../app-handlers.ts';
import { Refused } from '../refused.ts';
import type { Handlers } from '../router.ts';

export interface HostOptions {
  readonly version: string;
  /** Absolute, with links resolved. */
  readonly folder: string;
  readonly catalogue: string;
  readonly licences: string;
  readonly store: Store;
  readonly initial: Location | null;
  readonly page: PageEnd;
  readonly restartEngine: () => void;
}

type HostRequest =
  | `app.${'info' | 'settings' | 'set' | 'fault' | 'licences' | 'logs'}`
  | `files.${'examples' | 'recent' | 'list' | 'open' | 'read' | 'watch' | 'chooseOpen' | 'chooseSave' | 'save' | 'handOver' | 'print'}`
  | `files.${'keep' | 'forget' | 'kept' | 'restore' | 'flushed' | 'backups' | 'backup'}`;

export function hostHandlers(options: HostOptions): Handlers<HostRequest> {
  const { version, folder, catalogue, store, initial, page } = options;
  /** The absolute path of a document inside the folder, also after links are followed. */
  async function inside(path: string): Promise<string> {
    const absolute = resolve(folder, path);
    const real = await realpath(absolute).catch(async () =>
      join(await realpath(dirname(absolute)).catch(() => ''), basename(absolute)),
    );
    if (!isInside(folder, absolute) || !isInside(folder, real) || !hasDocumentExtension(absolute))
      throw new Refused(`${path} lies outside the folder that is served, or is no .json or .cot file.`);
    return absolute;
  }

  const mayHave = (location: Location): Promise<boolean> =>
    location.kind !== 'file'
      ? Promise.resolve(true)
      : inside(location.path).then(
          () => true,
          () => false,
        );
  const desk = createDesk({ store, page, mayHave });

  const pathOf = (location: Location): Promise<string> => readablePath(location, catalogue, inside);

  return {
    ...desk.handlers,
    ...appHandlers(options),
    'app.info': () => ({ version, host: 'browser', platform: process.platform, initial, updates: false }),
    'files.examples': () => listExamples(catalogue),
    'files.recent': async () => (await store.recent()).filter(({ path }) => isInside(folder, path)),
    'files.list': async () => {
      const names = (await readdir(folder)).filter((name) => /\.cot(\.json)?$/.test(name)).sort();
      return names.map((name) => ({ path: join(folder, name), name: documentName(name) }));
    },
    // A browser tells nobody when it closes a page: the page itself keeps what it has.
    'files.flushed': () => ({}),

    async 'files.open'({ location }) {
      const path = await pathOf(location);
      return desk.open(location.kind === 'file' ? { kind: 'file', path } : location, path);
    },
    'files.read': async ({ location }) => desk.read(location, await pathOf(location)),

    // A page has no native dialog: it shows files.list, and takes a name.
    'files.chooseOpen': () => null,
    async 'files.chooseSave'({ suggestion }) {
      return { location: { kind: 'file', path: await inside(withExtension(suggestion)) }, over: null };
    },

    'files.handOver'() {
      throw new Refused('A browser downloads what is taken away.');
    },

    'files.print'() {
      throw new Refused('A browser prints its pages itself.');
    },

    async 'files.save'({ location, from, ...asked }) {
      if (location.kind !== 'file') throw new Refused('Choose a name to save under first.');
      const path = await inside(location.path);
      if (from?.kind === 'file') await inside(from.path);
      // The tables come along from where the document was.
      const tables = from && folderOf(from, catalogue, store.imports);
      return desk.save({ ...asked, path, from: tables, of: fileOf(from) });
    },
  };
}
