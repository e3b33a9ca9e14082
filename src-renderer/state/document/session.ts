/**
 * Everything of an open document that comes back after a crash, and the actions that change it. The journal holds one
 * session whole and the actions since; replaying them gives the session as it was when the last one was written.
 */
import * as v from 'valibot';
import { fromJson, toJson } from '../../../src-main/contract/codec.ts';
import { fitReport } from '../../../src-main/contract/contract.ts';
import type { FitReport } from '../../../src-main/contract/contract.ts';
import { stamp } from '../../../src-main/contract/keeping.ts';
import type { Stamp } from '../../../src-main/contract/keeping.ts';
import { studyReport } from '../../../src-main/contract/studies.ts';
import type { StudyReport } from '../../../src-main/contract/studies.ts';
import type { CommandLog } from './command-log.ts';
import { openLog, perform, recent, redo, undo } from './command-log.ts';
import type { Command } from './commands.ts';
import { isCommand } from './commands.ts';
import type { Draft, JsonRecord } from './draft.ts';
import { isDraft, isRecord } from './draft.ts';
import type { RunData, RunEdit, Runs } from './runs.ts';
import { edited, noRuns, runData, runEdit, runsSchema, withRun } from './runs.ts';
import { pack, unpack } from './shared-structure.ts';

/** The best point of a fit so far. */
export interface BestPoint {
  /** What is fitted. */
  readonly draft: Draft;
  readonly iteration: number;
  readonly objective: number;
  readonly parameters: Readonly<Record<string, readonly number[]>>;
}

/** What a study found, of what, and at which values: what ran is not run again because a page ended. */
export interface KeptStudy {
  readonly report: StudyReport;
  /** Null where it is not known: it was saved beside a document that another program has written since. */
  readonly draft: Draft | null;
  readonly parameters: BestPoint['parameters'];
}

export interface Session {
  readonly log: CommandLog;
  /** What the file holds; null where there is none. */
  readonly saved: Draft | null;
  /** By which the file is known again. */
  readonly stamp: Stamp | null;
  /** The keys of the document as it was opened, so that a file keeps the order that its writer chose. */
  readonly order: readonly string[];
  readonly selection: readonly string[];
  readonly report: FitReport | null;
  /** The draft that the report is about; null where it was stored with another version of the document. */
  readonly fitted: Draft | null;
  /** Of a fit that runs. */
  readonly best: BestPoint | null;
  /** The last of each kind and method. */
  readonly studies: readonly KeptStudy[];
  /** All that ran of the document here. */
  readonly runs: Runs;
}

export type Action =
  | { readonly type: 'session'; readonly version: 1; readonly nodes: readonly unknown[] }
  | { readonly type: 'perform'; readonly command: Command; readonly merge: string | null; readonly at: number }
  | { readonly type: 'undo' }
  | { readonly type: 'redo' }
  | { readonly type: 'select'; readonly ids: readonly string[] }
  /** A fit of the draft begins, is at a point, ends with a report or without one. */
  | { readonly type: 'fit.begin'; readonly parameters: BestPoint['parameters'] }
  | ({ readonly type: 'fit.best' } & Omit<BestPoint, 'draft'>)
  | { readonly type: 'fit.end'; readonly report: FitReport | null }
  /** `draft`: null where it is the one that stands. */
  | ({ readonly type: 'study.end'; readonly draft: Draft | null } & Omit<KeptStudy, 'draft'>)
  | { readonly type: 'run.add'; readonly run: RunData; readonly draft: Draft | null }
  | { readonly type: 'run.edit'; readonly edit: RunEdit };

export function openSession(
  draft: Draft,
  {
    saved = false,
    stamp = null,
    fit = null,
    studies = [],
    runs = noRuns,
  }: {
    saved?: boolean;
    stamp?: Stamp | null;
    fit?: FitReport | null;
    studies?: readonly KeptStudy[] | undefined;
    runs?: Runs;
  } = {},
): Session {
  return {
    log: openLog(draft),
    saved: saved ? draft : null,
    stamp,
    order: Object.keys(draft),
    selection: [],
    report: fit,
    fitted: null,
    best: null,
    studies,
    runs,
  };
}

/** A history may be long and its drafts large: as much of it as this many entries of lists are written. */
const longestHistory = 300_000;

/** The session as one entry of a journal. */
export function sessionEntry(session: Session): string {
  return toJson({ type: 'session', version: 1, nodes: pack({ ...session, log: recent(session.log, longestHistory) }) });
}

export function actionEntry(action: Action): string {
  return toJson(action);
}

const draft = v.custom<Draft>(isDraft, 'wanted a document');
const patch = v.custom<CommandLog['past'][number]['forward']>((input) => Array.isArray(input), 'wanted patches');
const command = v.custom<Command>(isCommand, 'wanted a command');
const logEntry = v.object({ command, forward: patch, backward: patch, merge: v.nullable(v.string()), at: v.number() });
const number = v.custom<number>((input) => typeof input === 'number', 'wanted a number');
const parameters = v.custom<BestPoint['parameters']>(
  (input) => isRecord(input) && Object.values(input).every((values) => Array.isArray(values)),
  'wanted values by name',
);
const best = { iteration: v.number(), objective: number, parameters };

const session = v.object({
  log: v.object({ draft, past: v.array(logEntry), future: v.array(logEntry) }),
  saved: v.nullable(draft),
  stamp: v.nullable(stamp),
  order: v.array(v.string()),
  selection: v.array(v.string()),
  report: v.nullable(fitReport),
  fitted: v.nullable(draft),
  best: v.nullable(v.object({ draft, ...best })),
  // Journals of before have none.
  studies: v.optional(v.array(v.object({ report: studyReport, draft: v.nullable(draft), parameters })), []),
  runs: v.optional(runsSchema, { last: 0, list: [], compared: [] }),
});

const action = v.variant('type', [
  v.object({ type: v.literal('session'), version: v.literal(1), nodes: v.array(v.unknown()) }),
  v.object({ type: v.literal('perform'), command, merge: v.nullable(v.string()), at: v.number() }),
  v.object({ type: v.literal('undo') }),
  v.object({ type: v.literal('redo') }),
  v.object({ type: v.literal('select'), ids: v.array(v.string()) }),
  v.object({ type: v.literal('fit.begin'), parameters }),
  v.object({ type: v.literal('fit.best'), ...best }),
  v.object({ type: v.literal('fit.end'), report: v.nullable(fitReport) }),
  v.object({ type: v.literal('study.end'), report: studyReport, draft: v.nullable(draft), parameters }),
  v.object({ type: v.literal('run.add'), run: runData, draft: v.nullable(draft) }),
  v.object({ type: v.literal('run.edit'), edit: runEdit }),
]);

export function advance(before: Session, step: Exclude<Action, { type: 'session' }>): Session {
  const { log } = before;
  switch (step.type) {
    case 'perform':
      return { ...before, log: perform(log, step.command, step.merge, step.at) };
    case 'undo':
      return { ...before, log: undo(log) };
    case 'redo':
      return { ...before, log: redo(log) };
    case 'select':
      return { ...before, selection: step.ids };
    case 'fit.begin':
      return { ...before, best: { draft: log.draft, iteration: 0, objective: NaN, parameters: step.parameters } };
    case 'fit.best': {
      const { type: _, ...point } = step;
      return { ...before, best: { draft: before.best?.draft ?? log.draft, ...point } };
    }
    case 'fit.end': {
      const { report } = step;
      return report
        ? { ...before, report, fitted: before.best?.draft ?? log.draft, best: null }
        : { ...before, best: null };
    }
    case 'study.end': {
      const { report, parameters } = step;
      const others = before.studies.filter(
        ({ report: { kind, method } }) => kind !== report.kind || method !== report.method,
      );
      return { ...before, studies: [...others, { report, draft: step.draft ?? log.draft, parameters }] };
    }
    case 'run.add':
      return { ...before, runs: withRun(before.runs, { ...step.run, draft: step.draft ?? log.draft }) };
    case 'run.edit':
      return { ...before, runs: edited(before.runs, step.edit) };
  }
}

export interface Replayed {
  /** Null where nothing can be made of the journal. */
  readonly session: Session | null;
  /** Entries at the end that could not be understood. */
  readonly lost: number;
}

/** Up to the first entry that is none: what follows it was done to a document that is not there. */
export function replay(entries: readonly string[]): Replayed {
  let now: Session | null = null;
  for (const [i, entry] of entries.entries()) {
    try {
      const step = v.parse(action, fromJson(entry));
      // Parsing checks and copies: what the parts share is shared in what was unpacked.
      if (step.type === 'session') {
        const unpacked = unpack(step.nodes);
        v.parse(session, unpacked);
        const {
          studies = [],
          runs,
          ...rest
        } = unpacked as Omit<Session, 'studies' | 'runs'> &
          Partial<Pick<Session, 'studies'>> & { runs?: Partial<Runs> };
        now = { ...rest, studies, runs: { ...noRuns, ...runs } };
      } else if (now) now = advance(now, step);
      else return { session: null, lost: entries.length };
    } catch {
      return { session: now, lost: entries.length - i };
    }
  }
  return { session: now, lost: 0 };
}

/** The files that the document's tables name. */
export function tableFiles(document: JsonRecord): string[] {
  const { tables } = document;
  if (!isRecord(tables)) return [];
  return Object.values(tables).flatMap((table) =>
    isRecord(table) && typeof table['file'] === 'string' ? [table['file']] : [],
  );
}
