/**
 * A selection as text, and text as blocks. The text is a document of its own: it can be pasted into any window, mailed,
 * or saved as a model. What is pasted gets ids that are free, and its formulas and wires follow.
 */
import type { Command, Placed } from './commands.ts';
import type { BlockDraft, Draft, JsonRecord, Point } from './draft.ts';
import { freshId, isRecord, objectivesOf, own, positionOf, same, withEntry } from './draft.ts';
import { kindOf } from '../words/kinds.ts';
import { namesMentioned, redirect } from './references.ts';
import { blockOfReference } from './wiring.ts';

/** Where a copy is put that has no place of its own: beside the original. */
const aside = 24;

export function copyText(draft: Draft, ids: readonly string[], placeOf: (id: string) => Point | undefined): string {
  return JSON.stringify(selectionOf(draft, ids, placeOf), null, 1);
}

/** The selected blocks as a document, with the tables of their columns. */
export function selectionOf(draft: Draft, ids: readonly string[], placeOf: (id: string) => Point | undefined): Draft {
  const chosen = new Set(ids);
  const blocks = draft.blocks.filter((block) => chosen.has(block.id));
  const tables = tablesOf(blocks).reduce<JsonRecord | undefined>((record, name) => {
    const entry = own(draft['tables'], name);
    return entry === undefined ? record : withEntry(record, name, entry);
  }, undefined);
  const outer = blocks.flatMap(({ id }): Placed[] => {
    const at = placeOf(id);
    return at ? [[id, at]] : [];
  });
  const inner = innerPositions(draft, new Map(ids.map((id) => [id, id])));
  const positions = [...outer, ...inner].reduce<JsonRecord>((record, [id, at]) => withEntry(record, id, [...at]), {});
  return { format: draft.format, ...(tables && { tables }), blocks, view: { positions } };
}

/** The tables that blocks read, those inside groups too. */
function tablesOf(blocks: readonly unknown[]): string[] {
  const names = blocks.flatMap((block) => {
    const inner = own(block, 'blocks');
    const table = own(block, 'kind') === 'column' ? own(block, 'table') : undefined;
    return [...(typeof table === 'string' ? [table] : []), ...(Array.isArray(inner) ? tablesOf(inner) : [])];
  });
  return [...new Set(names)];
}

/** What text from outside is to the canvas. */
export type Pasted =
  | { readonly kind: 'blocks'; readonly document: JsonRecord }
  /** Rows of cells: the import's business. */
  | { readonly kind: 'table' }
  | { readonly kind: 'fault'; readonly message: string };

export function readPasted(text: string): Pasted {
  const trimmed = text.trim();
  if (trimmed === '') return fault('There is no text to paste.');
  if (!trimmed.startsWith('{'))
    return /[\r\n]/.test(trimmed) || trimmed.startsWith('[')
      ? { kind: 'table' }
      : fault('One line of text is neither blocks nor a table.');
  let json: unknown;
  try {
    json = JSON.parse(trimmed);
  } catch (error) {
    return fault(`The pasted text begins like blocks and is no JSON: ${(error as Error).message}.`);
  }
  if (own(json, 'blocks') === undefined && own(json, 'format') === undefined) return { kind: 'table' };
  return { kind: 'blocks', document: json as JsonRecord };
}

function fault(message: string): Pasted {
  return { kind: 'fault', message };
}

export interface PasteInto {
  readonly draft: Draft;
  /** The top left corner of what is pasted; undefined puts it beside where it was. */
  readonly at: Point | undefined;
  /** Undefined of what was neither pasted nor doubled. */
  readonly what?: 'Paste' | 'Duplicate' | undefined;
}

type Add = Extract<Command, { type: 'add' }>;

/** The blocks of a checked document as one addition to another. */
export function pasteCommand(fragment: Draft, { draft, at, what }: PasteInto): Add {
  const ids = freshIds(fragment, draft);
  const tables = placeTables(fragment, draft);
  const follow = (reference: string) => {
    const to = ids.get(blockOfReference(reference));
    return to === undefined ? reference : to + reference.slice(blockOfReference(reference).length);
  };
  const blocks = fragment.blocks.map((block): BlockDraft => ({
    ...withTables(redirect(block, follow), tables),
    id: ids.get(block.id)!,
  }));
  const objective = fragment.blocks.find((block) => kindOf(block.kind).icon === 'objective');
  return {
    type: 'add',
    ...(what && { what }),
    blocks,
    positions: positionsFor(fragment, draft, ids, at),
    tables: [...tables.values()].flatMap(({ name, entry }) => (entry === undefined ? [] : [[name, entry] as const])),
    ...(objective && objectivesOf(draft).length === 0 && { objective: ids.get(objective.id)! }),
  };
}

/** New ids where the old are taken, and none that would be captured by a name in a formula. */
function freshIds(fragment: Draft, draft: Draft): ReadonlyMap<string, string> {
  const taken = new Set(draft.blocks.map((block) => block.id));
  const mentioned = new Set(fragment.blocks.flatMap((block) => [block.id, ...namesMentioned(block)]));
  const ids = new Map<string, string>();
  for (const { id } of fragment.blocks) {
    const to = taken.has(id) ? freshId(new Set([...taken, ...mentioned, stemOf(id)]), stemOf(id)) : id;
    ids.set(id, to);
    taken.add(to);
  }
  return ids;
}

/** A copy of `k2` is `k3`, not `k22`. */
function stemOf(id: string): string {
  return id.replace(/(?<=\D)\d+$/, '');
}

interface PlacedTable {
  readonly name: string;
  /** Undefined where the document has the table already. */
  readonly entry: unknown;
}

function placeTables(fragment: Draft, draft: Draft): ReadonlyMap<string, PlacedTable> {
  const taken = new Set(isRecord(draft['tables']) ? Object.keys(draft['tables']) : []);
  const placed = new Map<string, PlacedTable>();
  for (const [table, entry] of Object.entries(isRecord(fragment['tables']) ? fragment['tables'] : {})) {
    const present = own(draft['tables'], table);
    if (present !== undefined && same(present, entry)) placed.set(table, { name: table, entry: undefined });
    else {
      const name = freshId(taken, table);
      taken.add(name);
      placed.set(table, { name, entry });
    }
  }
  return placed;
}

function withTables(block: BlockDraft, tables: ReadonlyMap<string, PlacedTable>): BlockDraft {
  const inner = block['blocks'];
  if (Array.isArray(inner)) return { ...block, blocks: inner.map((each) => withTables(each as BlockDraft, tables)) };
  const table = block.kind === 'column' && typeof block['table'] === 'string' ? tables.get(block['table']) : undefined;
  return table && table.name !== block['table'] ? { ...block, table: table.name } : block;
}

function positionsFor(
  fragment: Draft,
  draft: Draft,
  ids: ReadonlyMap<string, string>,
  at: Point | undefined,
): Placed[] {
  // Among blocks with places, one without stands on the block that uses it.
  const some = fragment.blocks.some(({ id }) => positionOf(fragment, id));
  const places = fragment.blocks.flatMap(({ id }, i): Placed[] => {
    const place = positionOf(fragment, id) ?? (some ? undefined : ([i * aside, i * aside] as const));
    return place ? [[ids.get(id)!, place]] : [];
  });
  const left = Math.min(...places.map(([, [x]]) => x));
  const top = Math.min(...places.map(([, [, y]]) => y));
  const occupied = new Set(draft.blocks.map((block) => String(positionOf(draft, block.id))));
  let by: Point = at ? [at[0] - left, at[1] - top] : [aside, aside];
  const moved = () => places.map(([id, [x, y]]): Placed => [id, [x + by[0], y + by[1]]]);
  // Pasted twice at one place, the second copy would hide the first.
  while (moved().some(([, point]) => occupied.has(String(point)))) by = [by[0] + aside, by[1] + aside];
  return [...moved(), ...innerPositions(fragment, ids)];
}

/** Places of blocks inside groups (`g/inner`), which are relative to nothing outside. */
function innerPositions(fragment: Draft, ids: ReadonlyMap<string, string>): Placed[] {
  const positions = own(fragment['view'], 'positions');
  return Object.keys(isRecord(positions) ? positions : {}).flatMap((id): Placed[] => {
    const slash = id.indexOf('/');
    const group = slash < 0 ? undefined : ids.get(id.slice(0, slash));
    const point = positionOf(fragment, id);
    return group !== undefined && point ? [[group + id.slice(slash), point]] : [];
  });
}
