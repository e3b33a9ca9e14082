/** Where the legend of the adjoint view stands: in the corner at the left below or at the right above, wherever no block is. */
import type { Rectangle } from '../document/rectangle.ts';

/** What it takes of the canvas there, in pixels of the screen: below with the tools under it. */
export const below = { width: 330, height: 144 } as const;
const above = { width: 330, height: 104 } as const;

/** Null where blocks are in both corners. `frame` is what of the canvas is in view. */
export function legendPlace(cards: readonly Rectangle[], frame: Rectangle, zoom: number): 'below' | 'above' | null {
  const right = frame.x + frame.width;
  const bottom = frame.y + frame.height;
  const isLeftBelow = (r: Rectangle): boolean =>
    r.x < frame.x + below.width / zoom && r.y + r.height > bottom - below.height / zoom && r.y < bottom;
  const isRightAbove = (r: Rectangle): boolean =>
    r.x + r.width > right - above.width / zoom && r.x < right && r.y < frame.y + above.height / zoom;
  if (!cards.some(isLeftBelow)) return 'below';
  return cards.some(isRightAbove) ? null : 'above';
}
