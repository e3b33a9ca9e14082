/**
 * What studies found, as it lies beside a document: `NAME.studies.json`. Each report is of the document that lies there, or, where
 * that has been edited since, of one of `documents`.
 */
import * as v from 'valibot';
import { count, number, record } from './fields.ts';
import { studyReport, type StudyReport } from './studies.ts';

const list = <S extends v.GenericSchema>(item: S) => v.pipe(v.array(item), v.readonly());

export const storedStudies = v.object({
  documents: list(record(v.unknown())),
  studies: list(
    v.object({
      report: studyReport,
      /** The values at which it began. */
      parameters: record(list(number)),
      /** Which of `documents`; absent where it is the one that lies there, null where it is not known. */
      document: v.optional(v.nullable(count)),
    }),
  ),
});
export type StoredStudies = v.InferOutput<typeof storedStudies>;

/** As they come back. */
export const heldStudies = v.object({
  ...storedStudies.entries,
  /** Whether the document is still the one beside which they were written. */
  same: v.boolean(),
});
export type HeldStudies = v.InferOutput<typeof heldStudies>;

/** Names a run of a study: each kind and method keeps its last. */
export const studyKey = ({ kind, method, finishedAt }: StudyReport): string => `${kind} ${method} ${finishedAt}`;

/** More numbers than this in all are not written beside a document: they are drawn again. */
const mostDrawn = 2_000_000;

/** Without what was sampled. */
export function withoutDraws(report: StudyReport): StudyReport {
  if (report.kind !== 'uncertainty') return report;
  const { draws: _, ...told } = report;
  return told;
}

/** What is written of a report: it has its draws where these are not too many. */
export const withinReason = (report: StudyReport): StudyReport =>
  report.kind === 'uncertainty' && drawn(report.draws) > mostDrawn ? withoutDraws(report) : report;

const drawn = (draws: readonly { readonly chains: readonly Float64Array[] }[] = []): number =>
  draws.reduce((sum, { chains }) => chains.reduce((all, { length }) => all + length, sum), 0);
