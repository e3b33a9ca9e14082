/** Where something lies on the canvas, in its own units, and the edges of it. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type Side = 'left' | 'top' | 'right' | 'bottom';

export const apart = (a: Rectangle, b: Rectangle): boolean =>
  a.x >= b.x + b.width || b.x >= a.x + a.width || a.y >= b.y + b.height || b.y >= a.y + a.height;

/** Around all of them; of none, a rectangle that lies nowhere. */
export function around(rectangles: Iterable<Rectangle>): Rectangle {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of rectangles) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}
