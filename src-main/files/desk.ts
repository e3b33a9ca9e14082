/**
 * What one page has open, for both hosts: reading and saving with a look at who else writes the file, and the copies of
 * unsaved work. Which paths a page may name is the host's to say, before it comes here.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { printDocument } from '../../models/format/print.ts';
import type { FitReport, Held, Location, Opened, RequestOutput } from '../contract/contract.ts';
import type { KeptCopy, Stamp } from '../contract/keeping.ts';
import type { StoredStudies } from '../contract/stored-studies.ts';
import type { Emit } from '../contract/endpoint.ts';
import { Refused } from '../refused.ts';
import type { Handlers } from '../router.ts';
import { parseDocument, readFit, readStamped, WithoutBeside, writeDocument } from './documents.ts';
import type { RawDocument } from './documents.ts';
import { documentFolder, isInside, isSamePlace } from './locations.ts';
import { fitPath, studiesPath } from './side-files.ts';
import { maySaveOver, metAt, type Met } from './stamps.ts';
import type { Store } from './store.ts';
import { laterOfBoth, readStudies, studiesMark } from './study-files.ts';
import { bringTables } from './table-files.ts';
import { createFileWatch, createWatch } from './watch.ts';
import { asWriteFailure } from './write-failure.ts';

/** A page's end of a connection. */
export interface PageEnd {
  readonly emit: Emit;
  /** `call` is called once the connection has ended. */
  readonly onEnd: (call: () => void) => void;
}

export interface SaveAsked {
  readonly path: string;
  readonly document: RawDocument;
  readonly fit: FitReport | null;
  /** Of the objective; null where it is not known, undefined where nobody says. */
  readonly meaning?: string | null | undefined;
  readonly studies?: StoredStudies | undefined;
  /** Where its tables lie; undefined where they stay. */
  readonly from: string | undefined;
  /** The file from which it is saved under another name, and beyond whose permissions that one has none. */
  readonly of?: string | undefined;
  readonly over?: Stamp | null | undefined;
}

export interface Desk {
  readonly handlers: Pick<
    Handlers,
    `files.${'watch' | 'watchTables' | 'keep' | 'keepRuns' | 'forget' | 'release' | 'kept' | 'restore' | 'backups' | 'backup'}`
  >;
  /** Of a file or an example at `path`. Who has it open then asks for the watch. */
  open(location: Location, path: string): Promise<Opened>;
  /** The same, and nothing is remembered. */
  read(location: Location, path: string): Promise<Held>;
  save(asked: SaveAsked): Promise<RequestOutput<'files.save'>>;
}

/** Whether a fit that lies beside a document of this meaning may be its own. */
const mayStay =
  (meaning: string | null | undefined) =>
  (fit: FitReport): boolean =>
    meaning === null || (meaning !== undefined && meaning === fit.meaning);

export function sameDocument(a: Location, b: Location): boolean {
  if (a.kind === 'file') return b.kind === 'file' && isSamePlace(a.path, b.path);
  return a.kind === 'example' && b.kind === 'example' && a.name === b.name;
}

/** What is to be written over is not what the writer knows. */
class ChangedMeanwhile extends Error {
  constructor(readonly stamp: Stamp) {
    super('changed meanwhile');
  }
}

interface Saved {
  readonly written: Met;
  /** Why its fit, and why its studies, are not beside it. */
  readonly without?: string;
  readonly withoutStudies?: string;
}

async function savedWith(writing: Promise<Met>): Promise<Saved> {
  try {
    return { written: await writing };
  } catch (error) {
    if (!(error instanceof WithoutBeside)) throw error;
    const { fit, studies } = error.why;
    return {
      written: error.written,
      ...(fit && { without: fit.message }),
      ...(studies && { withoutStudies: studies.message }),
    };
  }
}

export interface DeskOptions {
  readonly store: Store;
  readonly page: PageEnd;
  /** Whether a document may be this page's: to keep its edits, and to have kept ones. */
  readonly mayHave: (location: Location) => boolean | Promise<boolean>;
}

async function studiesBeside(path: string, { hash }: Stamp): Promise<Pick<Held, 'studies' | 'unread'>> {
  try {
    const studies = await readStudies(path, hash);
    return studies ? { studies } : {};
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { unread: error.message };
  }
}

export function createDesk({ store, page, mayHave }: DeskOptions): Desk {
  const { copies } = store;
  const watch = createWatch((path, stamp) => page.emit('files.changed', { location: { kind: 'file', path }, stamp }));
  let watched: Location | undefined;
  const tables = createFileWatch(() => watched && page.emit('files.tables', { location: watched }));
  let open: string | undefined;
  /** What studies found beside documents, as it was when this page last read or wrote it. */
  const marks = new Map<string, string | undefined>();
  const beside = createFileWatch(() => {
    if (open === undefined) return;
    const [fit, studies] = [fitPath(open), studiesPath(open)].map((path) => existsSync(path)) as [boolean, boolean];
    page.emit('files.beside', { location: { kind: 'file', path: open }, fit, studies });
  });
  page.onEnd(() => {
    watch.end();
    beside.end();
    tables.end();
    void copies.leave(page);
  });

  const demand = async (location: Location): Promise<void> => {
    if (!(await mayHave(location))) throw new Refused('This document lies outside what was opened.');
  };

  async function kept(): Promise<KeptCopy[]> {
    const all = await copies.kept();
    const mine = await Promise.all(all.map(async ({ location }) => mayHave(location)));
    return all.filter((_, i) => mine[i]);
  }

  /** A save is one without its backup too: why there is none, where that is so. */
  const backUp = (path: string, { bytes, stamp }: Met): Promise<string | undefined> =>
    store.backups.keep(path, bytes, new Date(stamp.time)).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );

  /** What there is to write over; throws `Refused` where it is no file. */
  const thereAt = (path: string): Promise<Met | null> =>
    metAt(path).catch((error: unknown) => {
      throw asWriteFailure(error, path, 'untouched');
    });

  /** A document is opened and saved without its place in the list too. */
  const remember = (path: string): Promise<void> =>
    store.addRecent(path).catch((error: unknown) => console.error(error));

  async function read(location: Location, path: string): Promise<Held> {
    const { document, stamp } = await readStamped(path);
    if (location.kind === 'file') marks.set(path, studiesMark(path));
    const studied = await studiesBeside(path, stamp);
    return { document, fit: await readFit(path), ...studied, stamp: location.kind === 'file' ? stamp : null };
  }

  /** What is to be written, with what another window has found of the document that is open, and written since. */
  async function withOthers(
    { path, document, studies }: SaveAsked,
    before: Met | null,
  ): Promise<StoredStudies | undefined> {
    const isKnown = marks.has(path) && marks.get(path) === studiesMark(path);
    if (!studies || path !== open || !before || isKnown) return studies;
    const { studies: others } = await studiesBeside(path, before.stamp);
    if (!others) return studies;
    const text = Buffer.from(before.bytes).toString('utf8');
    const same = text === printDocument(document);
    return laterOfBoth(studies, others, same ? undefined : parseDocument(text, path));
  }

  return {
    read,
    handlers: {
      async 'files.watch'({ location, stamp }) {
        await demand(location);
        if (location.kind !== 'file') return {};
        watch.follow(location.path, stamp);
        open = location.path;
        beside.follow([fitPath(open), studiesPath(open)]);
        return {};
      },
      async 'files.watchTables'({ location, files }) {
        await demand(location);
        if (location.kind !== 'file') return {};
        watched = location;
        const folder = documentFolder(location.path);
        tables.follow(files.map((file) => resolve(folder, file)).filter((file) => isInside(folder, file)));
        return {};
      },
      async 'files.backups'({ location }) {
        await demand(location);
        return location.kind === 'file' ? store.backups.list(location.path) : [];
      },
      async 'files.backup'({ location, backup }) {
        await demand(location);
        if (location.kind !== 'file') throw new Refused('There are backups of files alone.');
        return { document: parseDocument(await store.backups.read(location.path, backup), 'The backup') };
      },
      async 'files.keep'({ copy, about, from, entries }) {
        await demand(about.location);
        return { kept: await copies.keep(page, copy, about, from, entries) };
      },
      async 'files.keepRuns'({ location, runs, over }) {
        await demand(location);
        if (location.kind !== 'file') throw new Refused('Runs are kept of files alone.');
        return store.runs.keep(location.path, runs, over);
      },
      async 'files.forget'({ copy }) {
        await copies.forget(copy);
        return {};
      },
      async 'files.release'({ copy }) {
        await copies.release(page, copy);
        return {};
      },
      'files.kept': kept,
      async 'files.restore'({ copy }) {
        const location = await copies.locationOf(copy);
        if (location) await demand(location);
        const taken = await copies.take(page, copy);
        return taken && { ...taken, entries: [...taken.entries] };
      },
    },

    async open(location, path) {
      const held = await read(location, path);
      const isFile = location.kind === 'file';
      if (isFile) await remember(path);
      const runs = isFile ? await store.runs.read(path) : undefined;
      const mine = (await kept()).filter((copy) => copy.machine === undefined && sameDocument(copy.location, location));
      const damaged = mine.find((copy) => copy.damaged?.readable === false);
      return {
        location,
        ...held,
        ...(runs !== undefined && { runs }),
        kept: mine.find((copy) => copy.damaged?.readable !== false) ?? null,
        ...(damaged && { damaged }),
        elsewhere: isFile && (await copies.isOpenElsewhere(page, location)),
      };
    },

    async save(asked) {
      const { path, document, fit, meaning, from, of, over } = asked;
      const demandKnown = async (): Promise<Met | null> => {
        const now = await thereAt(path);
        if (now && !maySaveOver(over, now.stamp)) throw new ChangedMeanwhile(now.stamp);
        return now;
      };
      try {
        const before = await demandKnown();
        await bringTables(document, from, documentFolder(path));
        // What another program wrote is kept as well, and what was there before the first save.
        if (before) await backUp(path, before);
        const saved = await watch.during(async () => {
          // Once more: to write and flush a large document takes its time.
          const ready = async () => void (await demandKnown());
          const studies = await withOthers(asked, before);
          const done = await savedWith(
            writeDocument(path, document, fit, { studies, ready, mayStay: mayStay(meaning), of }),
          );
          watch.follow(path, done.written.stamp);
          if (studies && done.withoutStudies === undefined) marks.set(path, studiesMark(path));
          return done;
        });
        const { written, ...without } = saved;
        const withoutBackup = await backUp(path, written);
        await remember(path);
        const savedAt = new Date(written.stamp.time).toISOString();
        return {
          location: { kind: 'file', path },
          savedAt,
          stamp: written.stamp,
          ...without,
          ...(withoutBackup !== undefined && { withoutBackup }),
        };
      } catch (error) {
        if (error instanceof ChangedMeanwhile) return { changed: error.stamp };
        throw error;
      }
    },
  };
}
