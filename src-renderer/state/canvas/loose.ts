/**
 * Blocks that no wire joins to the flow have no place of their own in it. They go where the flow leaves room: within its
 * box if they can, where nothing is drawn smaller for them and no wire has to go around them.
 */
import type { Point } from '../document/draft.ts';
import type { Rectangle } from '../document/rectangle.ts';
import { zoomIn } from './fold.ts';
import type { LayoutBlock, LayoutWire, Places, Room } from './layout-graph.ts';
import { betweenBlocks, boxOf } from './layout-graph.ts';

/** What a wire in the way is worth, as a share of the zoom. */
const wirePrice = 0.05;

export function looseOf(blocks: readonly LayoutBlock[], wires: readonly LayoutWire[]): ReadonlySet<string> {
  const joined = new Set(wires.flatMap(({ from, to }) => [from, to]));
  const loose = blocks.filter(({ id }) => !joined.has(id));
  return new Set(loose.length === blocks.length ? [] : loose.map(({ id }) => id));
}

export function withLoose(
  flow: Places,
  loose: readonly LayoutBlock[],
  blocks: readonly LayoutBlock[],
  wires: readonly LayoutWire[],
  room: Room,
): Places {
  const places = new Map(flow);
  const ways = wires.flatMap(({ from, to, fromPort, toPort }): Rectangle[] => {
    const [a, b] = [flow.get(from), flow.get(to)];
    return a && b ? [between([a[0] + fromPort[0], a[1] + fromPort[1]], [b[0] + toPort[0], b[1] + toPort[1]])] : [];
  });
  for (const block of [...loose].sort((a, b) => b.height * b.width - a.height * a.width)) {
    const taken = blocks.flatMap(({ id, width, height }): Rectangle[] => {
      const at = places.get(id);
      return at ? [{ x: at[0], y: at[1], width, height }] : [];
    });
    const box = boxOf(blocks, places);
    const size = { width: block.width, height: block.height };
    let best: { readonly at: Point; readonly value: number } | undefined;
    for (const [x, y] of corners(box, taken, block)) {
      const here = { x, y, ...size };
      if (taken.some((other) => overlap(here, other, betweenBlocks - 1))) continue;
      const right = Math.max(box.x + box.width, x + size.width);
      const bottom = Math.max(box.y + box.height, y + size.height);
      const zoom = zoomIn(room, { width: right - box.x, height: bottom - box.y });
      const crossed = ways.filter((way) => overlap(here, way, 0)).length;
      const value = zoom - wirePrice * crossed - (right - x + bottom - y) / 1e6;
      if (value > (best?.value ?? -Infinity)) best = { at: [x, y], value };
    }
    if (best) places.set(block.id, best.at);
  }
  return places;
}

/** Beside everything, and along the edges of the whole. */
function corners(box: Rectangle, taken: readonly Rectangle[], { width, height }: LayoutBlock): Point[] {
  const all = [...taken, box];
  const xs = new Set(all.flatMap((r) => [r.x, r.x + r.width - width, r.x + r.width + betweenBlocks]));
  const ys = new Set(all.flatMap((r) => [r.y, r.y + r.height - height, r.y + r.height + betweenBlocks]));
  return [...xs].flatMap((x) =>
    [...ys].flatMap((y): Point[] => (x >= box.x && y >= box.y ? [[Math.round(x), Math.round(y)]] : [])),
  );
}

function between([x0, y0]: Point, [x1, y1]: Point): Rectangle {
  return { x: Math.min(x0, x1), y: Math.min(y0, y1) - 4, width: Math.abs(x0 - x1), height: Math.abs(y0 - y1) + 8 };
}

function overlap(a: Rectangle, b: Rectangle, gap: number): boolean {
  return (
    a.x < b.x + b.width + gap && b.x < a.x + a.width + gap && a.y < b.y + b.height + gap && b.y < a.y + a.height + gap
  );
}
