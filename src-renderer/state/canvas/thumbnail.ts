/** An example in small: its blocks as a net, and its first curve over the data at the stored fit. */
import type { Client } from '../../../src-main/contract/contract.ts';
import type { Plot } from '../../../src-main/contract/plots.ts';
import { readDraft } from '../document/draft.ts';
import type { IconName } from '../../../models/facts/kind.ts';
import { kindOf } from '../words/kinds.ts';
import { pointOfFit, pointRecord, startPoint } from '../document/point.ts';
import { blockOfReference } from '../document/wiring.ts';

export interface SmallBlock {
  readonly icon: IconName;
  /** Column from the left and row from the top, in steps. */
  readonly column: number;
  readonly row: number;
}

export interface SmallNet {
  readonly blocks: readonly SmallBlock[];
  readonly wires: readonly (readonly [from: number, to: number])[];
  readonly columns: number;
}

export interface ExamplePicture {
  readonly net: SmallNet;
  readonly plot: Plot | null;
}

const pictures = new WeakMap<Client, Map<string, Promise<ExamplePicture | null>>>();

/** Each example is opened and evaluated once in the life of the window; one that cannot be has no picture. */
export function pictureOfExample(client: Client, name: string): Promise<ExamplePicture | null> {
  const known = pictures.get(client) ?? new Map<string, Promise<ExamplePicture | null>>();
  pictures.set(client, known);
  const found = known.get(name) ?? draw(client, name).catch(() => null);
  known.set(name, found);
  return found;
}

async function draw(client: Client, name: string): Promise<ExamplePicture> {
  const location = { kind: 'example', name } as const;
  const { document, fit } = await client.request('files.read', { location });
  const { draft } = readDraft(document);
  const report = await client.request('model.check', { document, location });
  const wires = report.blocks.flatMap((block) =>
    block.inputs.flatMap(({ source }): [string, string][] => (source ? [[blockOfReference(source), block.id]] : [])),
  );
  const net = smallNet(
    draft.blocks.map(({ id, kind }) => ({ id, kind })),
    wires,
  );
  if (report.handle === undefined) return { net, plot: null };
  const sizeOf = (id: string) => report.blocks.find((block) => block.id === id)?.outputs[0]?.sizes[0];
  const point = fit ? pointOfFit(fit) : startPoint(draft, sizeOf);
  const parameters = pointRecord(draft, point);
  const found = await client.request('model.plots', { handle: report.handle, parameters, outputs: [] });
  return { net, plot: found?.plots[0] ?? null };
}

/**
 * Few blocks stand for the model: sources of one kind that feed the same block are drawn once, in columns by their
 * distance from the data.
 */
export function smallNet(
  blocks: readonly { readonly id: string; readonly kind: string }[],
  wires: readonly (readonly [from: string, to: string])[],
): SmallNet {
  const targets = new Map<string, string[]>();
  for (const [from, to] of wires) targets.set(from, [...(targets.get(from) ?? []), to]);
  const sources = new Set(wires.map(([, to]) => to));
  const keys = new Map<string, string>();
  for (const { id, kind } of blocks)
    keys.set(id, sources.has(id) ? id : `${kind} ${[...new Set(targets.get(id))].sort().join()}`);
  const kinds = new Map(blocks.map(({ id, kind }) => [keys.get(id)!, kind]));
  const merged = [...kinds.keys()];
  const links = new Map<string, readonly [string, string]>();
  for (const [from, to] of wires) {
    const [a, b] = [keys.get(from), keys.get(to)];
    if (a !== undefined && b !== undefined && a !== b) links.set(`${a}\n${b}`, [a, b]);
  }
  const depth = new Map<string, number>();
  // Longest path from the sources; a cycle (a document at fault) stops at the number of blocks.
  for (let round = 0; round < merged.length; round++)
    for (const [from, to] of links.values())
      depth.set(to, Math.min(merged.length, Math.max(depth.get(to) ?? 0, (depth.get(from) ?? 0) + 1)));
  // Many layers do not fit a stamp: they share its columns.
  const deepest = Math.max(0, ...depth.values());
  const columns = Math.min(deepest + 1, 4);
  const columnOf = (key: string) => (deepest === 0 ? 0 : Math.round(((depth.get(key) ?? 0) / deepest) * (columns - 1)));
  const stands = standIns(merged, kinds, columnOf);
  const drawn = [...new Set(merged.map((key) => stands.get(key)!))];
  const filled = new Map<number, number>();
  const placed = drawn.map((key): SmallBlock => {
    const column = columnOf(key);
    const row = filled.get(column) ?? 0;
    filled.set(column, row + 1);
    return { icon: kindOf(kinds.get(key)!).icon, column, row };
  });
  const index = new Map(drawn.map((key, i) => [key, i]));
  const lines = new Map<string, readonly [number, number]>();
  for (const [from, to] of links.values()) {
    const [a, b] = [stands.get(from)!, stands.get(to)!];
    if (columnOf(a) < columnOf(b)) lines.set(`${a}\n${b}`, [index.get(a)!, index.get(b)!]);
  }
  return {
    columns,
    // Centred: each column's rows around the middle.
    blocks: placed.map((block) => ({ ...block, row: block.row - ((filled.get(block.column) ?? 1) - 1) / 2 })),
    wires: [...lines.values()],
  };
}

const mostRows = 4;

/** In a crowded column one block stands for all of its kind; what is still too many is left to the last. */
function standIns(
  keys: readonly string[],
  kinds: ReadonlyMap<string, string>,
  columnOf: (key: string) => number,
): Map<string, string> {
  const byColumn = new Map<number, string[]>();
  for (const key of keys) byColumn.set(columnOf(key), [...(byColumn.get(columnOf(key)) ?? []), key]);
  const stands = new Map<string, string>();
  for (const column of byColumn.values()) {
    const first = new Map<string, string>();
    for (const key of column) {
      const kind = column.length > mostRows ? kinds.get(key)! : key;
      if (!first.has(kind)) first.set(kind, first.size < mostRows ? key : [...first.values()].at(-1)!);
      stands.set(key, first.get(kind)!);
    }
  }
  return stands;
}
