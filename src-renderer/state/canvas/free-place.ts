/** Where something new stands: where it is wanted if there is room, else at the nearest free place beside what is there. */
import type { Point } from '../document/draft.ts';
import type { Rectangle } from '../document/rectangle.ts';

const gap = 24;
/** Models flow to the right and down: a place against the flow is as good as one this much farther away. */
const against = 1.5;
/** Of very many blocks those alone that are near. */
const mostNear = 24;

export function freePlace(at: Point, [width, height]: Point, taken: readonly Rectangle[], room = gap / 2): Point {
  const isFree = ([x, y]: Point): boolean =>
    !taken.some(
      (r) => x < r.x + r.width + room && r.x < x + width + room && y < r.y + r.height + room && r.y < y + height + room,
    );
  if (isFree(at)) return at;
  const away = (r: Rectangle) => Math.hypot(r.x + r.width / 2 - at[0], r.y + r.height / 2 - at[1]);
  const near = [...taken].sort((a, b) => away(a) - away(b)).slice(0, mostNear);
  const beside = Math.max(gap, room);
  const xs = new Set([at[0], ...near.flatMap((r) => [r.x + r.width + beside, r.x - beside - width])]);
  const ys = new Set([at[1], ...near.flatMap((r) => [r.y + r.height + beside, r.y - beside - height])]);
  const cost = ([x, y]: Point): number => {
    const [dx, dy] = [x - at[0], y - at[1]];
    return Math.hypot(dx < 0 ? dx * against : dx, dy < 0 ? dy * against : dy);
  };
  const places = [...xs].flatMap((x) => [...ys].map((y): Point => [Math.round(x), Math.round(y)]));
  places.sort((a, b) => cost(a) - cost(b));
  return places.find(isFree) ?? at;
}

/** Around all of them. */
export function around(points: readonly Point[], [width, height]: Point): Rectangle {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) + width - x, height: Math.max(...ys) + height - y };
}
