/** Where something new stands: where it is wanted if there is room, else at the nearest free place beside what is there. */
import type { Point } from '../document/draft.ts';
import type { Rectangle } from '../document/rectangle.ts';

const gap = 24;
/** Models flow to the right and down: a place against the flow is as good as one this much farther away. */
const against = 1.5;
/** Of very many blocks those alone that are near. */
const mostNear = 24;
/** Of what is in view, along either side. */
const tries = 16;

interface Wished {
  /** Kept to what stands there. */
  readonly room?: number;
  /** Where it stands if that has a free place. */
  readonly within?: Rectangle | undefined;
  /** No farther away than this: else it stands where it is wanted, over what is there. */
  readonly most?: number;
}

interface Span {
  readonly from: number;
  readonly to: number;
  /** Places to be tried between. */
  readonly steps: readonly number[];
}

const everywhere: Span = { from: -Infinity, to: Infinity, steps: [] };

function spanOf(from: number, length: number): Span {
  const room = Math.max(0, length);
  return { from, to: from + room, steps: Array.from({ length: tries + 1 }, (_, i) => from + (i * room) / tries) };
}

export function freePlace(
  wanted: Point,
  [width, height]: Point,
  taken: readonly Rectangle[],
  { room = gap / 2, within, most = Infinity }: Wished = {},
): Point {
  const isFree = ([x, y]: Point): boolean =>
    !taken.some(
      (r) => x < r.x + r.width + room && r.x < x + width + room && y < r.y + r.height + room && r.y < y + height + room,
    );
  const [across, down] = within
    ? [spanOf(within.x, within.width - width), spanOf(within.y, within.height - height)]
    : [everywhere, everywhere];
  const isWithin = ([x, y]: Point): boolean => x >= across.from && x <= across.to && y >= down.from && y <= down.to;
  const into = ({ from, to }: Span, value: number) => Math.max(from, Math.min(value, to));
  const at: Point = [into(across, wanted[0]), into(down, wanted[1])];
  if (isFree(at)) return at;
  const away = (r: Rectangle) => Math.hypot(r.x + r.width / 2 - at[0], r.y + r.height / 2 - at[1]);
  const near = [...taken].sort((a, b) => away(a) - away(b)).slice(0, mostNear);
  const beside = Math.max(gap, room);
  const xs = new Set([at[0], ...near.flatMap((r) => [r.x + r.width + beside, r.x - beside - width]), ...across.steps]);
  const ys = new Set([at[1], ...near.flatMap((r) => [r.y + r.height + beside, r.y - beside - height]), ...down.steps]);
  const cost = ([x, y]: Point): number => {
    const [dx, dy] = [x - at[0], y - at[1]];
    return Math.hypot(dx < 0 ? dx * against : dx, dy < 0 ? dy * against : dy);
  };
  const places = [...xs].flatMap((x) => [...ys].map((y): Point => [Math.round(x), Math.round(y)]));
  places.sort((a, b) => cost(a) - cost(b));
  const found = places.find((place) => isWithin(place) && isFree(place)) ?? places.find(isFree) ?? at;
  return Math.hypot(found[0] - at[0], found[1] - at[1]) <= most ? found : at;
}

/** Around all of them. */
export function around(points: readonly Point[], [width, height]: Point): Rectangle {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) + width - x, height: Math.max(...ys) + height - y };
}
