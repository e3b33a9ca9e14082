/** Two windows have the list of runs of one document: what either did to it since both had the same is done. */
import type { Run, Runs } from '../document/runs.ts';
import { inOrder, mostRemoved, runKey } from '../document/runs.ts';

interface Entry {
  readonly run: Run;
  readonly removed: boolean;
}

function entriesOf(runs: Runs): Map<string, Entry> {
  const entries = (list: readonly Run[], removed: boolean) => list.map((run): Entry => ({ run, removed }));
  const all = [...entries(runs.list, false), ...entries(runs.removed, true)];
  return new Map(all.map((entry) => [runKey(entry.run), entry]));
}

/** What was changed here since both had the same, else what is there. */
const latest = <T>(before: T, here: T, there: T): T => (here === before ? there : here);

function both(before: Entry | undefined, here: Entry, there: Entry): Entry {
  return {
    run: {
      ...there.run,
      name: latest(before?.run.name ?? '', here.run.name, there.run.name),
      pinned: latest(before?.run.pinned ?? false, here.run.pinned, there.run.pinned),
    },
    removed: latest(before?.removed ?? false, here.removed, there.removed),
  };
}

/**
 * `before`: what both had; `here` is written last. A run of which one list says nothing any more was removed there long ago.
 * Numbers are those of `there`: a run of here that has the number of another gets a new one.
 */
export function mergedRuns(before: Runs, here: Runs, there: Runs): Runs {
  const [known, own, others] = [entriesOf(before), entriesOf(here), entriesOf(there)];
  const taken = new Set([...others.values()].map(({ run }) => run.number));
  let last = Math.max(here.last, there.last);
  /** By the numbers that runs have here; the oldest gets the first that is free. */
  const numbers = new Map<number, number>();
  for (const [key, { run }] of [...own].sort(([, a], [, b]) => a.run.number - b.run.number))
    numbers.set(run.number, others.get(key)?.run.number ?? (taken.has(run.number) ? ++last : run.number));

  const ofOthers = [...others].flatMap(([key, entry]) => (own.has(key) || known.has(key) ? [] : [entry]));
  const ofOwn = [...own].flatMap(([key, entry]) => {
    const other = others.get(key);
    if (other) return [both(known.get(key), entry, other)];
    return known.has(key) ? [] : [{ ...entry, run: { ...entry.run, number: numbers.get(entry.run.number)! } }];
  });
  const merged = [...ofOthers, ...ofOwn];
  const list = inOrder(merged.filter(({ removed }) => !removed).map(({ run }) => run));
  const removed = merged.filter((entry) => entry.removed).map(({ run }) => run);
  return {
    last,
    list,
    compared: here.compared
      .flatMap((number) => numbers.get(number) ?? [])
      .filter((number) => list.some((run) => run.number === number)),
    removed: removed.slice(-mostRemoved),
  };
}
