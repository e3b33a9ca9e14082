/**
 * The history of one document: commands with the patches that do and undo them. A log is immutable data; performing,
 * undoing and redoing give a new one.
 */
import { apply, create } from 'mutative';
import type { Patches } from 'mutative';
import type { Command } from './commands.ts';
import { applyCommand } from './commands.ts';
import type { Draft } from './draft.ts';

type Patch = Patches<{ pathAsArray: true }>;

export interface Entry {
  readonly command: Command;
  readonly forward: Patch;
  readonly backward: Patch;
  /** Commands with the same key that follow each other at once (a drag of a slider, a word typed) are one step. */
  readonly merge: string | null;
  readonly at: number;
}

export interface CommandLog {
  readonly draft: Draft;
  readonly past: readonly Entry[];
  readonly future: readonly Entry[];
}

/** Commands that merge may be this far apart. */
const mergeWithin = 1000;
const longest = 1000;

export function openLog(draft: Draft): CommandLog {
  return { draft, past: [], future: [] };
}

export function perform(log: CommandLog, command: Command, merge: string | null = null, now = Date.now()): CommandLog {
  const draft = applyCommand(log.draft, command);
  if (draft === log.draft) return log;
  const last = log.past.at(-1);
  // A clock may have been set back in between.
  const atOnce = last !== undefined && Math.abs(now - last.at) < mergeWithin;
  const joins = merge !== null && atOnce && last.merge === merge && log.future.length === 0;
  const before = joins ? apply(log.draft, last.backward) : log.draft;
  const { forward, backward } = difference(before, draft);
  const entry: Entry = { command, forward, backward, merge, at: now };
  const past = joins ? [...log.past.slice(0, -1), entry] : [...log.past, entry].slice(-longest);
  return { draft, past, future: [] };
}

export function undo(log: CommandLog): CommandLog {
  const entry = log.past.at(-1);
  if (!entry) return log;
  // Redone, an entry stands for itself: what follows must not merge into it.
  const done: Entry = { ...entry, merge: null };
  return { draft: apply(log.draft, entry.backward), past: log.past.slice(0, -1), future: [done, ...log.future] };
}

export function redo(log: CommandLog): CommandLog {
  const [entry, ...future] = log.future;
  if (!entry) return log;
  return { draft: apply(log.draft, entry.forward), past: [...log.past, entry], future };
}

/** The log with as much of its newest past as holds no more than `most` entries of lists. */
export function recent(log: CommandLog, most: number): CommandLog {
  let room = most;
  const size = (patch: Patch) =>
    patch.reduce((sum, { value }) => sum + (Array.isArray(value) ? (value as unknown[]).length : 1), 0);
  const first = log.past.findLastIndex(({ forward, backward }) => (room -= size(forward) + size(backward)) < 0);
  return first < 0 ? log : { ...log, past: log.past.slice(first + 1) };
}

/**
 * Patches of the document's own keys (`blocks`, `view`, …), each taken whole: below them, keys are the user's names, and
 * `__proto__` or `constructor` must not become a path.
 */
function difference(before: Draft, after: Draft): { forward: Patch; backward: Patch } {
  const [, forward, backward] = create(
    before,
    (draft) => {
      const target = draft as Record<string, unknown>;
      for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
        if (before[key] === after[key]) continue;
        if (Object.hasOwn(after, key)) target[key] = after[key];
        else delete target[key];
      }
    },
    { enablePatches: true },
  );
  return { forward, backward };
}

/** Each draft that the history holds, the present one first. */
export function* draftsOf(log: CommandLog): Generator<Draft> {
  yield log.draft;
  let { draft } = log;
  for (const { backward } of [...log.past].reverse()) yield (draft = apply(draft, backward));
  ({ draft } = log);
  for (const { forward } of log.future) yield (draft = apply(draft, forward));
}
