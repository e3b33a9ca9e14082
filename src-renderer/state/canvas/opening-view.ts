/**
 * Where a canvas opens on which all blocks would be too small to be read: as large as text must be, where the flow begins;
 * the overview beside it shows where that is.
 */
import { around, type Rectangle } from '../document/rectangle.ts';
import type { Point } from '../document/draft.ts';
import type { Room } from './layout-graph.ts';
import { zoomIn } from './fold.ts';

/** From here on formulas are drawn (style/flow.css), */
export const leastReadable = 0.6;
/** and from here on everything is: 11 px, the smallest that text has on a block, are 9 on screen. */
export const allReadable = 9 / 11;

export interface OpeningView {
  readonly zoom: number;
  /** What stands in the middle of the room. */
  readonly center: Point;
}

/** Undefined where all of it can be read at once. */
export function openingView(room: Room, cards: readonly Rectangle[]): OpeningView | undefined {
  const box = around(cards);
  if (zoomIn(room, box) >= leastReadable) return undefined;
  // Where that is not too small, one direction is wholly in view, and only the other is left to be gone along.
  const zoom = Math.min(allReadable, Math.max(leastReadable, room.width / box.width, room.height / box.height));
  const seen = { width: room.width / zoom, height: room.height / zoom };
  const middle = (start: number, length: number, at: number, part: number) =>
    part >= length ? start + length / 2 : Math.min(at, start + length - part) + part / 2;
  return {
    zoom,
    center: [
      middle(box.x, box.width, box.x, seen.width),
      middle(box.y, box.height, fullEnough(cards, box.x, seen), seen.height),
    ],
  };
}

/** As far up as may be at the left, where as many blocks are seen as half of what can be seen there at most. */
function fullEnough(cards: readonly Rectangle[], left: number, { width, height }: Room): number {
  const near = cards.filter(({ x }) => x < left + width).map(({ y }) => y);
  near.sort((a, b) => a - b);
  let end = 0;
  const counts = near.map((y, i) => {
    while (end < near.length && near[end]! < y + height) end++;
    return end - i;
  });
  const most = Math.max(...counts);
  return near[counts.findIndex((count) => 2 * count >= most)] ?? 0;
}
