/**
 * Places blocks: data from the left in layers (elkjs), the layers in as many rows as the window is best filled with,
 * parameters and constants in a row above what they feed. Sizes are those on screen.
 */
import type { ELK, ElkNode } from 'elkjs/lib/elk-api.js';
import type { Point } from '../document/draft.ts';
import { cutWires, foldings, layersAt, stacked, worth, zoomIn } from './fold.ts';
import { independentParts, inLines } from './independent.ts';
import type { LayoutBlock, LayoutWire, Places, Room } from './layout-graph.ts';
import { betweenBlocks, betweenLayers, boxOf } from './layout-graph.ts';
import { looseOf, withLoose } from './loose.ts';

const gapAbove = 48;
const betweenAbove = 20;
/**
 * Up to so many are laid out before they are shown, by network simplex: it draws straighter lines, and takes a time that
 * grows with the cube of the blocks.
 */
export const manyBlocks = 60;
/** How the blocks of a layer are placed: for straight wires, or close together. */
type Placement = 'NETWORK_SIMPLEX' | 'BRANDES_KOEPF';
/** A row must be so much lower by the second. */
const worthBending = 1.08;
/** Ways to fold that are laid out to be compared, besides the one without a fold. */
const mostFoldings = 8;

/** So that all of it is seen as large as can be in a room of this shape. */
export async function layOut(
  blocks: readonly LayoutBlock[],
  wires: readonly LayoutWire[],
  room: Room,
): Promise<Places> {
  const loose = looseOf(blocks, wires);
  const joined = blocks.filter(({ id }) => !loose.has(id));
  const parts = blocks.length > manyBlocks ? independentParts(joined, wires) : [];
  if (parts.length > 1) {
    const placed = await Promise.all(parts.map((part) => layOut(part.blocks, part.wires, room)));
    const others = blocks.filter(({ id }) => loose.has(id));
    return withLoose(inLines(parts, placed, room), others, blocks, wires, room);
  }
  const flow = joined.filter((block) => !block.above);
  const whole = await layers(flow, wires);
  const most = blocks.length > manyBlocks ? 1 : mostFoldings;
  let best: { readonly places: Places; readonly value: number } | undefined;
  const found = layersAt(flow, whole);
  for (const rows of foldings(found, flow, wires, room, most)) {
    const placed =
      rows.length < 2
        ? [withRowsAbove(whole, joined, wires)]
        : await Promise.all(atHome(rows, joined, wires).map((row) => layOutRow(row, wires)));
    const places = withLoose(
      stacked(placed, joined, wires),
      blocks.filter(({ id }) => loose.has(id)),
      blocks,
      wires,
      room,
    );
    const value = worth(zoomIn(room, boxOf(blocks, places)), rows.length, cutWires(rows, wires), found.length);
    if (!best || value > best.value) best = { places, value };
  }
  return best!.places;
}

async function layOutRow(blocks: readonly LayoutBlock[], wires: readonly LayoutWire[]): Promise<Places> {
  const flow = blocks.filter((block) => !block.above);
  const place = async (placement: Placement) => withRowsAbove(await layers(flow, wires, placement), blocks, wires);
  const [straight, compact] = await Promise.all([place('NETWORK_SIMPLEX'), place('BRANDES_KOEPF')]);
  const gain = boxOf(blocks, straight).height / boxOf(blocks, compact).height;
  return gain > worthBending ? compact : straight;
}

/** The blocks of each row; what stands above does so over the row that has most of its wires. */
function atHome(
  rows: readonly (readonly string[])[],
  blocks: readonly LayoutBlock[],
  wires: readonly LayoutWire[],
): LayoutBlock[][] {
  const rowOf = new Map(rows.flatMap((ids, row) => ids.map((id) => [id, row] as const)));
  const home = ({ id }: LayoutBlock): number => {
    const fed = rows.map((_, row) => wires.filter(({ from, to }) => from === id && rowOf.get(to) === row).length);
    return fed.indexOf(Math.max(...fed));
  };
  return rows.map((_, row) => blocks.filter((block) => (block.above ? home(block) : rowOf.get(block.id)) === row));
}

/**
 * At once, and plainer: every block one layer after the last of those that feed it, and level with them as nearly as its
 * neighbours allow. Shown until `layOut` is there, whose first answer on 300 blocks takes some seconds.
 */
export function provisionalLayout(
  blocks: readonly LayoutBlock[],
  wires: readonly LayoutWire[],
  room: Room,
): Map<string, Point> {
  const parts = blocks.length > manyBlocks ? independentParts(blocks, wires) : [];
  if (parts.length > 1)
    return inLines(
      parts,
      parts.map((part) => provisionalLayout(part.blocks, part.wires, room)),
      room,
    );
  const flow = blocks.filter((block) => !block.above);
  const whole = provisionalRow(blocks, wires);
  const [, rows = []] = foldings(layersAt(flow, whole), flow, wires, room, 1);
  if (rows.length < 2) return whole;
  const placed = atHome(rows, blocks, wires).map((row) => provisionalRow(row, wires));
  const folded = stacked(placed, blocks, wires);
  return zoomIn(room, boxOf(blocks, folded)) > zoomIn(room, boxOf(blocks, whole)) ? folded : whole;
}

function provisionalRow(blocks: readonly LayoutBlock[], wires: readonly LayoutWire[]): Map<string, Point> {
  const flow = new Map(blocks.filter((block) => !block.above).map((block) => [block.id, block]));
  const inside = wires.filter((wire) => flow.has(wire.from) && flow.has(wire.to));
  const feeding = new Map<string, LayoutWire[]>(inside.map(({ to }) => [to, []]));
  for (const wire of inside) feeding.get(wire.to)!.push(wire);
  const layer = layersOf([...flow.keys()], inside);
  const columns: LayoutBlock[][] = [];
  for (const [id, block] of flow) (columns[layer.get(id)!] ??= []).push(block);
  const positions = new Map<string, Point>();
  let x = 0;
  for (const column of columns) {
    const items = column.map((block) => {
      const levels = (feeding.get(block.id) ?? []).flatMap(({ from, fromPort, toPort }) => {
        const source = positions.get(from);
        return source ? [source[1] + fromPort[1] - toPort[1]] : [];
      });
      const at = levels.length > 0 ? levels.reduce((sum, y) => sum + y, 0) / levels.length : 0;
      return { block, at };
    });
    items.sort((a, b) => a.at - b.at);
    for (const [id, y] of spread(items, (block) => block.height, betweenBlocks)) positions.set(id, snapped([x, y]));
    x += Math.max(...column.map((block) => block.width)) + betweenLayers;
  }
  return withRowsAbove(positions, blocks, wires);
}

/** How many blocks lie before each on the longest way to it; 0 on a circle and after it, where there is no such number. */
function layersOf(ids: readonly string[], wires: readonly LayoutWire[]): ReadonlyMap<string, number> {
  const layer = new Map(ids.map((id) => [id, 0]));
  const ends = new Map(ids.map((id) => [id, { fed: [] as string[], waiting: 0 }]));
  for (const { from, to } of wires) {
    ends.get(from)!.fed.push(to);
    ends.get(to)!.waiting++;
  }
  const ready = ids.filter((id) => ends.get(id)!.waiting === 0);
  for (const id of ready)
    for (const to of ends.get(id)!.fed) {
      layer.set(to, Math.max(layer.get(to)!, layer.get(id)! + 1));
      if (--ends.get(to)!.waiting === 0) ready.push(to);
    }
  for (const id of ids) if (ends.get(id)!.waiting > 0) layer.set(id, 0);
  return layer;
}

function withRowsAbove(flow: Places, blocks: readonly LayoutBlock[], wires: readonly LayoutWire[]): Map<string, Point> {
  const positions = new Map(flow);
  const sizes = new Map(blocks.map((block) => [block.id, block]));
  const rows = rowsAbove(
    blocks.filter((block) => block.above),
    wires,
    positions,
  );
  const top = Math.min(0, ...[...positions.values()].map(([, y]) => y));
  let y = top - gapAbove;
  for (const row of rows) {
    const height = Math.max(...row.map(([id]) => sizes.get(id)!.height));
    for (const [id, x] of row) positions.set(id, snapped([x, y - sizes.get(id)!.height]));
    y -= height + betweenBlocks;
  }
  return positions;
}

async function layers(
  blocks: readonly LayoutBlock[],
  wires: readonly LayoutWire[],
  placement: Placement = blocks.length > manyBlocks ? 'BRANDES_KOEPF' : 'NETWORK_SIMPLEX',
): Promise<Map<string, Point>> {
  const positions = new Map<string, Point>();
  if (blocks.length === 0) return positions;
  const known = new Set(blocks.map((block) => block.id));
  const inside = wires.filter((wire) => known.has(wire.from) && known.has(wire.to));
  const port = (index: number, end: 'from' | 'to') => `${index}:${end}`;
  const graph: ElkNode = {
    id: 'root',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': 'RIGHT',
      'elk.layered.spacing.nodeNodeBetweenLayers': String(betweenLayers),
      'elk.spacing.nodeNode': String(betweenBlocks),
      'elk.spacing.edgeNode': '20',
      'elk.layered.spacing.edgeNodeBetweenLayers': '16',
      'elk.layered.nodePlacement.strategy': placement,
      'elk.layered.nodePlacement.favorStraightEdges': 'true',
      'elk.edgeRouting': 'ORTHOGONAL',
      'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
    },
    children: blocks.map((block, i) => ({
      id: String(i),
      width: block.width,
      height: block.height,
      layoutOptions: { 'elk.portConstraints': 'FIXED_POS' },
      ports: inside.flatMap((wire, index) => [
        ...(wire.from === block.id
          ? [{ id: port(index, 'from'), x: block.width, y: wire.fromPort[1], width: 0, height: 0 }]
          : []),
        ...(wire.to === block.id ? [{ id: port(index, 'to'), x: 0, y: wire.toPort[1], width: 0, height: 0 }] : []),
      ]),
    })),
    edges: inside.map((_, index) => ({
      id: `e${index}`,
      sources: [port(index, 'from')],
      targets: [port(index, 'to')],
    })),
  };
  const placed = await (await elk()).layout(graph).catch((error: unknown) => {
    // It calls itself along the longest chain, which some thousand blocks make too long.
    if (error instanceof Error && error.message.includes('call stack')) return undefined;
    throw error;
  });
  if (!placed) return provisionalRow(blocks, inside);
  for (const [i, child] of (placed.children ?? []).entries())
    positions.set(blocks[i]!.id, snapped([child.x ?? 0, child.y ?? 0]));
  return positions;
}

let loaded: Promise<ELK> | undefined;

/** The canvas of the first document waits for it: its thread is read while the window's own code is. */
export function loadAhead(): void {
  void elk().catch(() => undefined);
}

/** It is large and takes its time, so it has a thread. */
function elk(): Promise<ELK> {
  loaded ??= Promise.all([import('elkjs/lib/elk-api.js'), import('elkjs/lib/elk-worker.min.js?worker')]).then(
    ([{ default: Elk }, { default: ElkWorker }]) => new Elk({ workerFactory: () => new ElkWorker() }),
  );
  return loaded;
}

/**
 * Each stands over the middle of the ports that it feeds, as nearly as its neighbours allow. What is too wide for the
 * model's width goes into a second row.
 */
function rowsAbove(
  blocks: readonly LayoutBlock[],
  wires: readonly LayoutWire[],
  positions: Places,
): (readonly [id: string, x: number])[][] {
  const wanted = blocks.map((block) => {
    const fed = wires.filter((wire) => wire.from === block.id && positions.has(wire.to));
    const xs = fed.map((wire) => positions.get(wire.to)![0] + wire.toPort[0]);
    const middle = xs.length > 0 ? xs.reduce((sum, x) => sum + x, 0) / xs.length : 0;
    return { block, at: middle - block.width / 2 };
  });
  wanted.sort((a, b) => a.at - b.at);
  const perRow = 8;
  const count = Math.max(1, Math.ceil(wanted.length / perRow));
  const rows: (typeof wanted)[] = Array.from({ length: count }, () => []);
  for (const [i, item] of wanted.entries()) rows[i % count]!.push(item);
  return rows.filter((row) => row.length > 0).map((row) => spread(row, (block) => block.width, betweenAbove));
}

interface Wanted {
  readonly block: LayoutBlock;
  /** Where its edge would stand. */
  readonly at: number;
}

/** Moves what overlaps along a row or a column apart, each cluster staying centred on what its members want. */
function spread(
  items: readonly Wanted[],
  length: (block: LayoutBlock) => number,
  gap: number,
): (readonly [string, number])[] {
  const clusters: { at: number; length: number; members: Wanted[] }[] = [];
  for (const item of items) {
    let cluster = { at: item.at, length: length(item.block), members: [item] };
    for (let last = clusters.at(-1); last && last.at + last.length + gap > cluster.at; last = clusters.at(-1)) {
      clusters.pop();
      const members = [...last.members, ...cluster.members];
      let offset = 0;
      let sum = 0;
      for (const member of members) {
        sum += member.at - offset;
        offset += length(member.block) + gap;
      }
      cluster = { at: sum / members.length, length: offset - gap, members };
    }
    clusters.push(cluster);
  }
  return clusters.flatMap((cluster) => {
    let next = cluster.at;
    return cluster.members.map(({ block }): readonly [string, number] => {
      const at = next;
      next += length(block) + gap;
      return [block.id, at];
    });
  });
}

/** Whole pixels only: a coarser grid would bend wires that the layout has made straight. */
function snapped([x, y]: Point): Point {
  return [Math.round(x), Math.round(y)];
}
