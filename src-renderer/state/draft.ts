/**
 * A document as it is being edited. It may be wrong anywhere (that is what `model.check` tells), so only its outline is
 * typed. Drafts are immutable: every change goes through a command and shares what it leaves alone.
 *
 * Ids come from the user and may be `__proto__` or `constructor`: records keyed by them are read with `own` and changed
 * with `withEntry`, never by plain indexing.
 */
export type Point = readonly [x: number, y: number];

export interface BlockDraft {
  readonly id: string;
  readonly kind: string;
  readonly [key: string]: unknown;
}

export interface Draft {
  readonly format: string;
  readonly blocks: readonly BlockDraft[];
  readonly [key: string]: unknown;
}

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The entry of a record, if it is the record's own. */
export function own(record: unknown, key: string): unknown {
  return isRecord(record) && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The record with one entry set, or left out where `value` is undefined. The order of the others stays. */
export function withEntry(record: unknown, key: string, value: unknown): JsonRecord {
  const entries = isRecord(record) ? Object.entries(record) : [];
  const at = entries.findIndex(([name]) => name === key);
  if (value === undefined) return Object.fromEntries(entries.filter(([name]) => name !== key));
  if (at < 0) entries.push([key, value]);
  else entries[at] = [key, value];
  // fromEntries defines properties, so that `__proto__` becomes an entry like any other.
  return Object.fromEntries(entries);
}

export const emptyDraft: Draft = { format: 'cotangent/1', name: 'Untitled model', blocks: [] };

/** Takes a parsed document for editing. What cannot be drawn (a block without id or kind) is named, not dropped in silence. */
export function readDraft(document: JsonRecord): { draft: Draft; left: string[] } {
  const left: string[] = [];
  const seen = new Set<string>();
  const blocks: BlockDraft[] = [];
  for (const [index, block] of (Array.isArray(document['blocks']) ? document['blocks'] : []).entries()) {
    const id = own(block, 'id');
    const kind = own(block, 'kind');
    if (typeof id !== 'string' || typeof kind !== 'string') left.push(`block ${index} has no id or no kind`);
    else if (seen.has(id)) left.push(`there is a second block ${id}`);
    else {
      seen.add(id);
      blocks.push(block as BlockDraft);
    }
  }
  const format = typeof document['format'] === 'string' ? document['format'] : '';
  return { draft: { ...document, format, blocks }, left };
}

export function blockOf(draft: Draft, id: string): BlockDraft | undefined {
  return draft.blocks.find((block) => block.id === id);
}

export function draftName(draft: Draft): string {
  return typeof draft['name'] === 'string' && draft['name'] !== '' ? draft['name'] : 'Untitled model';
}

export function positionOf(draft: Draft, id: string): Point | undefined {
  const position = own(own(draft['view'], 'positions'), id);
  if (!Array.isArray(position) || position.length !== 2) return undefined;
  const [x, y] = position as unknown[];
  return typeof x === 'number' && typeof y === 'number' && Number.isFinite(x + y) ? [x, y] : undefined;
}

export function objectivesOf(draft: Draft): readonly string[] {
  const objective = draft['objective'];
  if (typeof objective === 'string') return [objective];
  return Array.isArray(objective) ? objective.filter((id) => typeof id === 'string') : [];
}

/** The document without `view`, in one spelling: two drafts with the same essence have the same results. */
export function essence(draft: Draft): string {
  return JSON.stringify(draft, (key, value: unknown) => {
    if (key === 'view') return undefined;
    return isRecord(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : value;
  });
}

/** A name not yet taken, from a stem: `k`, `k2`, `k3`, … */
export function freshId(taken: ReadonlySet<string>, stem: string): string {
  if (!taken.has(stem)) return stem;
  for (let n = 2; ; n++) if (!taken.has(`${stem}${n}`)) return `${stem}${n}`;
}

/** A parameter or constant value, number or nested array, read from a document. JSON's missing numbers are strings there. */
export type Numbers = number | readonly Numbers[];

export function numberFrom(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (value === 'NaN') return NaN;
  if (value === 'Infinity') return Infinity;
  if (value === '-Infinity') return -Infinity;
  return undefined;
}

export function flatNumbers(value: unknown): number[] | undefined {
  const single = numberFrom(value);
  if (single !== undefined) return [single];
  if (!Array.isArray(value)) return undefined;
  const parts = value.map(flatNumbers);
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
}

/** The same nesting with other numbers. */
export function refill(shape: unknown, numbers: readonly number[]): Numbers {
  let next = 0;
  const fill = (value: unknown): Numbers => (Array.isArray(value) ? value.map(fill) : (numbers[next++] ?? NaN));
  return fill(shape);
}
