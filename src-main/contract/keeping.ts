/**
 * How unsaved work is kept. Of every document that is edited there is one copy, named by the page that edits it: its
 * journal begins with the document as it stood and goes on with every action since. What an entry says is the window's
 * business (`state/journal.ts`); the host keeps its text, whole and in order, and gives it back.
 */
import * as v from 'valibot';
import { count, number, record, text } from './fields.ts';

/** Where a document lives. `example` is read-only; `unsaved` has never been written. */
export const location = v.variant('kind', [
  v.object({ kind: v.literal('file'), path: text }),
  v.object({ kind: v.literal('example'), name: text }),
  v.object({ kind: v.literal('unsaved') }),
]);
export type Location = v.InferOutput<typeof location>;

/** A file's content as it was met: bytes, milliseconds of its last change, SHA-256. */
export const stamp = v.object({ size: count, time: number, hash: text });
export type Stamp = v.InferOutput<typeof stamp>;

/** Names a file of its own in the host's folder: nothing else may be spelled by it. */
export const copyId = v.pipe(text, v.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/));

/** One line of a journal. */
const entry = v.pipe(text, v.regex(/^[^\r\n]+$/));

/** What the host must know of a copy to offer it. */
export const aboutCopy = v.object({
  name: text,
  location,
  /** Whether it holds anything that its file does not. */
  edited: v.boolean(),
  /** The files of its tables. */
  files: v.array(text),
});
export type AboutCopy = v.InferOutput<typeof aboutCopy>;

/** A copy that nobody has open. */
export const keptCopy = v.object({
  copy: copyId,
  name: text,
  location,
  keptAt: text,
  /** The machine where it was edited, where that is another one: whether it is still open there cannot be known. */
  machine: v.optional(text),
  /** Where it lies, where a fault of the disk is in it; `readable`: whether what was done before that can be restored. */
  damaged: v.optional(v.object({ file: text, readable: v.boolean() })),
});
export type KeptCopy = v.InferOutput<typeof keptCopy>;

/** Of a list of runs. */
export const mostRunCharacters = 4_000_000;

/** A list of runs as it is kept, and by what it is known again. */
export const keptRuns = v.object({ text, hash: text });
export type KeptRuns = v.InferOutput<typeof keptRuns>;

export const keepingRequests = {
  /**
   * Entries of a copy's journal, `from` which of them on. From 0 the journal begins anew, whole or not at all. `kept` is
   * false where the host does not have those before: it wants all of them, from 0.
   */
  'files.keep': {
    input: v.object({ copy: copyId, about: aboutCopy, from: count, entries: v.array(entry) }),
    output: v.object({ kept: v.boolean() }),
  },
  /**
   * What ran of the document of a file, at once: saving neither waits for it nor removes it. What it says is the window's business.
   * `over`: the hash of what the window knows, null where that is nothing; what another window has written since is the answer,
   * and nothing is kept. Undefined where it does not matter what is there.
   */
  'files.keepRuns': {
    input: v.object({
      location,
      runs: v.pipe(text, v.maxLength(mostRunCharacters)),
      over: v.optional(v.nullable(text)),
    }),
    output: v.union([v.object({ hash: text }), v.object({ changed: keptRuns })]),
  },
  /** The answer to the event `files.flush`. */
  'files.flushed': { input: v.object({}), output: v.object({}) },
  /** The copy is no longer needed: it was saved, or is not wanted. */
  'files.forget': { input: v.object({ copy: copyId }), output: v.object({}) },
  /** The page has left the document, with what is kept of it: whoever opens it next may take the copy. */
  'files.release': { input: v.object({ copy: copyId }), output: v.object({}) },
  /** Copies with unsaved work that nobody has open, newest first. */
  'files.kept': { input: v.object({}), output: v.array(keptCopy) },
  /** Takes a copy that nobody has open: it is this page's from now on, under the name that comes back. Null where there is none. */
  'files.restore': {
    input: v.object({ copy: copyId }),
    output: v.nullable(
      v.object({
        ...{ copy: copyId, name: text, location, keptAt: text, entries: v.array(entry) },
        /** Where it lies. */
        file: text,
        /** Where it will lie once the page keeps its own, where a fault of the disk is in it. */
        aside: v.optional(text),
      }),
    ),
  },
  /** The last saves of a file, newest first. */
  'files.backups': {
    input: v.object({ location }),
    output: v.array(v.object({ backup: text, savedAt: text, size: count })),
  },
  'files.backup': { input: v.object({ location, backup: text }), output: v.object({ document: record(v.unknown()) }) },
} as const;
