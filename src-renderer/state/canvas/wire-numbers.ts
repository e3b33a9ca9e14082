/** Where numbers stand on wires: on a straight part that has room for them, clear of each other and of the blocks. */
import type { Point } from '../document/draft.ts';
import type { Route } from './routing.ts';
import type { Rectangle } from '../document/rectangle.ts';
import type { Box } from './spatial-index.ts';
import { SpatialIndex } from './spatial-index.ts';

export interface WireNumber {
  readonly key: string;
  readonly text: string;
  readonly route: Route;
  /** Where there is no room for two, the heavier stays. */
  readonly weight: number;
}

export interface PlacedNumber {
  readonly key: string;
  readonly text: string;
  /** The middle of the text. */
  readonly at: Point;
}

/** Of figures, in parts of the size of the type. */
const characterWidth = 0.62;
const lineHeight = 1.2;
/** Where a number is tried along a straight part, best first. */
const shares = [0.5, 0.3, 0.7, 0.1, 0.9];

/** The straight parts of a route, longest first. */
function stretches(route: Route): readonly (readonly [Point, Point])[] {
  const length = ([a, b]: readonly [Point, Point]) => Math.hypot(b[0] - a[0], b[1] - a[1]);
  return route
    .slice(1)
    .map((point, i): readonly [Point, Point] => [route[i]!, point])
    .sort((one, other) => length(other) - length(one));
}

function* candidates(route: Route, width: number, height: number): Generator<Point> {
  for (const [a, b] of stretches(route)) {
    const level = a[1] === b[1];
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    const half = (level ? width : height) / 2;
    if (length < 2 * half) continue;
    for (const share of shares) {
      const along = Math.min(Math.max(share * length, half), length - half) / length;
      yield [a[0] + (b[0] - a[0]) * along, a[1] + (b[1] - a[1]) * along];
    }
  }
}

/** A number without a place of its own is left out. `size`: of the type, on the canvas. */
export function placeNumbers(
  numbers: readonly WireNumber[],
  blocks: Iterable<Rectangle>,
  size: number,
): readonly PlacedNumber[] {
  const taken = new SpatialIndex<Box>();
  const take = (box: Box) => taken.add(box, box);
  for (const { x, y, width, height } of blocks) take({ left: x, top: y, right: x + width, bottom: y + height });
  const isFree = (box: Box) => {
    let met = false;
    taken.visit(box, (other) => {
      met ||= box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top;
      return met;
    });
    return !met;
  };
  const weight = (number: WireNumber) => (Number.isNaN(number.weight) ? Infinity : number.weight);
  const placed: PlacedNumber[] = [];
  for (const { key, text, route } of [...numbers].sort((one, other) => weight(other) - weight(one) || 0)) {
    const [width, height] = [text.length * characterWidth * size, lineHeight * size];
    for (const at of candidates(route, width, height)) {
      const [left, top] = [at[0] - width / 2, at[1] - height / 2];
      const box = { left, top, right: left + width, bottom: top + height };
      if (!isFree(box)) continue;
      take(box);
      placed.push({ key, text, at });
      break;
    }
  }
  return placed;
}
