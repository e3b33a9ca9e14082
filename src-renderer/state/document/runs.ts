/** What ran of a document: a list that comes back when it is opened again, and what can be done to it. */
import * as v from 'valibot';
import { fromJson, toJson } from '../../../src-main/contract/codec.ts';
import { elementLabels } from '../../../src-main/contract/fields.ts';
import { mostRunCharacters } from '../../../src-main/contract/keeping.ts';
import type { Draft } from './draft.ts';
import { isDraft, isRecord, sameDraft } from './draft.ts';
import type { ParameterPoint } from './point.ts';
import { pack, unpack } from './shared-structure.ts';
import type { About } from './staleness.ts';

const real = v.custom<number>((input) => typeof input === 'number', 'wanted a number');
const named = <Value>(isValue: (value: unknown) => boolean, wanted: string) =>
  v.custom<Readonly<Record<string, Value>>>(
    (input) => isRecord(input) && Object.values(input).every(isValue),
    `wanted ${wanted} by name`,
  );

const found = {
  kind: v.picklist(['fit', 'uncertainty', 'sensitivity', 'design', 'comparison']),
  method: v.string(),
  outcome: v.string(),
  /** NaN where the run has none. */
  objective: real,
  /** Of the elements; `interval` null where they have none. */
  values: v.array(v.object({ name: v.string(), value: real, interval: v.nullable(v.tuple([real, real])) })),
  /** AIC, BIC and the like, which studies of uncertainty tell. */
  statistics: named<number>((value) => typeof value === 'number', 'numbers'),
  /** Where it ended, by id. */
  parameters: named<readonly number[]>(Array.isArray, 'values'),
  device: v.string(),
  precision: v.string(),
  milliseconds: real,
  finishedAt: v.string(),
  /** Of which outputs it is, and what they meant. */
  of: v.array(v.string()),
  meaning: v.string(),
  labels: elementLabels,
};

/** A run but for the draft that it is of. */
export const runData = v.object({
  number: v.number(),
  /** As the user calls it; '' where it has no name. */
  name: v.string(),
  /** It stays on top. */
  pinned: v.boolean(),
  ...found,
});

const runList = v.array(v.object({ ...runData.entries, draft: v.custom<Draft>(isDraft, 'wanted a document') }));

export const runsSchema = v.object({
  last: v.number(),
  list: runList,
  compared: v.array(v.number()),
  // What was written before nothing could be brought back has none.
  removed: v.optional(runList, []),
});

export type RunData = Readonly<v.InferOutput<typeof runData>>;

export interface Run extends RunData {
  readonly draft: Draft;
}

export type Found = Omit<Run, 'number' | 'name' | 'pinned'>;

export interface Runs {
  /** The number of the run that was added last: that of one that was removed is not given again. */
  readonly last: number;
  /** What is pinned first, then the newest. */
  readonly list: readonly Run[];
  /** The numbers of those that are compared, in the order in which they were chosen. */
  readonly compared: readonly number[];
  /** What was taken away and can be brought back, the last of all last. */
  readonly removed: readonly Run[];
}

export const noRuns: Runs = { last: 0, list: [], compared: [], removed: [] };

/** What was removed before these is gone. */
export const mostRemoved = 20;

export const runEdit = v.variant('edit', [
  v.object({ edit: v.literal('rename'), number: v.number(), name: v.string() }),
  v.object({ edit: v.literal('pin'), number: v.number(), pinned: v.boolean() }),
  v.object({ edit: v.literal('remove'), number: v.number() }),
  v.object({ edit: v.literal('bring-back'), number: v.number() }),
  v.object({ edit: v.literal('compare'), number: v.number(), wanted: v.boolean() }),
]);

export type RunEdit = v.InferOutput<typeof runEdit>;

export const inOrder = (runs: readonly Run[]): readonly Run[] =>
  [...runs].sort((a, b) => Number(b.pinned) - Number(a.pinned) || b.number - a.number);

/** By which a run is the same in whatever list; its number is a list's own. */
export const runKey = ({ kind, method, finishedAt, meaning }: Found): string =>
  JSON.stringify([kind, kind === 'fit' ? null : method, finishedAt, meaning]);

/** What was found as the run that it becomes; undefined where it is here or was removed: what is shown again was here before. */
export function nextRun(runs: Runs, found: Found): Run | undefined {
  const key = runKey(found);
  const isHere = [...runs.list, ...runs.removed].some((run) => runKey(run) === key);
  return isHere ? undefined : { number: runs.last + 1, name: '', pinned: false, ...found };
}

export function withRun(runs: Runs, run: Run): Runs {
  return { ...runs, last: Math.max(runs.last, run.number), list: inOrder([run, ...runs.list]) };
}

export function edited(runs: Runs, edit: RunEdit): Runs {
  const { number } = edit;
  const change = (changes: Partial<Run>): Runs => ({
    ...runs,
    list: inOrder(runs.list.map((run) => (run.number === number ? { ...run, ...changes } : run))),
  });
  const others = runs.compared.filter((other) => other !== number);
  switch (edit.edit) {
    case 'rename':
      return change({ name: edit.name });
    case 'pin':
      return change({ pinned: edit.pinned });
    case 'remove': {
      const [list, gone] = parted(runs.list, number);
      return { ...runs, list, compared: others, removed: [...runs.removed, ...gone].slice(-mostRemoved) };
    }
    case 'bring-back': {
      const [removed, back] = parted(runs.removed, number);
      return { ...runs, list: inOrder([...runs.list, ...back]), removed };
    }
    case 'compare':
      return { ...runs, compared: edit.wanted ? [...others, number] : others };
  }
}

/** The others, and the one of this number. */
const parted = (runs: readonly Run[], number: number): [others: Run[], own: Run[]] => [
  runs.filter((run) => run.number !== number),
  runs.filter((run) => run.number === number),
];

export const aboutRun = ({ draft, of, meaning }: Run): About => ({ draft, of, meaning });

export const pointOfRun = ({ parameters }: Run): ParameterPoint => new Map(Object.entries(parameters));

/** What is not pinned goes first, and of that the oldest. */
const mostRuns = 100;

/** As many as there is room for. */
export function runsText(runs: Runs): string {
  for (let most = mostRuns; most > 0; most >>= 1) {
    const list = runs.list.slice(0, most);
    const removed = runs.removed.slice(-most);
    const text = toJson(pack({ ...runs, list, removed }));
    if (text.length <= mostRunCharacters) return text;
  }
  return toJson(pack({ ...noRuns, last: runs.last }));
}

/** `draft`: of the document that is open, which runs of it share. What cannot be read is no run. */
export const readRuns = (text: string | undefined, draft: Draft): Runs =>
  (text === undefined ? undefined : runsIn(text, draft)) ?? noRuns;

/** Undefined where it cannot be read. */
export function runsIn(text: string, draft: Draft): Runs | undefined {
  try {
    const read = unpack(fromJson(text) as readonly unknown[]);
    // Parsing checks and copies: what the parts share is shared in what was unpacked.
    v.parse(runsSchema, read);
    const runs = { ...noRuns, ...(read as Runs) };
    const known = new Map<Draft, Draft>();
    const shared = (own: Draft): Draft => {
      const found = known.get(own) ?? (sameDraft(own, draft) ? draft : own);
      known.set(own, found);
      return found;
    };
    const sharing = (list: Runs['list']): Runs['list'] => list.map((run) => ({ ...run, draft: shared(run.draft) }));
    return { ...runs, list: sharing(runs.list), removed: sharing(runs.removed) };
  } catch {
    return undefined;
  }
}
