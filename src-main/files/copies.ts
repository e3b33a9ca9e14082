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
  order: number;
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
  readonly text: string;
  readonly journal: Journal | null;
}

export function createCopies({ files, owner, isAlive, isSame = sameLocation }: CopiesOptions): Copies {
  const open = new Map<string, OpenCopy>();
  /** Writes to one copy follow each other. */
  const tails = new Map<string, Promise<unknown>>();
  /** By the names of copies that were taken, until they begin: what each was, which goes then. */
  const taken = new Map<string, { readonly copy: string; readonly text: string }>();
  /** What they sent last may be written after they have ended. */
  const ended = new WeakSet<Page>();
  /** The highest order that has been met. */
  let latest = 0;

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
    await found();
    const order = ++latest;
    const head: Line[] = [
      { kind: 'owner', owner },
      { kind: 'about', about },
      { kind: 'order', order },
    ];
    const { text, chain } = journalText([...head, ...entryLines(entries)]);
    await files.replace(copy + extension, text);
    open.set(copy, { page, about, count: entries.length, chain, order, stale: false });
    await giveWay(page, copy);
  }

  /**
   * What a copy was before it was taken goes, unless its page, which was only cut off, has come back to it: then the edits
   * of both are kept.
   */
  async function giveWay(page: Page, copy: string): Promise<void> {
    const before = taken.get(copy);
    taken.delete(copy);
    if (!before) return;
    await inTurn(before.copy, async () => {
      const name = before.copy + extension;
      if ((await files.read(name).catch(() => undefined)) !== before.text) return;
      await files.remove(name);
      if (open.get(before.copy)?.page === page) open.delete(before.copy);
      // Two copies of the same edits are offered, where one cannot be removed: none is lost.
    }).catch(() => undefined);
  }

  async function found(): Promise<Found[]> {
    const names = (await files.list()).filter(({ name }) => name.endsWith(extension));
    const all = await Promise.all(
      names.map(async ({ name, changedAt }) => {
        const text = await files.read(name).catch(() => '');
        return { copy: name.slice(0, -extension.length), changedAt, text, journal: readJournal(text) };
      }),
    );
    for (const { journal } of all) latest = Math.max(latest, journal?.order ?? 0);
    return all;
  }

  /** Whether somebody has the copy open; undefined where that cannot be known. */
  function isOpen(copy: string, journal: Journal): boolean | undefined {
    const known = open.get(copy);
    if (known) return known.page !== null;
    return journal.left ? false : isAlive(journal.owner);
  }

  const keep = async (...[page, copy, about, from, entries]: Parameters<Copies['keep']>): Promise<boolean> => {
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
    // Another copy has been edited since this one was.
    const order = known.order < latest ? ++latest : known.order;
    const later: Line[] = order === known.order ? [] : [{ kind: 'order', order }];
    await add(copy, known, [...told, ...later, ...entryLines(fresh)]);
    known.order = order;
    known.about = about;
    known.count += fresh.length;
    return true;
  };

  /** Whoever finds it may take it. */
  async function left(copy: string, known: OpenCopy): Promise<void> {
    known.page = null;
    if (!known.stale) await add(copy, known, [{ kind: 'left' }]).catch(() => undefined);
  }

  return {
    keep: (page, copy, ...sent) =>
      inTurn(copy, async () => {
        const kept = await keep(page, copy, ...sent);
        const known = open.get(copy);
        if (ended.has(page) && known?.page === page) await left(copy, known);
        return kept;
      }),

    forget: (copy) =>
      inTurn(copy, async () => {
        const page = open.get(copy)?.page;
        open.delete(copy);
        await files.remove(copy + extension);
        if (page) await giveWay(page, copy);
      }),

    async kept() {
      const all = await found();
      return all
        .filter(({ copy, journal }) => journal?.about.edited && isOpen(copy, journal) !== true)
        .sort((a, b) => b.journal!.order - a.journal!.order || b.changedAt.getTime() - a.changedAt.getTime())
        .map(({ copy, changedAt, journal }) => {
          const { about, owner: by } = journal!;
          const elsewhere = isOpen(copy, journal!) === undefined;
          const { name, location } = about;
          return { copy, name, location, keptAt: changedAt.toISOString(), ...(elsewhere && { machine: by.machine }) };
        });
    },

    take: (page, copy) =>
      inTurn(copy, async () => {
        const { changedAt, journal, text } = (await found()).find((other) => other.copy === copy) ?? {};
        if (!journal || !changedAt) return null;
        const state = isOpen(copy, journal);
        if (state === true) throw new Refused('These edits are open in another window.');
        const { about, entries } = journal;
        // Under a name of its own: a page that was only cut off comes back to the old one, and neither writes over the other.
        const own = randomUUID();
        // What may be open on another machine stays as well.
        if (state !== undefined) {
          const { order } = journal;
          for (const name of [copy, own])
            open.set(name, { page, about, count: entries.length, chain: '', order, stale: true });
          taken.set(own, { copy, text: text! });
        }
        return { copy: own, location: about.location, keptAt: changedAt.toISOString(), entries };
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
      ended.add(page);
      const mine = [...open].filter(([, known]) => known.page === page);
      for (const [, known] of mine) known.page = null;
      await Promise.all(
        mine.map(([copy, known]) =>
          inTurn(copy, async () => {
            // It may have come back, or been forgotten, in the meantime.
            if (known.page === null && open.get(copy) === known) await left(copy, known);
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
