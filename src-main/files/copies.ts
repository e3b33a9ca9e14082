/** The copies of what is being edited, each a journal in a file of its own that is only added to. */
import { randomUUID } from 'node:crypto';
import type { AboutCopy, KeptCopy, Location } from '../contract/keeping.ts';
import { Refused } from '../refused.ts';
import type { Journal } from './journal.ts';
import type { Page, Shelf, ShelfOptions } from './shelf.ts';
import { addNew, asideOf, begin, createShelf, fileOf, foundCopy, foundOn, giveWay, isOpen, setFree } from './shelf.ts';

export interface KeptEntries {
  readonly copy: string;
  readonly name: string;
  readonly location: Location;
  readonly keptAt: string;
  readonly entries: readonly string[];
  /** Where the copy lies until the page begins its own. */
  readonly file: string;
  /** Where it lies from then on, where it is damaged: what follows the entries cannot be read. */
  readonly aside?: string;
}

export interface Copies {
  /** False where the entries before `from` are not there: the page is to begin again. */
  keep(page: Page, copy: string, about: AboutCopy, from: number, entries: readonly string[]): Promise<boolean>;
  forget(copy: string): Promise<void>;
  /** Those that hold something unsaved, or may, and that nobody has open, newest first. */
  kept(): Promise<readonly KeptCopy[]>;
  /** Null where there is none. Throws `Refused` where it is open. */
  take(page: Page, copy: string): Promise<KeptEntries | null>;
  /** Undefined where there is no such copy. */
  locationOf(copy: string): Promise<Location | undefined>;
  /** Whether another page, here or in another process, edits the document. */
  isOpenElsewhere(page: Page, location: Location): Promise<boolean>;
  /** The page has ended: what it edited may be taken. */
  leave(page: Page): Promise<void>;
  /** The page has left this one, and goes on with something else. */
  release(page: Page, copy: string): Promise<void>;
  /** Removes those that nobody has open and that hold nothing unsaved. */
  sweep(): Promise<void>;
  /** The table files that copies name; undefined where a copy cannot be read. */
  files(): Promise<ReadonlySet<string> | undefined>;
}

export interface CopiesOptions extends ShelfOptions {
  /** Whether two places are one document. */
  readonly isSame?: (a: Location, b: Location) => boolean;
}

export function sameLocation(a: Location, b: Location): boolean {
  if (a.kind === 'file') return b.kind === 'file' && a.path === b.path;
  return a.kind === 'example' && b.kind === 'example' && a.name === b.name;
}

export function createCopies({ isSame = sameLocation, ...options }: CopiesOptions): Copies {
  const shelf = createShelf(options);
  const { files, open, ended, inTurn } = shelf;
  return {
    keep: (page, copy, ...sent) =>
      inTurn([copy], async () => {
        const isKept = await keep(shelf, page, copy, ...sent);
        const known = open.get(copy);
        if (ended.has(page) && known?.page === page) await setFree(shelf, copy, known);
        return isKept;
      }),

    forget: (copy) =>
      inTurn([copy], async () => {
        const page = open.get(copy)?.page;
        open.delete(copy);
        await files.remove(fileOf(copy));
        if (page) await giveWay(shelf, page, copy);
      }),

    kept: () => kept(shelf),

    take: (page, copy) => inTurn([copy], () => take(shelf, page, copy)),

    locationOf: async (copy) => (await foundCopy(shelf, copy))?.journal.about?.location,

    async isOpenElsewhere(page, location) {
      for (const known of open.values())
        if (known.page !== null && known.page !== page && isSame(known.about.location, location)) return true;
      return (await foundOn(shelf)).some(
        ({ copy, journal }) =>
          !open.has(copy) &&
          journal.about &&
          isSame(journal.about.location, location) &&
          isOpen(shelf, copy, journal) === true,
      );
    },

    leave: (page) => leave(shelf, page),

    release: (page, copy) =>
      inTurn([copy], async () => {
        const known = open.get(copy);
        if (known?.page === page) await setFree(shelf, copy, known);
      }),

    async sweep() {
      const idle = (await foundOn(shelf)).filter(
        ({ copy, journal }) => !mayHoldEdits(journal) && isOpen(shelf, copy, journal) === false,
      );
      await Promise.all(idle.map(({ copy }) => inTurn([copy], () => files.remove(fileOf(copy)))));
    },

    async files() {
      const journals = (await foundOn(shelf)).map(({ journal }) => journal);
      if (journals.some(({ damaged }) => damaged)) return undefined;
      return new Set(journals.flatMap(({ about }) => about?.files ?? []));
    },
  };
}

async function keep(
  shelf: Shelf,
  page: Page,
  copy: string,
  about: AboutCopy,
  from: number,
  entries: readonly string[],
): Promise<boolean> {
  if (from === 0) {
    await begin(shelf, page, copy, about, entries);
    await giveWay(shelf, page, copy);
    return true;
  }
  return addNew(shelf, page, copy, about, from, entries);
}

const mayHoldEdits = ({ about, damaged }: Journal): boolean => damaged || about?.edited === true;

/** Of what a fault of the disk has taken. */
const nameless: AboutCopy = {
  name: 'A document of unknown name',
  location: { kind: 'unsaved' },
  edited: true,
  files: [],
};

async function kept(shelf: Shelf): Promise<KeptCopy[]> {
  const all = await foundOn(shelf);
  return all
    .filter(({ copy, journal }) => mayHoldEdits(journal) && isOpen(shelf, copy, journal) !== true)
    .sort((a, b) => b.journal.order - a.journal.order || b.changedAt.getTime() - a.changedAt.getTime())
    .map(({ copy, changedAt, journal }) => {
      const { about, owner: by, damaged, entries } = journal;
      const { name, location } = about ?? nameless;
      return {
        ...{ copy, name, location, keptAt: changedAt.toISOString() },
        ...(by && isOpen(shelf, copy, journal) === undefined && { machine: by.machine }),
        ...(damaged && { damaged: { file: shelf.files.pathOf(fileOf(copy)), readable: entries.length > 0 } }),
      };
    });
}

async function take(shelf: Shelf, page: Page, copy: string): Promise<KeptEntries | null> {
  const found = await foundCopy(shelf, copy);
  if (!found || found.journal.entries.length === 0) return null;
  const { changedAt, journal, text } = found;
  const state = isOpen(shelf, copy, journal);
  if (state === true) throw new Refused('These edits are open in another window.');
  const { entries, order, owner, damaged } = journal;
  const about = journal.about ?? nameless;
  // Under a name of its own: a page that was only cut off comes back to the old one, and neither writes over the other.
  const own = randomUUID();
  const aside = damaged ? asideOf(own) : undefined;
  // What may be open on another machine stays as well.
  if (state !== undefined || !owner) {
    for (const name of [copy, own])
      shelf.open.set(name, { page, about, count: entries.length, chain: '', order, stale: true });
    shelf.taken.set(own, { copy, text, aside });
  }
  return {
    ...{ copy: own, name: about.name, location: about.location, keptAt: changedAt.toISOString(), entries },
    file: shelf.files.pathOf(fileOf(copy)),
    ...(aside !== undefined && { aside: shelf.files.pathOf(aside) }),
  };
}

async function leave(shelf: Shelf, page: Page): Promise<void> {
  const { open, ended, inTurn } = shelf;
  ended.add(page);
  const mine = [...open].filter(([, known]) => known.page === page);
  for (const [, known] of mine) known.page = null;
  await Promise.all(
    mine.map(([copy, known]) =>
      inTurn([copy], async () => {
        // It may have come back, or been forgotten, in the meantime.
        if (known.page === null && open.get(copy) === known) await setFree(shelf, copy, known);
      }),
    ),
  );
}
