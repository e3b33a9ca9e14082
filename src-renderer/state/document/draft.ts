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

/** What nobody has placed is placed by the canvas. */
export function withoutPlaces(draft: Draft): Draft {
  const { view, ...rest } = draft;
  const others = Object.entries(isRecord(view) ? view : {}).filter(([key]) => key !== 'positions');
  return { ...rest, ...(others.length > 0 && { view: Object.fromEntries(others) }) };
}

export const isDraft = (value: unknown): value is Draft =>
  isRecord(value) &&
  Array.isArray(value['blocks']) &&
  value['blocks'].every(
    (block) => isRecord(block) && typeof block['id'] === 'string' && typeof block['kind'] === 'string',
  );

export function objectivesOf(draft: Draft): readonly string[] {
  const objective = draft['objective'];
  if (typeof objective === 'string') return [objective];
  return Array.isArray(objective) ? objective.filter((id) => typeof id === 'string') : [];
}

/** A value in one spelling: keys in one order. */
function spelled(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    isRecord(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) : item,
  );
}

export function same(a: unknown, b: unknown): boolean {
  return a === b || spelled(a) === spelled(b);
}

/** Whether two drafts are one document. What they share is not looked into, so that this is cheap after an edit. */
export function sameDraft(a: Draft, b: Draft): boolean {
  return a === b || (same(a['view'], b['view']) && changedBetween(a, b).length === 0);
}

/**
 * What differs between two drafts, `view` apart: ids of blocks, `tables`, `objective`, … A fit belongs to a document in
 * which nothing of this has changed.
 */
export function changedBetween(a: Draft, b: Draft): string[] {
  if (a === b) return [];
  const changed = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (key) => key !== 'view' && key !== 'blocks' && !same(own(a, key), own(b, key)),
  );
  const before = new Map(a.blocks.map((block) => [block.id, block]));
  for (const block of b.blocks) {
    if (!same(before.get(block.id), block)) changed.push(block.id);
    before.delete(block.id);
  }
  return [...changed, ...before.keys()];
}

/** Whether two drafts differ in start values alone: then what was compiled for one serves the other. */
export function sameButStart(a: Draft, b: Draft): boolean {
  if (a === b) return true;
  if (a.blocks.length !== b.blocks.length) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const key of keys) if (key !== 'blocks' && key !== 'view' && a[key] !== b[key]) return false;
  // How plots look is drawn by the engine, too: on a logarithmic axis a curve has other points.
  if (own(a['view'], 'plots') !== own(b['view'], 'plots')) return false;
  return a.blocks.every((block, i) => {
    const other = b.blocks[i]!;
    if (block === other) return true;
    const counts = block.kind === 'parameter' && flatNumbers(block['initial'])?.length;
    if (!counts || counts !== flatNumbers(other['initial'])?.length) return false;
    return same({ ...block, initial: 0 }, { ...other, initial: 0 });
  });
}

const usualOrder: readonly string[] = ['format', 'name', 'tables', 'blocks', 'objective', 'fit'];

/** The document as it is written: its keys in the order of its file, new ones where they usually stand, `view` last. */
export function inOrder(draft: Draft, order: readonly string[] = usualOrder): JsonRecord {
  const keys = order.filter((key) => Object.hasOwn(draft, key));
  for (const key of [...usualOrder, ...Object.keys(draft).filter((other) => other !== 'view'), 'view']) {
    if (!Object.hasOwn(draft, key) || keys.includes(key)) continue;
    const before = usualOrder.slice(0, Math.max(0, usualOrder.indexOf(key))).findLast((other) => keys.includes(other));
    const end = keys.at(-1) === 'view' ? keys.length - 1 : keys.length;
    keys.splice(before === undefined ? end : keys.indexOf(before) + 1, 0, key);
  }
  return Object.fromEntries(keys.map((key) => [key, draft[key]]));
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
