/** What studies found, as it is written beside the document, and as it comes back from there. */
import type { HeldStudies, StoredStudies } from '../../../src-main/contract/stored-studies.ts';
import { studyKey, withinReason } from '../../../src-main/contract/stored-studies.ts';
import type { Draft } from '../document/draft.ts';
import { inOrder, readDraft, sameDraft } from '../document/draft.ts';
import type { KeptStudy } from '../document/session.ts';

/** `stands`: whether it is known to be of what `draft` means, which is what is saved. */
export function storedStudies(
  found: readonly (KeptStudy & { readonly stands: boolean })[],
  draft: Draft,
): StoredStudies {
  const others: Draft[] = [];
  const placeOf = (study: (typeof found)[number]): number | null | undefined => {
    if (!study.draft) return null;
    if (study.stands || sameDraft(study.draft, draft)) return undefined;
    const known = others.indexOf(study.draft);
    return known < 0 ? others.push(study.draft) - 1 : known;
  };
  const studies = found.map((study) => {
    const document = placeOf(study);
    const { parameters } = study;
    return { report: withinReason(study.report), parameters, ...(document !== undefined && { document }) };
  });
  return { documents: others.map((other) => inOrder(other)), studies };
}

/** `draft`: of the document beside which they lie. Of what else they are is not known where another program has written it. */
export function keptStudies({ documents, studies, same }: HeldStudies, draft: Draft): KeptStudy[] {
  const others = documents.map((document) => readDraft(document).draft);
  return studies.map(({ report, parameters, document }) => ({
    report,
    parameters,
    draft: document === undefined ? (same ? draft : null) : (others[document ?? -1] ?? null),
  }));
}

/** Of two lots the later run of each kind and method; of one and the same run, what was read: it has its draws. */
export function laterStudies(own: readonly KeptStudy[], read: readonly KeptStudy[]): KeptStudy[] {
  return read.flatMap((study) => {
    const { kind, method, finishedAt } = study.report;
    const mine = own.find(({ report }) => report.kind === kind && report.method === method);
    if (!mine || mine.report.finishedAt < finishedAt) return [study];
    return studyKey(mine.report) === studyKey(study.report) ? [{ ...study, draft: mine.draft ?? study.draft }] : [];
  });
}
