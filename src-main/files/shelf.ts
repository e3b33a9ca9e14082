/** What copies of edits lie in a folder, and who has which of them open. */
import * as v from 'valibot';
import { copyId, type AboutCopy } from '../contract/keeping.ts';
import type { Chain, Journal, Line, Owner } from './journal.ts';
import { journalText, readJournal } from './journal.ts';
import { createTurns, type InTurn } from './turns.ts';
import { codeOf } from './write-failure.ts';

/** Where journals lie. A file is replaced whole or not at all; both ways of writing resolve once the disk has it. */
export interface JournalFiles {
  list(): Promise<readonly { readonly name: string; readonly changedAt: Date }[]>;
  read(name: string): Promise<string>;
  replace(name: string, text: string): Promise<void>;
  append(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** It is no journal any more, and stays. */
  setAside(name: string, as: string): Promise<void>;
  /** As the user finds it. */
  pathOf(name: string): string;
}

/** What edits copies: they are its own until it ends. */
export type Page = object;

export interface OpenCopy {
  /** Null once it has ended. */
  page: Page | null;
  about: AboutCopy;
  count: number;
  chain: Chain;
  order: number;
  /** Not to be added to: a write has failed, or the file is as a crash left it. */
  stale: boolean;
}

export interface ShelfOptions {
  readonly files: JournalFiles;
  readonly owner: Owner;
  /** Undefined where that cannot be known. */
  readonly isAlive: (owner: Owner) => boolean | undefined;
}

export interface Shelf extends ShelfOptions {
  /** Those of this process's pages. */
  readonly open: Map<string, OpenCopy>;
  /** By the names of copies that were taken, until they begin: what each was, which goes then, or is set aside under a name. */
  readonly taken: Map<string, { readonly copy: string; readonly text: string; readonly aside: string | undefined }>;
  /** What they sent last may be written after they have ended. */
  readonly ended: WeakSet<Page>;
  /** Writes to one copy follow each other. */
  readonly inTurn: InTurn;
  /** The highest order that has been met. */
  latest: number;
}

export function createShelf(options: ShelfOptions): Shelf {
  return { ...options, open: new Map(), taken: new Map(), ended: new WeakSet(), inTurn: createTurns(), latest: 0 };
}

const extension = '.journal';
/** What else lies there is nobody's copy. */
const isJournal = (name: string): boolean => name.endsWith(extension) && v.is(copyId, name.slice(0, -extension.length));
export const fileOf = (copy: string): string => copy + extension;
/** Of what was damaged when it was taken as `copy`. */
export const asideOf = (copy: string): string => `${copy}.damaged`;

export interface FoundCopy {
  readonly copy: string;
  readonly changedAt: Date;
  readonly text: string;
  readonly journal: Journal;
}

export async function foundOn(shelf: Shelf): Promise<FoundCopy[]> {
  const names = (await shelf.files.list()).filter(({ name }) => isJournal(name));
  const all = await Promise.all(
    names.map(async ({ name, changedAt }) => {
      const text = await shelf.files
        .read(name)
        .catch((error: unknown) => (codeOf(error) === 'ENOENT' ? undefined : ''));
      // It has gone meanwhile.
      if (text === undefined) return [];
      return [{ copy: name.slice(0, -extension.length), changedAt, text, journal: readJournal(text) }];
    }),
  );
  const found = all.flat();
  for (const { journal } of found) shelf.latest = Math.max(shelf.latest, journal.order);
  return found;
}

export async function foundCopy(shelf: Shelf, copy: string): Promise<FoundCopy | undefined> {
  return (await foundOn(shelf)).find((other) => other.copy === copy);
}

/** Whether somebody has the copy open; undefined where that cannot be known. */
export function isOpen({ open, isAlive }: Shelf, copy: string, journal: Journal): boolean | undefined {
  const known = open.get(copy);
  if (known) return known.page !== null;
  if (journal.left) return false;
  return journal.owner ? isAlive(journal.owner) : undefined;
}

/** Writes a journal whole. */
export async function begin(
  shelf: Shelf,
  page: Page,
  copy: string,
  about: AboutCopy,
  entries: readonly string[],
): Promise<void> {
  await foundOn(shelf);
  const order = ++shelf.latest;
  const head: Line[] = [
    { kind: 'owner', owner: shelf.owner },
    { kind: 'about', about },
    { kind: 'order', order },
  ];
  const { text, chain } = journalText([...head, ...entryLines(entries)]);
  await shelf.files.replace(fileOf(copy), text);
  shelf.open.set(copy, { page, about, count: entries.length, chain, order, stale: false });
}

/** Adds to a journal what is new since it was written; false where the entries before `from` are not in it. */
export async function addNew(
  shelf: Shelf,
  page: Page,
  copy: string,
  about: AboutCopy,
  from: number,
  entries: readonly string[],
): Promise<boolean> {
  const known = shelf.open.get(copy);
  if (!known || known.stale || from > known.count) return false;
  // Only the page itself knows the name: where it is another's, it has lost its connection and found it again.
  known.page = page;
  const fresh = entries.slice(known.count - from);
  const told: Line[] = JSON.stringify(about) === JSON.stringify(known.about) ? [] : [{ kind: 'about', about }];
  // Another copy has been edited since this one was.
  const order = known.order < shelf.latest ? ++shelf.latest : known.order;
  const later: Line[] = order === known.order ? [] : [{ kind: 'order', order }];
  await add(shelf, copy, known, [...told, ...later, ...entryLines(fresh)]);
  known.order = order;
  known.about = about;
  known.count += fresh.length;
  return true;
}

/** The page has ended: whoever finds its copy may take it. */
export async function setFree(shelf: Shelf, copy: string, known: OpenCopy): Promise<void> {
  known.page = null;
  if (!known.stale) await add(shelf, copy, known, [{ kind: 'left' }]).catch(() => undefined);
}

/**
 * What a copy was before it was taken goes, unless its page, which was only cut off, has come back to it: then the edits
 * of both are kept. What is damaged holds more than could be taken, and is set aside.
 */
export async function giveWay(shelf: Shelf, page: Page, copy: string): Promise<void> {
  const { files, taken, open, inTurn } = shelf;
  const before = taken.get(copy);
  taken.delete(copy);
  if (!before) return;
  await inTurn([before.copy], async () => {
    const name = fileOf(before.copy);
    if ((await files.read(name).catch(() => undefined)) !== before.text) return;
    await (before.aside === undefined ? files.remove(name) : files.setAside(name, before.aside));
    if (open.get(before.copy)?.page === page) open.delete(before.copy);
    // Two copies of the same edits are offered, where one cannot be removed: none is lost.
  }).catch(() => undefined);
}

async function add({ files }: Shelf, copy: string, known: OpenCopy, lines: readonly Line[]): Promise<void> {
  const { text, chain } = journalText(lines, known.chain);
  try {
    await files.append(fileOf(copy), text);
    known.chain = chain;
  } catch (error) {
    known.stale = true;
    throw error;
  }
}

const entryLines = (entries: readonly string[]): Line[] => entries.map((entry) => ({ kind: 'entry', entry }));
