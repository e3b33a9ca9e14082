/**
 * Where a canvas opens on which all blocks would be too small to be read: as large as text must be, at what is minimised;
 * the overview beside it shows where that is.
 */
import type { Rectangle } from '../document/rectangle.ts';
import type { Point } from '../document/draft.ts';
import type { Room } from './layout-graph.ts';
import { zoomIn } from './fold.ts';

/** From here on formulas are drawn (style/flow.css), */
export const leastReadable = 0.6;
/** and from here on everything is. */
const allReadable = 0.8;

export interface OpeningView {
  readonly zoom: number;
  /** What stands in the middle of the room. */
  readonly center: Point;
}

/** Undefined where all of it can be read at once. `box` is around all blocks, `home` what is looked at first. */
export function openingView(room: Room, box: Rectangle, home: Rectangle): OpeningView | undefined {
  if (zoomIn(room, box) >= leastReadable) return undefined;
  // Where that is not too small, one direction is wholly in view, and only the other is left to be gone along.
  const zoom = Math.min(allReadable, Math.max(leastReadable, room.width / box.width, room.height / box.height));
  const along = (start: number, length: number, at: number, seen: number) =>
    seen >= length ? start + length / 2 : Math.min(Math.max(at, start + seen / 2), start + length - seen / 2);
  return {
    zoom,
    center: [
      along(box.x, box.width, home.x + home.width / 2, room.width / zoom),
      along(box.y, box.height, home.y + home.height / 2, room.height / zoom),
    ],
  };
}
