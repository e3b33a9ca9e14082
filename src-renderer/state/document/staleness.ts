/**
 * Whether a result still belongs to the document: as long as the model means what it meant (`model.check` tells), however
 * it is written, drawn and packed. What has changed is said in the user's terms: ids of blocks, `tables`, `objective`. And whether a
 * value does: as long as nothing has changed of what it is made of.
 */
import type { CheckReport, FitReport } from '../../../src-main/contract/contract.ts';
import type { ElementLabels } from '../../../src-main/contract/element-labels.ts';
import { studiedOutputs, type StudyReport } from '../../../src-main/contract/studies.ts';
import type { BlockDraft, Draft } from './draft.ts';
import { blockOf, changedBetween, own, same } from './draft.ts';
import { referencesOf } from './references.ts';
import { sameCells } from './table-edits.ts';
import { blockOfReference } from './wiring.ts';

type Meaning = CheckReport['meaning'];

/** The draft that was checked last, and what of it is right means. */
export interface Checked {
  readonly draft: Draft | undefined;
  readonly meaning: Meaning;
}

/** What a result is about. */
export interface About {
  /** Null where it was stored with a document, and this is not known to be one of the same meaning. */
  readonly draft: Draft | null;
  /** References of outputs, `objective` the document's own. */
  readonly of: readonly string[];
  readonly meaning: string;
}

const objective = 'objective';

export function aboutOf(draft: Draft | null, report: FitReport | StudyReport): About {
  const { meaning } = report;
  if (!('kind' in report)) return { draft, of: [objective], meaning };
  if (report.kind === 'sensitivity') return { draft, of: [report.of], meaning };
  return { draft, of: [objective, ...studiedOutputs(report)], meaning };
}

/** What has changed since the result; empty while it stands. */
export function changedSince(about: About, now: Draft, checked: Checked): readonly string[] {
  const { draft } = about;
  const written = draft ? changedBetween(draft, now).filter((id) => !inWordsAlone(draft, now, id)) : ['the document'];
  const meaning = presumed(now, checked);
  if (!meaning) return written;
  if (about.of.map((reference) => meaningOf(meaning, reference)).join(' ') === about.meaning) return [];
  if (written.length > 0) return written;
  // The document is the same, its files are not; until it is checked again nothing is known of them.
  return checked.draft === now ? ['the data'] : [];
}

/**
 * Whose bounds and units go with the figures of a result: those of now as long as it stands, then those that it was found
 * with. Of one that is of another document that is not known, nothing is.
 */
export function readBy(of: Draft | null, now: Draft, changed: readonly string[]): Draft {
  return changed.length === 0 ? now : (of ?? { ...now, blocks: [] });
}

/** The same of what elements are called; until the document has been checked, nothing is called anything now. */
export function labelledBy(
  found: { readonly labels?: Readonly<Record<string, readonly string[]>> | undefined } | undefined,
  now: ElementLabels,
  changed: readonly string[],
): ElementLabels {
  return changed.length === 0 && now.size > 0 ? now : new Map(Object.entries(found?.labels ?? {}));
}

/** What is said of a model and of a block, and is no part of what either means. */
const words = { model: ['name', 'note'], block: ['label', 'note', 'unit'] };

/** Whether of what has changed, a block or a key of the document, no meaning can. */
function inWordsAlone(before: Draft, now: Draft, id: string): boolean {
  const [old, block] = [blockOf(before, id), blockOf(now, id)];
  if (!old && !block) return words.model.includes(id);
  if (!old || !block) return false;
  const nothing = Object.fromEntries(words.block.map((key) => [key, undefined]));
  return same({ ...old, ...nothing }, { ...block, ...nothing });
}

/**
 * What a draft means, as far as it is known. Until an edit is checked the model is taken to mean what it meant: only what
 * is done to a parameter changes it for certain, and is followed at once, as sliders are.
 */
function presumed(now: Draft, { draft, meaning }: Checked): Meaning {
  if (!draft || now === draft) return meaning;
  const ofParameters = changedBetween(draft, now).some((id) => isParameter(draft, id) || isParameter(now, id));
  return ofParameters ? undefined : meaning;
}

const isParameter = (draft: Draft, id: string): boolean => blockOf(draft, id)?.kind === 'parameter';

function meaningOf(meaning: NonNullable<Meaning>, reference: string): string {
  return String(own(meaning.outputs, reference) ?? (reference === objective ? meaning.objective : undefined));
}

/** All that values depend on. */
export interface ModelPoint {
  /** The same object as long as only start values change: the engine keeps what it compiled for it. */
  readonly draft: Draft;
  readonly parameters: Record<string, number | number[]>;
  /** How often the files of its tables were written while it was open. */
  readonly readings: number;
}

/** Of references, by how they were computed and how they would be now: what is made of what has changed has changed. */
export function standing(before: ModelPoint, now: ModelPoint): (reference: string) => boolean {
  const was = new Map(before.draft.blocks.map((block) => [block.id, block]));
  const stands = new Set(now.draft.blocks.map(({ id }) => id));
  const users = new Map<string, string[]>();
  const changed: string[] = [];
  for (const block of now.draft.blocks) {
    if (!isMadeAlike(before, was.get(block.id), now, block)) changed.push(block.id);
    for (const reference of referencesOf(block)) {
      const id = blockOfReference(reference);
      if (!stands.has(id)) changed.push(block.id);
      const known = users.get(id);
      if (known) known.push(block.id);
      else users.set(id, [block.id]);
    }
  }
  for (let id = changed.pop(); id !== undefined; id = changed.pop())
    if (stands.delete(id)) for (const user of users.get(id) ?? []) changed.push(user);
  return (reference) => stands.has(blockOfReference(reference));
}

/** Whether a block itself is as it was, whatever it is made of. */
function isMadeAlike(before: ModelPoint, was: BlockDraft | undefined, now: ModelPoint, is: BlockDraft): boolean {
  if (!was || !same(before.parameters[is.id], now.parameters[is.id])) return false;
  if (is.kind === 'parameter') return was.kind === 'parameter';
  if (is.kind === 'column' && !(before.readings === now.readings && sameColumn(before.draft, now.draft, is)))
    return false;
  return same(was, is);
}

function sameColumn(a: Draft, b: Draft, { table, column }: BlockDraft): boolean {
  return sameCells(a, b, String(table), String(column));
}
