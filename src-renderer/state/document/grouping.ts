/**
 * Packing blocks into a group and unpacking it. What a packed block takes from outside becomes an input of the group,
 * what is taken from it outside an output; the numbers are the same. Places inside are kept as `group/inner`, from the
 * group's own.
 */
import type { BlockDraft, Draft, JsonRecord, Point } from './draft.ts';
import { blockOf, freshId, isRecord, objectivesOf, own, positionOf, withEntry } from './draft.ts';
import { kindOf } from '../words/kinds.ts';
import { formulaReferences, namesMentioned, redirect, referencesOf, takesPorts } from './references.ts';
import { blockOfReference } from './wiring.ts';

/** What stays on the canvas: what a fit changes, what it is fitted to, and what it minimises. */
const stays = new Set(['parameter', 'random-effect', 'column']);

const betweenUnplaced = 200;

export interface Packing {
  readonly ids: readonly string[];
  /** Of the group. */
  readonly id: string;
}

/** Which of the selected blocks can go into a group. */
export function packable(draft: Draft, ids: readonly string[]): string[] {
  const objectives = new Set(objectivesOf(draft));
  return ids.filter((id) => {
    const block = blockOf(draft, id);
    return block && !stays.has(block.kind) && kindOf(block.kind).icon !== 'objective' && !objectives.has(id);
  });
}

/** A sentence where these blocks cannot be packed. */
export function whyNotPacked(draft: Draft, ids: readonly string[]): string | undefined {
  const inside = new Set(packable(draft, ids));
  if (inside.size === 0) return 'A group takes blocks that compute: data, parameters and objectives stay outside.';
  const outputs = outputsOf(draft, inside);
  if (outputs.size < 2) return undefined;
  for (const block of draft.blocks) {
    if (inside.has(block.id) || takesPorts(block)) continue;
    const name = formulaReferences(block).find((reference) => inside.has(reference));
    if (name !== undefined)
      return `The formulas of ${block.id} name ${name}, and cannot name an output of a group: select ${block.id} too.`;
  }
  return undefined;
}

/** Inner references by the name of the output under which they leave, in the order of the document. */
function outputsOf(draft: Draft, inside: ReadonlySet<string>): Map<string, string> {
  const wanted = draft.blocks.flatMap((block) => (inside.has(block.id) ? [] : referencesOf(block)));
  const leaving = [...new Set(wanted)].filter((reference) => inside.has(blockOfReference(reference)));
  // What nobody takes would be lost to sight: where nothing leaves, every block that feeds no other does.
  const read = new Set(
    draft.blocks.filter((block) => inside.has(block.id)).flatMap((block) => referencesOf(block).map(blockOfReference)),
  );
  const ends = leaving.length > 0 ? leaving : [...inside].filter((id) => !read.has(id));
  const outputs = new Map<string, string>();
  for (const reference of ends) {
    const name = freshId(new Set(outputs.keys()), asName(reference));
    outputs.set(name, reference);
  }
  return outputs;
}

function asName(reference: string): string {
  return reference.replace('.', '_');
}

export function pack(draft: Draft, { ids, id }: Packing): Draft {
  const inside = new Set(packable(draft, ids));
  if (whyNotPacked(draft, ids) !== undefined || blockOf(draft, id)) return draft;
  const packed = draft.blocks.filter((block) => inside.has(block.id));
  const known = new Set(draft.blocks.map((block) => block.id));
  const inputs = inputsOf(packed, inside, known);
  const outputs = outputsOf(draft, inside);
  const nameOf = new Map([...outputs].map(([name, reference]) => [reference, name]));
  const outward = (reference: string) => {
    const name = nameOf.get(reference);
    return name === undefined ? reference : outputs.size === 1 ? id : `${id}.${name}`;
  };
  const group: BlockDraft = {
    id,
    kind: 'group',
    inputs: Object.fromEntries([...inputs].map(([reference, port]) => [port, reference])),
    blocks: packed.map((block) => redirect(block, (reference) => inputs.get(reference) ?? reference, true)),
    outputs: Object.fromEntries(outputs),
  };
  // The group stands where the first of its blocks stood: a document is read from above.
  let standing = false;
  const blocks = draft.blocks.flatMap((block) => {
    if (!inside.has(block.id)) return [redirect(block, outward, true)];
    if (standing) return [];
    standing = true;
    return [group];
  });
  return { ...draft, blocks };
}

/** The port for each reference that comes from outside. */
function inputsOf(
  packed: readonly BlockDraft[],
  inside: ReadonlySet<string>,
  known: ReadonlySet<string>,
): Map<string, string> {
  const references = packed.flatMap(referencesOf);
  const taken = new Set([...inside, ...references, ...packed.flatMap((block) => [...namesMentioned(block)])]);
  const ports = new Map<string, string>();
  for (const reference of references) {
    const source = blockOfReference(reference);
    // A name that is no block's is an error inside as it was outside.
    if (inside.has(source) || !known.has(source) || ports.has(reference)) continue;
    const port = reference === source ? reference : freshId(taken, asName(reference));
    taken.add(port);
    ports.set(reference, port);
  }
  return ports;
}

export function unpack(draft: Draft, id: string): Draft {
  const group = blockOf(draft, id);
  const inner = innerBlocks(group);
  if (!group || inner.length === 0) return draft;
  const renamed = innerIds(draft, group);
  const follow = (reference: string) => {
    const source = blockOfReference(reference);
    const rest = reference.slice(source.length);
    const input = own(group['inputs'], source);
    if (input === '') return undefined;
    if (typeof input === 'string') return input.includes('.') ? input : input + rest;
    return (renamed.get(source) ?? source) + rest;
  };
  const outputs = isRecord(group['outputs']) ? Object.entries(group['outputs']) : [];
  const outward = (reference: string) => {
    if (blockOfReference(reference) !== id) return reference;
    const name = reference.slice(id.length + 1);
    const found = outputs.length === 1 && name === '' ? outputs[0]![1] : own(group['outputs'], name);
    return typeof found === 'string' ? follow(found) : undefined;
  };
  const blocks = draft.blocks.flatMap((block) =>
    block.id === id
      ? inner.map((each): BlockDraft => ({ ...redirected(each, follow), id: renamed.get(each.id)! }))
      : [redirected(block, outward)],
  );
  return { ...draft, blocks };
}

export function innerBlocks(group: BlockDraft | undefined): readonly BlockDraft[] {
  const blocks = group?.kind === 'group' ? group['blocks'] : undefined;
  return Array.isArray(blocks) ? (blocks as readonly BlockDraft[]) : [];
}

/** What the inner blocks are called outside. */
export function innerIds(draft: Draft, group: BlockDraft): ReadonlyMap<string, string> {
  const taken = new Set(draft.blocks.flatMap((block) => (block.id === group.id ? [] : [block.id])));
  const mentioned = new Set(innerBlocks(group).flatMap((block) => [block.id, ...namesMentioned(block)]));
  const ids = new Map<string, string>();
  for (const { id } of innerBlocks(group)) {
    const to = taken.has(id) ? freshId(new Set([...taken, ...mentioned]), id) : id;
    ids.set(id, to);
    taken.add(to);
  }
  return ids;
}

/** Redirected; a port that is now wired to the block of its own name needs no mention. */
function redirected(block: BlockDraft, change: (reference: string) => string | undefined): BlockDraft {
  const result = redirect(block, change, true);
  if (result === block || !takesPorts(block) || !isRecord(result['inputs'])) return result;
  const { inputs, ...rest } = result;
  const kept = Object.entries(inputs).filter(([port, source]) => port !== source);
  return kept.length === 0 ? rest : { ...rest, inputs: Object.fromEntries(kept) };
}

/** `view.positions` with the blocks inside from the group's place on. */
export function packedPositions(draft: Draft, { ids, id }: Packing, at: Point): JsonRecord {
  const known = own(draft['view'], 'positions');
  const moved = packable(draft, ids).reduce<JsonRecord>(
    (record, inner) => {
      const point = positionOf(draft, inner);
      const without = withEntry(record, inner, undefined);
      return point ? withEntry(without, `${id}/${inner}`, [point[0] - at[0], point[1] - at[1]]) : without;
    },
    isRecord(known) ? known : {},
  );
  return withEntry(moved, id, [...at]);
}

/** The other way. Blocks that never had a place, in a document written by hand, stand in a row. */
export function unpackedPositions(draft: Draft, id: string): JsonRecord {
  const known = own(draft['view'], 'positions');
  const entries = isRecord(known) ? Object.entries(known) : [];
  const rest = Object.fromEntries(entries.filter(([key]) => key !== id && !key.startsWith(`${id}/`)));
  const group = blockOf(draft, id);
  const [x, y] = positionOf(draft, id) ?? [0, 0];
  const names = [...(group ? innerIds(draft, group) : [])];
  return names.reduce<JsonRecord>((positions, [inner, name], i) => {
    const [dx, dy] = positionOf(draft, `${id}/${inner}`) ?? [betweenUnplaced * i, 0];
    return withEntry(positions, name, [x + dx, y + dy]);
  }, rest);
}
