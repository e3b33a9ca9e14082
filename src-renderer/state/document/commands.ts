/**
 * Everything a user can do to a document is one of these records. `applyCommand` is the only place where a document
 * changes; `command-log.ts` remembers what it did.
 */
import type { AnnotationKey } from './annotations.ts';
import type { BlockDraft, Draft, JsonRecord, Numbers, Point } from './draft.ts';
import { isRecord, own, withEntry } from './draft.ts';
import { pack, packedPositions, unpack, unpackedPositions } from './grouping.ts';
import { redirect, takesPorts } from './references.ts';
import type { TableEdit } from './table-edits.ts';
import { editTable } from './table-edits.ts';
import { blockOfReference, mapReferences, withSource } from './wiring.ts';

export type Command =
  | {
      readonly type: 'add';
      readonly blocks: readonly BlockDraft[];
      readonly positions: readonly Placed[];
      readonly tables?: readonly (readonly [name: string, table: unknown])[];
      readonly objective?: string;
      /** Where the blocks come from, for the log: they are added unless this says otherwise. */
      readonly what?: 'Paste' | 'Duplicate';
    }
  /** Blocks become a group under a new id, and a group its blocks again. */
  | {
      readonly type: 'pack';
      readonly ids: readonly string[];
      readonly id: string;
      readonly at: Point;
      readonly positions: readonly Placed[];
    }
  | { readonly type: 'unpack'; readonly id: string; readonly positions: readonly Placed[] }
  | { readonly type: 'remove'; readonly ids: readonly string[] }
  | { readonly type: 'move'; readonly positions: readonly Placed[] }
  /** Sets one key of a block; undefined takes it away. */
  | { readonly type: 'set'; readonly id: string; readonly key: string; readonly value: unknown }
  /** Keys of several blocks at once; undefined takes one away. */
  | { readonly type: 'change'; readonly what: string; readonly changes: readonly BlockChange[] }
  | { readonly type: 'rename'; readonly id: string; readonly to: string }
  | { readonly type: 'wire'; readonly id: string; readonly port: string; readonly source: string | null }
  /** Start values of parameters. */
  | { readonly type: 'start-values'; readonly values: readonly (readonly [id: string, value: Numbers])[] }
  /** Frames, notes, pinned probes or kept candidates as they now are; a frame moves blocks with it. */
  | {
      readonly type: 'annotate';
      readonly what: string;
      readonly key: AnnotationKey | 'candidates';
      readonly entries: readonly unknown[];
      readonly positions: readonly Placed[];
    }
  /** How the plot of a block looks; undefined: as plots do. */
  | { readonly type: 'look'; readonly of: string; readonly look: JsonRecord | undefined }
  /** Cells of an inline table, and the rows of a table that count for nothing. */
  | ({ readonly type: 'table'; readonly what: string } & TableEdit)
  /** The whole document becomes another version of itself. */
  | { readonly type: 'replace'; readonly what: string; readonly draft: Draft }
  | { readonly type: 'document'; readonly key: 'name' | 'objective' | 'fit'; readonly value: unknown };

const commandTypes: { readonly [K in Command['type']]: true } = {
  ...{ add: true, pack: true, unpack: true, remove: true, move: true, set: true, change: true, rename: true },
  ...{ wire: true, 'start-values': true, annotate: true, replace: true, document: true, table: true, look: true },
};

/** Whether it is one of ours, as far as its name says. */
export function isCommand(value: unknown): value is Command {
  const type = own(value, 'type');
  return typeof type === 'string' && Object.hasOwn(commandTypes, type);
}

export interface BlockChange {
  readonly block: string;
  readonly keys: JsonRecord;
}

export type Placed = readonly [id: string, position: Point];

/** In words, for the undo button and the log. */
export function describe(command: Command): string {
  const count = (things: readonly unknown[], one: string) => (things.length === 1 ? one : `${things.length} blocks`);
  switch (command.type) {
    case 'add':
      return `${command.what ?? 'Add'} ${count(command.blocks, command.blocks[0]?.id ?? 'block')}`;
    case 'pack':
      return `Pack ${count(command.ids, command.ids[0] ?? '')} into ${command.id}`;
    case 'unpack':
      return `Unpack ${command.id}`;
    case 'remove':
      return `Delete ${count(command.ids, command.ids[0] ?? '')}`;
    case 'move':
      return `Move ${count(command.positions, command.positions[0]?.[0] ?? '')}`;
    case 'set':
      return `Change ${command.key} of ${command.id}`;
    case 'change':
      return command.what;
    case 'rename':
      return `Rename ${command.id} to ${command.to}`;
    case 'wire':
      return command.source === null ? `Unwire ${command.id}` : `Wire ${command.source} to ${command.id}`;
    case 'start-values':
      return command.values.length === 1 ? `Set ${command.values[0]![0]}` : 'Set start values';
    case 'annotate':
    case 'replace':
    case 'table':
      return command.what;
    case 'look':
      return `Change the plot of ${command.of}`;
    case 'document':
      return `Change ${command.key}`;
  }
}

export function applyCommand(draft: Draft, command: Command): Draft {
  switch (command.type) {
    case 'add':
      return add(draft, command);
    case 'pack':
      return packed(place(draft, command.positions), command);
    case 'unpack':
      return unpacked(place(draft, command.positions), command.id);
    case 'remove':
      return remove(draft, new Set(command.ids));
    case 'move':
      return place(draft, command.positions);
    case 'set':
      return changeBlock(draft, command.id, (block) => withKey(block, command.key, command.value));
    case 'change':
      return command.changes.reduce(
        (result, { block, keys }) => changeBlock(result, block, (of) => withKeys(of, keys)),
        draft,
      );
    case 'rename':
      return rename(draft, command.id, command.to);
    case 'wire':
      return changeBlock(draft, command.id, (block) => withSource(block, command.port, command.source));
    case 'start-values':
      return command.values.reduce(
        (result, [id, value]) => changeBlock(result, id, (block) => ({ ...block, initial: value })),
        draft,
      );
    case 'annotate':
      return place(annotate(draft, command.key, command.entries), command.positions);
    case 'look':
      return withLooks(draft, (looks) => withEntry(looks, command.of, command.look));
    case 'table':
      return editTable(draft, command);
    case 'replace':
      return command.draft;
    case 'document':
      return withEntry(draft, command.key, command.value) as Draft;
  }
}

function withKey(block: BlockDraft, key: string, value: unknown): BlockDraft {
  return withEntry(block, key, value) as BlockDraft;
}

/** An id stays what it is: to rename is a command of its own. */
function withKeys(block: BlockDraft, keys: JsonRecord): BlockDraft {
  return Object.entries(keys).reduce((of, [key, value]) => (key === 'id' ? of : withKey(of, key, value)), block);
}

function changeBlock(draft: Draft, id: string, change: (block: BlockDraft) => BlockDraft): Draft {
  if (!draft.blocks.some((block) => block.id === id)) return draft;
  return { ...draft, blocks: draft.blocks.map((block) => (block.id === id ? change(block) : block)) };
}

function place(draft: Draft, placed: readonly Placed[]): Draft {
  if (placed.length === 0) return draft;
  const view = isRecord(draft['view']) ? draft['view'] : {};
  const positions = placed.reduce(
    (record: unknown, [id, position]) => withEntry(record, id, position),
    view['positions'],
  );
  return { ...draft, view: { ...view, positions } };
}

function packed(draft: Draft, command: Extract<Command, { type: 'pack' }>): Draft {
  const result = pack(draft, command);
  if (result === draft) return draft;
  const positions = packedPositions(draft, command, command.at);
  return withoutLostProbes({ ...result, view: withEntry(draft['view'], 'positions', positions) });
}

function unpacked(draft: Draft, id: string): Draft {
  const result = unpack(draft, id);
  if (result === draft) return draft;
  const positions = unpackedPositions(draft, id);
  return withoutLostProbes({ ...result, view: withEntry(draft['view'], 'positions', positions) });
}

function withoutLostProbes(draft: Draft): Draft {
  const known = new Set(draft.blocks.map((block) => block.id));
  return moveProbes(draft, (block) => (known.has(block) ? block : undefined));
}

function annotate(draft: Draft, key: AnnotationKey | 'candidates', entries: readonly unknown[]): Draft {
  const view = withEntry(draft['view'], key, entries.length > 0 ? entries : undefined);
  return { ...draft, view };
}

/** Looks of plots by block; none, where none is left. */
function withLooks(draft: Draft, change: (looks: JsonRecord) => JsonRecord): Draft {
  const before = own(draft['view'], 'plots');
  const looks = change(isRecord(before) ? before : {});
  return { ...draft, view: withEntry(draft['view'], 'plots', Object.keys(looks).length > 0 ? looks : undefined) };
}

/** A look goes with its block; undefined takes it away. */
function moveLooks(draft: Draft, change: (block: string) => string | undefined): Draft {
  if (!isRecord(own(draft['view'], 'plots'))) return draft;
  return withLooks(draft, (looks) =>
    Object.fromEntries(
      Object.entries(looks).flatMap(([id, look]) => {
        const to = change(outermost(id));
        return to === undefined ? [] : [[to + id.slice(outermost(id).length), look]];
      }),
    ),
  );
}

/** The group of a place inside one (`g/inner`), else the block itself. */
function outermost(id: string): string {
  return id.split('/', 1)[0]!;
}

/** Pinned probes go with the block whose port they are pinned to; undefined takes them away. */
function moveProbes(draft: Draft, change: (block: string) => string | undefined): Draft {
  const probes = own(draft['view'], 'probes');
  if (!Array.isArray(probes)) return draft;
  const kept = probes.flatMap((probe: unknown) => {
    const block = own(probe, 'block');
    if (typeof block !== 'string') return [probe];
    const to = change(block);
    return to === undefined ? [] : [to === block ? probe : { ...(probe as object), block: to }];
  });
  return annotate(draft, 'probes', kept);
}

function add(draft: Draft, command: Extract<Command, { type: 'add' }>): Draft {
  const taken = new Set(draft.blocks.map((block) => block.id));
  if (command.blocks.some((block) => taken.has(block.id))) return draft;
  let result: Draft = { ...draft, blocks: [...draft.blocks, ...command.blocks] };
  for (const [name, table] of command.tables ?? [])
    result = { ...result, tables: withEntry(result['tables'], name, table) };
  if (command.objective !== undefined) result = { ...result, objective: command.objective };
  return place(result, command.positions);
}

function remove(draft: Draft, ids: ReadonlySet<string>): Draft {
  const blocks = draft.blocks
    .filter((block) => !ids.has(block.id))
    .map((block) =>
      mapReferences(block, (reference) => (ids.has(blockOfReference(reference)) ? undefined : reference)),
    );
  let result: Draft = { ...draft, blocks };
  const gone = (reference: unknown) => typeof reference === 'string' && ids.has(blockOfReference(reference));
  const objective = [draft['objective']].flat();
  if (objective.some(gone)) {
    const left = objective.filter((reference) => !gone(reference));
    result = withEntry(result, 'objective', left.length < 2 ? left[0] : left) as Draft;
  }
  if (isRecord(own(draft['view'], 'positions'))) {
    const positions = Object.entries(own(draft['view'], 'positions') as object).filter(
      ([id]) => !ids.has(outermost(id)),
    );
    result = { ...result, view: { ...(draft['view'] as object), positions: Object.fromEntries(positions) } };
  }
  result = moveLooks(result, (block) => (ids.has(block) ? undefined : block));
  return moveProbes(result, (block) => (ids.has(block) ? undefined : block));
}

/** A port that is wired to the block of its own name is none. */
function withoutOwnPorts(block: BlockDraft): BlockDraft {
  const { inputs, ...rest } = block;
  if (!takesPorts(block) || !isRecord(inputs)) return block;
  const others = Object.entries(inputs).filter(([port, source]) => port !== source);
  if (others.length === Object.keys(inputs).length) return block;
  return others.length > 0 ? { ...block, inputs: Object.fromEntries(others) } : rest;
}

function rename(draft: Draft, id: string, to: string): Draft {
  if (id === to || draft.blocks.some((block) => block.id === to)) return draft;
  const follow = (reference: string) =>
    blockOfReference(reference) === id ? to + reference.slice(id.length) : reference;
  const blocks = draft.blocks.map((block) => {
    // Formulas name it anew: one that kept the old name would seem to read the next block of that name.
    const redirected = withoutOwnPorts(redirect(block, follow));
    return block.id === id ? withKey(redirected, 'id', to) : redirected;
  });
  let result: Draft = { ...draft, blocks };
  const objective = draft['objective'];
  if (typeof objective === 'string') result = { ...result, objective: follow(objective) };
  if (Array.isArray(objective)) result = { ...result, objective: objective.map((item: string) => follow(item)) };
  const positions = own(draft['view'], 'positions');
  if (isRecord(positions)) {
    const moved = Object.entries(positions).map(([key, point]): [string, unknown] => [
      outermost(key) === id ? to + key.slice(id.length) : key,
      point,
    ]);
    result = { ...result, view: withEntry(draft['view'], 'positions', Object.fromEntries(moved)) };
  }
  result = moveLooks(result, (block) => (block === id ? to : block));
  return moveProbes(result, (block) => (block === id ? to : block));
}
