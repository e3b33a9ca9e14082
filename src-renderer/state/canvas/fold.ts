/**
 * Folds a flow to the shape of its window. Its layers are broken into rows, each of which is read from left to right, and
 * the rows stand below one another: as few as it takes to be read, broken where few wires cross.
 */
import type { Point } from '../document/draft.ts';
import type { LayoutBlock, LayoutWire, Places, Room } from './layout-graph.ts';
import { betweenBlocks, betweenLayers, boxOf } from './layout-graph.ts';

type Ids = readonly string[];

/** Between two rows, without the wires that run there. */
const betweenRows = 28;
const perWire = 8;
const mostPerLane = 3;
/** Rows beyond these are not tried: nobody reads a model as a page of text. */
const mostRows = 5;
/** What another row, and a wire that leaves its row, must gain in zoom to be worth it; less in a flow of more layers than these. */
const rowPrice = 0.03;
const cutPrice = 0.01;
const manyLayers = 30;
/** Those of a flow with many layers are as wide as each other. */
const mostEvenRows = 16;

/** The layers of a flow that was laid out from left to right: no two share an abscissa. */
export function layersAt(blocks: readonly LayoutBlock[], places: Places): Ids[] {
  const found: string[][] = [];
  let right = -Infinity;
  const flow = blocks.filter(({ id }) => places.has(id));
  for (const { id, width } of flow.sort((a, b) => places.get(a.id)![0] - places.get(b.id)![0])) {
    const [x] = places.get(id)!;
    if (x >= right) found.push([id]);
    else found.at(-1)!.push(id);
    right = Math.max(right, x + width);
  }
  return found;
}

/** How large a model is drawn that must be seen wholly; never larger than it is. */
export function zoomIn(room: Room, { width, height }: Room): number {
  return Math.min(1, room.width / width, room.height / height);
}

/** What is drawn is judged by: how large it is, in how few rows, and how many wires leave theirs. */
export function worth(zoom: number, rows: number, cut: number, layers = 1): number {
  return zoom - Math.min(1, manyLayers / layers) * (rowPrice * (rows - 1) + cutPrice * cut);
}

export function cutWires(rows: readonly Ids[], wires: readonly LayoutWire[]): number {
  const row = rowOf(rows);
  return wires.filter(({ from, to }) => row.has(from) && row.has(to) && row.get(from) !== row.get(to)).length;
}

function rowOf(rows: readonly Ids[]): ReadonlyMap<string, number> {
  return new Map(rows.flatMap((ids, i) => ids.map((id) => [id, i] as const)));
}

/** The most promising ways to break the layers into rows, the best first; all in one row is always among them. */
export function foldings(
  layers: readonly Ids[],
  blocks: readonly LayoutBlock[],
  wires: readonly LayoutWire[],
  room: Room,
  most: number,
): (readonly Ids[])[] {
  if (layers.length === 0) return [[]];
  const sizes = new Map(blocks.map((block) => [block.id, block]));
  const columns = layers.map((ids) => ({
    width: Math.max(...ids.map((id) => sizes.get(id)!.width)),
    height: ids.reduce((sum, id) => sum + sizes.get(id)!.height + betweenBlocks, -betweenBlocks),
  }));
  const ways = columns.length > manyLayers ? evenWays(columns.map(({ width }) => width)) : waysToBreak(columns.length);
  const judged = ways.flatMap((ends) => {
    // A layer alone in a row has left those that it belongs to.
    if (columns.length > 3 && ends.some((end, i) => end - (ends[i - 1] ?? 0) < 2)) return [];
    const rows = ends.map((end, i) => layers.slice(ends[i - 1] ?? 0, end).flat());
    let [width, height] = [0, betweenRows * (ends.length - 1)];
    for (const [i, end] of ends.entries()) {
      const row = columns.slice(ends[i - 1] ?? 0, end);
      width = Math.max(
        width,
        row.reduce((sum, column) => sum + column.width + betweenLayers, -betweenLayers),
      );
      height += Math.max(...row.map((column) => column.height));
    }
    const zoom = zoomIn(room, { width, height });
    return [{ rows, value: worth(zoom, rows.length, cutWires(rows, wires), columns.length) }];
  });
  const [whole, ...others] = judged;
  others.sort((a, b) => b.value - a.value);
  return [whole, ...others.slice(0, most)].flatMap((way) => (way ? [way.rows] : []));
}

/** Where each of the rows ends, all in one first. */
function waysToBreak(layers: number): number[][] {
  const ways: number[][] = [];
  const rows = layers > 14 ? 4 : mostRows;
  const extend = (ends: readonly number[]): void => {
    ways.push([...ends, layers]);
    if (ends.length + 1 < rows) for (let at = (ends.at(-1) ?? 0) + 1; at < layers; at++) extend([...ends, at]);
  };
  extend([]);
  return ways;
}

/** In 1, 2, … rows of about one width. */
function evenWays(widths: readonly number[]): number[][] {
  const total = widths.reduce((sum, width) => sum + width + betweenLayers, 0);
  return Array.from({ length: mostEvenRows }, (_, more) => {
    const ends: number[] = [];
    let sum = 0;
    for (const [i, width] of widths.entries()) {
      sum += width + betweenLayers;
      if (sum >= ((ends.length + 1) * total) / (more + 1)) ends.push(i + 1);
    }
    return ends.at(-1) === widths.length ? ends : [...ends, widths.length];
  });
}

/**
 * The rows below one another. Each is moved along until the wires that come to it from above are as short as can be
 * without making the whole wider.
 */
export function stacked(
  rows: readonly Places[],
  blocks: readonly LayoutBlock[],
  wires: readonly LayoutWire[],
): Map<string, Point> {
  const boxes = rows.map((row) => boxOf(blocks, row));
  const widest = Math.max(...boxes.map(({ width }) => width));
  const all = new Map<string, Point>();
  let y = 0;
  for (const [i, row] of rows.entries()) {
    const box = boxes[i]!;
    const coming = wires.filter(({ from, to }) => all.has(from) && row.has(to));
    const wanted = coming
      .map(({ from, to, fromPort, toPort }) => all.get(from)![0] + fromPort[0] - (row.get(to)![0] - box.x + toPort[0]))
      .sort((a, b) => a - b);
    const x = Math.min(Math.max(0, wanted[wanted.length >> 1] ?? 0), widest - box.width);
    if (i > 0) y += betweenRows + perWire * Math.min(mostPerLane, coming.length);
    for (const [id, at] of row) all.set(id, [Math.round(at[0] - box.x + x), Math.round(at[1] - box.y + y)]);
    y += box.height;
  }
  return all;
}
