/**
 * Other models of the same tables, kept in the document's `view` to be compared with its own: each is blocks with an
 * objective. What cannot be read is not shown and stays in the document.
 */
import type { Command } from '../commands.ts';
import type { BlockDraft, Draft, JsonRecord } from '../draft.ts';
import { isRecord, own, withEntry } from '../draft.ts';

/** What the document's own model is called beside them. */
export const thisModel = 'this model';

export interface Candidate {
  /** Its place in the document's list. */
  readonly index: number;
  readonly name: string;
  readonly draft: Draft;
}

function listOf(draft: Draft): readonly unknown[] {
  const list = own(draft['view'], 'candidates');
  return Array.isArray(list) ? list : [];
}

const isBlock = (value: unknown): value is BlockDraft =>
  isRecord(value) && typeof value['id'] === 'string' && typeof value['kind'] === 'string';

/** Each as a document of its own, over the tables as they now are. */
export function candidatesOf(draft: Draft): Candidate[] {
  return listOf(draft).flatMap((entry, index): Candidate[] => {
    const [name, blocks] = [own(entry, 'name'), own(entry, 'blocks')];
    if (typeof name !== 'string' || !Array.isArray(blocks) || !blocks.every(isBlock)) return [];
    return [{ index, name, draft: candidateDraft(draft, entry as JsonRecord, blocks) }];
  });
}

function candidateDraft(draft: Draft, entry: JsonRecord, blocks: readonly BlockDraft[]): Draft {
  const { objective: _objective, fit: _fit, ...shared } = draft;
  const whole = withEntry({ ...shared, blocks }, 'objective', entry['objective']);
  return withEntry(whole, 'fit', entry['fit']) as Draft;
}

/** A name that no candidate has yet. */
export function freshName(draft: Draft): string {
  const taken = new Set(listOf(draft).map((entry) => own(entry, 'name')));
  for (let number = taken.size + 1; ; number++) if (!taken.has(`Model ${number}`)) return `Model ${number}`;
}

const annotate = (what: string, entries: readonly unknown[]): Command => ({
  ...{ type: 'annotate', key: 'candidates', what, entries, positions: [] },
});

const entryOf = (draft: Draft, name: string): JsonRecord => ({
  name,
  blocks: draft.blocks,
  ...(draft['objective'] !== undefined && { objective: draft['objective'] }),
  ...(draft['fit'] !== undefined && { fit: draft['fit'] }),
});

/** The model as it stands becomes a candidate. */
export function keepCandidate(draft: Draft, name: string): Command {
  return annotate(`Keep ${name}`, [...listOf(draft), entryOf(draft, name)]);
}

export function dropCandidate(draft: Draft, { index, name }: Candidate): Command {
  return annotate(
    `Remove ${name}`,
    listOf(draft).filter((_, i) => i !== index),
  );
}

/** Undefined where another has the name. */
export function renameCandidate(draft: Draft, { index, name }: Candidate, to: string): Command | undefined {
  if (to.trim() === '' || listOf(draft).some((entry, i) => i !== index && own(entry, 'name') === to)) return undefined;
  return annotate(
    `Rename ${name}`,
    listOf(draft).map((entry, i) => (i === index ? { ...(entry as JsonRecord), name: to } : entry)),
  );
}

/** The model and a candidate change places: nothing is lost. */
export function useCandidate(draft: Draft, candidate: Candidate): Command {
  const kept = entryOf(draft, freshName(draft));
  const entries = listOf(draft).map((entry, i) => (i === candidate.index ? kept : entry));
  const next = { ...candidate.draft, view: withEntry(draft['view'], 'candidates', entries) };
  return { type: 'replace', what: `Use ${candidate.name}`, draft: next };
}
