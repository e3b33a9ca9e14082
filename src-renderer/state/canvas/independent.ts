/** Parts of a model that no wire joins: each is laid out by itself, and they stand in lines like words. */
import type { Point } from '../document/draft.ts';
import { zoomIn } from './fold.ts';
import type { LayoutBlock, LayoutWire, Places, Room } from './layout-graph.ts';
import { betweenLayers, boxOf } from './layout-graph.ts';

interface Part {
  readonly blocks: readonly LayoutBlock[];
  readonly wires: readonly LayoutWire[];
}

/** In the order of their first blocks. */
export function independentParts(blocks: readonly LayoutBlock[], wires: readonly LayoutWire[]): Part[] {
  const joined = new Map<string, string[]>(blocks.map(({ id }) => [id, []]));
  for (const { from, to } of wires) {
    joined.get(from)?.push(to);
    joined.get(to)?.push(from);
  }
  const partOf = new Map<string, number>();
  let count = 0;
  for (const { id } of blocks) {
    if (partOf.has(id)) continue;
    const part = count++;
    const reached = [id];
    partOf.set(id, part);
    for (const each of reached)
      for (const next of joined.get(each) ?? []) {
        if (partOf.has(next)) continue;
        partOf.set(next, part);
        reached.push(next);
      }
  }
  const parts = Array.from({ length: count }, () => ({ blocks: [] as LayoutBlock[], wires: [] as LayoutWire[] }));
  for (const block of blocks) parts[partOf.get(block.id)!]!.blocks.push(block);
  for (const wire of wires) parts[partOf.get(wire.from) ?? -1]?.wires.push(wire);
  return parts;
}

/** Side by side in lines, which are as long as lets all be seen largest. */
export function inLines(parts: readonly Part[], placed: readonly Places[], room: Room): Map<string, Point> {
  const boxes = parts.map(({ blocks }, i) => boxOf(blocks, placed[i]!));
  const step = boxes.reduce((sum, { width }) => sum + width + betweenLayers, 0) / 64;
  let best: { readonly corners: readonly Point[]; readonly zoom: number } | undefined;
  for (let tries = 1; tries <= 64; tries++) {
    const found = broken(boxes, step * tries);
    const zoom = zoomIn(room, found);
    if (!best || zoom > best.zoom) best = { corners: found.corners, zoom };
  }
  return new Map(
    placed.flatMap((places, i) => {
      const [box, [x, y]] = [boxes[i]!, best!.corners[i]!];
      return [...places].map(([id, at]): [string, Point] => [
        id,
        [Math.round(at[0] - box.x + x), Math.round(at[1] - box.y + y)],
      ]);
    }),
  );
}

/** As words in lines of a length that none but a longer word passes over. */
function broken(boxes: readonly Room[], length: number): Room & { readonly corners: readonly Point[] } {
  const corners: Point[] = [];
  let [x, y, tallest, width] = [0, 0, 0, 0];
  for (const box of boxes) {
    if (x > 0 && x + box.width > length) {
      y += tallest + betweenLayers;
      [x, tallest] = [0, 0];
    }
    corners.push([x, y]);
    width = Math.max(width, x + box.width);
    tallest = Math.max(tallest, box.height);
    x += box.width + betweenLayers;
  }
  return { corners, width, height: y + tallest };
}
