/** The copies of what is being edited, each a journal in a file of its own that is only added to. */
import { randomUUID } from 'node:crypto';
import type { AboutCopy, KeptCopy, Location } from '../contract/keeping.ts';
import { Refused } from '../refused.ts';
import type { Chain, Journal, Line, Owner } from './journal.ts';
import { journalText, readJournal } from './journal.ts';

/** Where journals lie. A file is replaced whole or not at all; both ways of writing resolve once the disk has it. */
export interface JournalFiles {
  list(): Promise<readonly { readonly name: string; readonly changedAt: Date }[]>;
  read(name: string): Promise<string>;
  replace(name: string, text: string): Promise<void>;
  append(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** What edits copies: they are its own until it ends. */
export type Page = object;

export interface KeptEntries {
  readonly copy: string;
  readonly location: Location;
  readonly keptAt: string;
  readonly entries: readonly string[];
}

export interface Copies {
  /** False where the entries before `from` are not there: the page is to begin again. */
  keep(page: Page, copy: string, about: AboutCopy, from: number, entries: readonly string[]): Promise<boolean>;
  forget(copy: string): Promise<void>;
  /** Those that hold something unsaved and that nobody has open, newest first. */
  kept(): Promise<readonly KeptCopy[]>;
  /** Null where there is none. Throws `Refused` where it is open. */
  take(page: Page, copy: string): Promise<KeptEntries | null>;
  /** Undefined where there is no such copy. */
  locationOf(copy: string): Promise<Location | undefined>;
  /** Whether another page, here or in another process, edits the document. */
  isOpenElsewhere(page: Page, location: Location): Promise<boolean>;
  /** The page has ended: what it edited may be taken. */
  leave(page: Page): Promise<void>;
  /** Removes those that nobody has open and that hold nothing unsaved. */
  sweep(): Promise<void>;
  /** The table files that copies name; undefined where a copy cannot be read. */
  files(): Promise<ReadonlySet<string> | undefined>;
}

interface OpenCopy {
  /** Null once it has ended. */
  page: Page | null;
  about: AboutCopy;
  count: number;
  chain: Chain;
  /** Not to be added to: a write has failed, or the file is as a crash left it. */
  stale: boolean;
}

export interface CopiesOptions {
  readonly files: JournalFiles;
  readonly owner: Owner;
  readonly isAlive: (owner: Owner) => boolean | undefined;
  /** Whether two places are one document. */
  readonly isSame?: (a: Location, b: Location) => boolean;
}

const extension = '.journal';

export function sameLocation(a: Location, b: Location): boolean {
  if (a.kind === 'file') return b.kind === 'file' && a.path === b.path;
  return a.kind === 'example' && b.kind === 'example' && a.name === b.name;
}

interface Found {
  readonly copy: string;
  readonly changedAt: Date;
  readonly journal: Journal | null;
}

export function createCopies({ files, owner, isAlive, isSame = sameLocation }: CopiesOptions): Copies {
  const open = new Map<string, OpenCopy>();
  /** Writes to one copy follow each other. */
  const tails = new Map<string, Promise<unknown>>();

  function inTurn<T>(copy: string, work: () => Promise<T>): Promise<T> {
    const turn = (tails.get(copy) ?? Promise.resolve()).then(work, work);
    const tail = turn.catch(() => undefined);
    tails.set(copy, tail);
    void tail.then(() => {
      if (tails.get(copy) === tail) tails.delete(copy);
    });
    return turn;
  }

  async function add(copy: string, known: OpenCopy, lines: readonly Line[]): Promise<void> {
    const { text, chain } = journalText(lines, known.chain);
    try {
      await files.append(copy + extension, text);
      known.chain = chain;
    } catch (error) {
      known.stale = true;
      throw error;
    }
  }

  const entryLines = (entries: readonly string[]): Line[] => entries.map((entry) => ({ kind: 'entry', entry }));

  async function begin(page: Page, copy: string, about: AboutCopy, entries: readonly string[]): Promise<void> {
    const { text, chain } = journalText([{ kind: 'owner', owner }, { kind: 'about', about }, ...entryLines(entries)]);
    await files.replace(copy + extension, text);
    open.set(copy, { page, about, count: entries.length, chain, stale: false });
  }

  async function found(): Promise<Found[]> {
    const names = (await files.list()).filter(({ name }) => name.endsWith(extension));
    return Promise.all(
      names.map(async ({ name, changedAt }) => ({
        copy: name.slice(0, -extension.length),
        changedAt,
        journal: readJournal(await files.read(name).catch(() => '')),
      })),
    );
  }

  /** Whether somebody has the copy open; undefined where that cannot be known. */
  function isOpen(copy: string, journal: Journal): boolean | undefined {
    const known = open.get(copy);
    if (known) return known.page !== null;
    return journal.left ? false : isAlive(journal.owner);
  }

  return {
    keep: (page, copy, about, from, entries) =>
      inTurn(copy, async () => {
        if (from === 0) {
          await begin(page, copy, about, entries);
          return true;
        }
        const known = open.get(copy);
        if (!known || known.stale || from > known.count) return false;
        // Only the page itself knows the name: it has lost its connection and found it again.
        known.page = page;
        const fresh = entries.slice(known.count - from);
        const told: Line[] =
          JSON.stringify(about) === JSON.stringify(known.about) ? [] : [{ kind: 'about' as const, about }];
        await add(copy, known, [...told, ...entryLines(fresh)]);
        known.about = about;
        known.count += fresh.length;
        return true;
      }),

    forget: (copy) =>
      inTurn(copy, async () => {
        open.delete(copy);
        await files.remove(copy + extension);
      }),

    async kept() {
      const all = await found();
      return all
        .filter(({ copy, journal }) => journal?.about.edited && isOpen(copy, journal) !== true)
        .sort((a, b) => b.changedAt.getTime() - a.changedAt.getTime())
        .map(({ copy, changedAt, journal }) => {
          const { about, owner: by } = journal!;
          const elsewhere = isOpen(copy, journal!) === undefined;
          const { name, location } = about;
          return { copy, name, location, keptAt: changedAt.toISOString(), ...(elsewhere && { machine: by.machine }) };
        });
    },

    take: (page, copy) =>
      inTurn(copy, async () => {
        const { changedAt, journal } = (await found()).find((other) => other.copy === copy) ?? {};
        if (!journal || !changedAt) return null;
        const state = isOpen(copy, journal);
        if (state === true) throw new Refused('These edits are open in another window.');
        const { about, entries } = journal;
        const taken = { location: about.location, keptAt: changedAt.toISOString(), entries };
        // Of a copy that may be open on another machine a second one is made.
        if (state === undefined) return { ...taken, copy: randomUUID() };
        open.set(copy, { page, about, count: entries.length, chain: '', stale: true });
        return { ...taken, copy };
      }),

    async locationOf(copy) {
      return (await found()).find((other) => other.copy === copy)?.journal?.about.location;
    },

    async isOpenElsewhere(page, location) {
      for (const known of open.values())
        if (known.page !== null && known.page !== page && isSame(known.about.location, location)) return true;
      return (await found()).some(
        ({ copy, journal }) =>
          !open.has(copy) && journal && isSame(journal.about.location, location) && isOpen(copy, journal) === true,
      );
    },

    async leave(page) {
      const mine = [...open].filter(([, known]) => known.page === page);
      for (const [, known] of mine) known.page = null;
      await Promise.all(
        mine.map(([copy, known]) =>
          inTurn(copy, async () => {
            // It may have come back, or been forgotten, in the meantime.
            if (known.page === null && open.get(copy) === known && !known.stale)
              await add(copy, known, [{ kind: 'left' }]).catch(() => undefined);
          }),
        ),
      );
    },

    async sweep() {
      const idle = (await found()).filter(
        ({ copy, journal }) => journal && !journal.about.edited && isOpen(copy, journal) === false,
      );
      await Promise.all(idle.map(({ copy }) => inTurn(copy, () => files.remove(copy + extension))));
    },

    async files() {
      const journals = (await found()).map(({ journal }) => journal);
      if (journals.some((journal) => journal === null)) return undefined;
      return new Set(journals.flatMap((journal) => journal!.about.files));
    },
  };
}
