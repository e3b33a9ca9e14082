/** What a layout is made of, and for: blocks and wires at the sizes on screen, places, and the room that is there. */
import type { Point } from '../document/draft.ts';
import type { Rectangle } from '../document/rectangle.ts';
import { around } from '../document/rectangle.ts';

export interface LayoutBlock {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** Parameters and constants stand above. */
  readonly above: boolean;
}

export interface LayoutWire {
  readonly from: string;
  readonly to: string;
  /** Where the ports are, from the top left corner of their blocks. */
  readonly fromPort: Point;
  readonly toPort: Point;
}

export type Places = ReadonlyMap<string, Point>;

/** What of the canvas can be seen, in its pixels. */
export interface Room {
  readonly width: number;
  readonly height: number;
}

/** Between the layers of a row, with room for the shape that is written at a wire. */
export const betweenLayers = 48;
export const betweenBlocks = 24;

/** Around all that have a place. */
export function boxOf(blocks: readonly LayoutBlock[], places: Places): Rectangle {
  return around(
    blocks.flatMap(({ id, width, height }) => {
      const at = places.get(id);
      return at ? [{ x: at[0], y: at[1], width, height }] : [];
    }),
  );
}
