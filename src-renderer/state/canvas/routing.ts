/**
 * Routes wires: right-angled, around blocks, with lanes of their own where wires of different sources would lie on each
 * other, and one trunk for wires of the same source. Each wire chooses the cheapest of a few hundred candidate lines.
 */
import type { Point } from '../document/draft.ts';
import type { Rectangle, Side } from '../document/rectangle.ts';
import type { Box } from './spatial-index.ts';
import { SpatialIndex } from './spatial-index.ts';

export interface WireEnds {
  readonly key: string;
  /** Wires that share a source share a trunk. */
  readonly source: string;
  readonly from: Point;
  readonly fromSide: Side;
  readonly to: Point;
  readonly toSide: Side;
  /** Whether a shape is written at its source. */
  readonly labelled?: boolean;
}

export type Route = readonly Point[];

const stub = 12;
const lane = 8;
const clearance = 8;
const cornerRadius = 7;

/** How hard a wire looks for its way. On a canvas with many wires a good way soon is worth more than the best late. */
interface Effort {
  /** Tried beside each other, at either end of a detour. */
  readonly lanes: number;
  /** Places at which a wire may turn once. */
  readonly turns: number;
  /** Lines along which it may make a detour. */
  readonly lines: number;
}
const thorough: Effort = { lanes: 4, turns: 80, lines: 400 };
const quick: Effort = { lanes: 2, turns: 20, lines: 12 };
/** Wires from which on the quick search is made, and only where something has changed. */
export const manyWires = 120;

interface Segment {
  readonly a: Point;
  readonly b: Point;
  readonly source: string;
}

/**
 * Routes by key. Short wires choose first: they have the least freedom. Those in `kept` stay as they are, and the others
 * make way for them.
 */
export function routeWires(
  wires: readonly WireEnds[],
  blocks: readonly Rectangle[],
  kept: ReadonlyMap<string, Route> = new Map(),
): Map<string, Route> {
  return new Map([...kept, ...routesInTurn(wires, blocks, kept)]);
}

/** The same one by one, for a search that goes on while the canvas is in use: every step is the search of one wire. */
export function* routesInTurn(
  wires: readonly WireEnds[],
  blocks: readonly Rectangle[],
  kept: ReadonlyMap<string, Route>,
): Generator<readonly [key: string, route: Route], void> {
  const place = placeOf(wires, blocks);
  for (const { key, source } of wires) {
    const route = kept.get(key);
    if (route) occupy(place, route, source);
  }
  const free = wires.filter((wire) => !kept.has(wire.key));
  for (const wire of free.sort((a, b) => span(a) - span(b))) {
    const route = cheapest(wire, place) ?? [wire.from, wire.to];
    occupy(place, route, wire.source);
    yield [wire.key, route];
  }
}

/** A right-angled way that looks at nothing on the canvas: what is drawn until one has been looked for. */
export function plainRoute({ from, fromSide, to, toSide }: WireEnds): Route {
  const upright = (side: Side) => side === 'top' || side === 'bottom';
  const [x, y] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  if (upright(fromSide) !== upright(toSide)) return [from, upright(fromSide) ? [from[0], to[1]] : [to[0], from[1]], to];
  return upright(fromSide) ? [from, [from[0], y], [to[0], y], to] : [from, [x, from[1]], [x, to[1]], to];
}

/**
 * The routes that may stay while blocks are being moved: those whose ends have not moved, and over which no block now
 * lies that did not before.
 */
export function untouchedRoutes(
  wires: readonly WireEnds[],
  before: ReadonlyMap<string, Route>,
  moved: readonly Rectangle[],
): Map<string, Route> {
  const kept = new Map<string, Route>();
  for (const { key, from, to, source } of wires) {
    const route = before.get(key);
    const [start, end] = [route?.[0], route?.at(-1)];
    if (!route || !start || !end || distance(start, from) > 0 || distance(end, to) > 0) continue;
    const parts = segments(route, source);
    if (!moved.some((block) => parts.some((part) => crosses(part, block, clearance)))) kept.set(key, route);
  }
  return kept;
}

/** What a wire has to find its way among. */
interface Place {
  readonly blocks: SpatialIndex<Rectangle>;
  readonly labels: SpatialIndex<Label>;
  readonly segments: SpatialIndex<Segment>;
  readonly effort: Effort;
  /** Where a detour may run, in order: beside every block, and beyond the shapes that are written beside it. */
  readonly xs: readonly number[];
  readonly ys: readonly number[];
}

function placeOf(wires: readonly WireEnds[], blocks: readonly Rectangle[]): Place {
  const aside = [2 * lane, 6 * lane];
  const lines = (start: (r: Rectangle) => number, length: (r: Rectangle) => number) => {
    const all = blocks.flatMap((block) =>
      aside.flatMap((by) => [start(block) - by, start(block) + length(block) + by]),
    );
    return [...new Set(all)].sort((a, b) => a - b);
  };
  const place: Place = {
    blocks: new SpatialIndex(),
    labels: new SpatialIndex(),
    segments: new SpatialIndex(),
    effort: wires.length > manyWires ? quick : thorough,
    xs: lines(
      (r) => r.x,
      (r) => r.width,
    ),
    ys: lines(
      (r) => r.y,
      (r) => r.height,
    ),
  };
  for (const block of blocks) place.blocks.add(boxOf(block, clearance), block);
  for (const label of wires.filter(({ labelled = true }) => labelled).map(labelOf))
    place.labels.add(boxOf(label, 0), label);
  return place;
}

function boxOf({ x, y, width, height }: Rectangle, margin: number): Box {
  return { left: x - margin, top: y - margin, right: x + width + margin, bottom: y + height + margin };
}

/** With the lanes beside it, in which another wire would lie on it. */
function boxAround({ a, b }: Segment): Box {
  return {
    left: Math.min(a[0], b[0]) - lane,
    top: Math.min(a[1], b[1]) - lane,
    right: Math.max(a[0], b[0]) + lane,
    bottom: Math.max(a[1], b[1]) + lane,
  };
}

function occupy(place: Place, route: Route, source: string): void {
  for (const segment of segments(route, source)) place.segments.add(boxAround(segment), segment);
}

function cheapest(wire: WireEnds, place: Place): Route | undefined {
  let best: Route | undefined;
  let least = Infinity;
  const consider = (route: Route) => {
    const price = cost(route, wire, place, least);
    if (price < least) [best, least] = [route, price];
  };
  const { direct, detours } = candidates(wire, place);
  direct.forEach(consider);
  // Detours come by their length: once one is longer than the best is dear, so are all that follow.
  for (const { by, lines } of detours) {
    if (span(wire) + 2 * by >= least) break;
    lines().forEach(consider);
  }
  return best;
}

/** The room of the shape that is written at a source; a wire does not cross text. */
interface Label extends Rectangle {
  readonly source: string;
}

function labelOf({ from: [x, y], fromSide, source }: WireEnds): Label {
  const below = fromSide === 'bottom';
  return { x: x + 4, y: below ? y + 4 : y - 16, width: 34, height: below ? 18 : 14, source };
}

function span({ from, to }: WireEnds): number {
  return Math.abs(from[0] - to[0]) + Math.abs(from[1] - to[1]);
}

interface Candidates {
  readonly direct: readonly Route[];
  /** Along a line that leaves the rectangle between the ends by so much; the least first. */
  readonly detours: readonly { readonly by: number; readonly lines: () => readonly Route[] }[];
}

function candidates(wire: WireEnds, place: Place): Candidates {
  const vertical = wire.fromSide === 'bottom' || wire.fromSide === 'top';
  const flip = ([x, y]: Point): Point => [y, x];
  const turned = (routes: readonly Route[]) => (vertical ? routes.map((route) => route.map(flip)) : routes);
  const endsVertical = wire.toSide === 'top' || wire.toSide === 'bottom';
  const from = vertical ? flip(wire.from) : wire.from;
  const to = vertical ? flip(wire.to) : wire.to;
  const across = vertical ? place.xs : place.ys;
  const straight = vertical === endsVertical;
  const [low, high] = [Math.min(from[1], to[1]), Math.max(from[1], to[1])];
  const usable = straight ? [...across, (from[1] + to[1]) / 2] : across.filter((y) => y <= to[1] - stub);
  return {
    direct: turned(straight ? straightOn(from, to, place.effort) : roundCorner(from, to, place.effort)),
    detours: usable
      .map((y) => ({
        by: Math.max(0, low - y, y - high),
        lines: () => turned(straight ? straightBy(from, to, y, place.effort) : cornerBy(from, to, y, place.effort)),
      }))
      .sort((a, b) => a.by - b.by)
      .slice(0, place.effort.lines),
  };
}

/** Leaves to the right, arrives from the left. */
function straightOn(from: Point, to: Point, { turns, lanes }: Effort): Route[] {
  const [x0, y0] = [from[0] + stub, from[1]];
  const [x1, y1] = [to[0] - stub, to[1]];
  const lines: Point[][] = [];
  if (y0 === y1 && from[0] <= to[0]) lines.push([from, to]);
  for (let x = x1, n = 0; x >= x0 && n < turns; x -= lane, n++) lines.push([from, [x, y0], [x, y1], to]);
  for (let n = 0; n < lanes && x0 + n * lane < x1; n++)
    lines.push([from, [x0 + n * lane, y0], [x0 + n * lane, y1], to]);
  return lines;
}

function straightBy(from: Point, to: Point, y: number, { lanes }: Effort): Route[] {
  const [x0, x1] = [from[0] + stub, to[0] - stub];
  const lines: Point[][] = [];
  for (let m = 0; m < lanes; m++)
    for (let n = 0; n < lanes; n++) {
      const [u, v] = [x0 + m * lane, x1 - n * lane];
      lines.push([from, [u, from[1]], [u, y], [v, y], [v, to[1]], to]);
    }
  return lines;
}

/** Leaves to the right, arrives from above. */
function roundCorner(from: Point, to: Point, effort: Effort): Route[] {
  const [x1, y1] = [to[0], to[1] - stub];
  const direct: Point[][] = x1 >= from[0] + stub && y1 >= from[1] ? [[from, [x1, from[1]], to]] : [];
  return [...direct, ...[0, 1, 2, 3].flatMap((n) => cornerBy(from, to, y1 - n * lane, effort))];
}

function cornerBy(from: Point, to: Point, y: number, { lanes }: Effort): Route[] {
  return Array.from({ length: lanes }, (_, m): Route => {
    const x = from[0] + stub + m * lane;
    return [from, [x, from[1]], [x, y], [to[0], y], to];
  });
}

function segments(route: Route, source: string): Segment[] {
  return route.slice(1).map((b, i) => ({ a: route[i]!, b, source }));
}

function cost(route: Route, wire: WireEnds, place: Place, limit: number): number {
  let total = 0;
  const parts = segments(route, wire.source);
  // Of equals, the line that turns near its target: the eye follows a straight wire out of the block.
  const turn = route.length > 2 ? route[1]! : wire.to;
  total += 0.05 * (Math.abs(turn[0] - wire.to[0]) + Math.abs(turn[1] - wire.to[1]));
  for (const { a, b } of parts) total += Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]);
  total += 14 * (route.length - 2);
  for (const part of parts) {
    if (total >= limit) return total;
    const box = boxAround(part);
    place.blocks.visit(box, (block) => {
      if (!crosses(part, block, clearance)) return false;
      // Its own blocks a wire may touch, where its ports are.
      const own = touches(block, wire.from) || touches(block, wire.to);
      if (!own || crosses(part, block, -1)) total += 3000;
      return total >= limit;
    });
    if (total >= limit) return total;
    place.labels.visit(box, (label) => {
      if (label.source !== wire.source && crosses(part, label, 0)) total += 120;
      return total >= limit;
    });
    if (total >= limit) return total;
    // Not left early: what it shares with wires of its own source makes it cheaper again.
    place.segments.visit(box, (other) => {
      total += meeting(part, other);
      return false;
    });
  }
  return total;
}

function touches(block: Rectangle, [x, y]: Point): boolean {
  return x >= block.x - 1 && x <= block.x + block.width + 1 && y >= block.y - 1 && y <= block.y + block.height + 1;
}

function crosses({ a, b }: Segment, block: Rectangle, margin: number): boolean {
  return (
    Math.max(a[0], b[0]) > block.x - margin &&
    Math.min(a[0], b[0]) < block.x + block.width + margin &&
    Math.max(a[1], b[1]) > block.y - margin &&
    Math.min(a[1], b[1]) < block.y + block.height + margin
  );
}

/** Whether any two of the rectangles lie on each other. */
export function overlapping(rectangles: readonly Rectangle[]): boolean {
  const sorted = [...rectangles].sort((a, b) => a.x - b.x);
  return sorted.some((a, i) => {
    for (let j = i + 1; j < sorted.length && sorted[j]!.x < a.x + a.width; j++) {
      const b = sorted[j]!;
      if (a.y < b.y + b.height && b.y < a.y + a.height) return true;
    }
    return false;
  });
}

/** What it costs two segments to meet: on each other is bad, crossing is tolerable, sharing a trunk is welcome. */
function meeting(one: Segment, other: Segment): number {
  const axis = one.a[0] === one.b[0] ? 0 : 1;
  const otherAxis = other.a[0] === other.b[0] ? 0 : 1;
  const along = (1 - axis) as 0 | 1;
  const same = one.source === other.source;
  if (axis === otherAxis) {
    const overlap =
      Math.min(Math.max(one.a[along], one.b[along]), Math.max(other.a[along], other.b[along])) -
      Math.max(Math.min(one.a[along], one.b[along]), Math.min(other.a[along], other.b[along]));
    const apart = Math.abs(one.a[axis] - other.a[axis]);
    if (overlap < -2 || apart >= lane - 1) return 0;
    if (same) return apart === 0 ? -0.6 * Math.max(0, overlap) : 30;
    return 80 + 4 * Math.max(0, overlap);
  }
  if (same) return 0;
  const between = (x: number, u: number, v: number) => x > Math.min(u, v) && x < Math.max(u, v);
  const crossing =
    between(one.a[axis], other.a[axis], other.b[axis]) && between(other.a[along], one.a[along], one.b[along]);
  return crossing ? 18 : 0;
}

/** A route as an SVG path with rounded corners; `offset` moves it sideways, for the lines of a matrix wire. */
export function roundedPath(route: Route): string {
  const points = route.filter((p, i) => i === 0 || p[0] !== route[i - 1]![0] || p[1] !== route[i - 1]![1]);
  let path = `M${points[0]!.join(' ')}`;
  for (let i = 1; i < points.length - 1; i++) {
    const [before, at, after] = [points[i - 1]!, points[i]!, points[i + 1]!];
    const [one, two] = [distance(before, at), distance(at, after)];
    const radius = Math.min(cornerRadius, one / 2, two / 2);
    path += `L${toward(at, before, radius / one)}Q${at.join(' ')} ${toward(at, after, radius / two)}`;
  }
  return `${path}L${points.at(-1)!.join(' ')}`;
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

function toward(from: Point, to: Point, share: number): string {
  return `${from[0] + (to[0] - from[0]) * share} ${from[1] + (to[1] - from[1]) * share}`;
}

/** Half-way along, where the mark of a refused wire stands. */
export function middleOf(route: Route): Point {
  let left = route.slice(1).reduce((sum, point, i) => sum + distance(route[i]!, point), 0) / 2;
  for (let i = 1; i < route.length; i++) {
    const [a, b] = [route[i - 1]!, route[i]!];
    const length = distance(a, b);
    if (left <= length && length > 0) {
      const share = left / length;
      return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
    }
    left -= length;
  }
  return route[0]!;
}

/** Where wires of one source part: each wire against those before it. */
export function branchPoints(routes: readonly Route[]): Point[] {
  const points: Point[] = [];
  for (const [index, route] of routes.entries()) {
    let furthest: { length: number; point: Point } | undefined;
    for (const earlier of routes.slice(0, index)) {
      const shared = sharedPrefix(route, earlier);
      if (shared && shared.length > (furthest?.length ?? 0)) furthest = shared;
    }
    if (furthest) points.push(furthest.point);
  }
  return points;
}

/** How far two routes from the same port run together. */
function sharedPrefix(one: Route, other: Route): { length: number; point: Point } | undefined {
  let length = 0;
  let at = one[0]!;
  if (distance(at, other[0]!) > 0) return undefined;
  for (let i = 1, j = 1; i < one.length && j < other.length;) {
    const [a, b] = [one[i]!, other[j]!];
    const direction = (to: Point) => [Math.sign(to[0] - at[0]), Math.sign(to[1] - at[1])];
    const [da, db] = [direction(a), direction(b)];
    if (da[0] !== db[0] || da[1] !== db[1]) break;
    const nearer = distance(at, a) <= distance(at, b) ? a : b;
    length += distance(at, nearer);
    at = nearer;
    if (nearer[0] === a[0] && nearer[1] === a[1]) i++;
    if (nearer[0] === b[0] && nearer[1] === b[1]) j++;
  }
  const ends = (route: Route) => distance(route.at(-1)!, at) === 0;
  return length > 0 && !ends(one) && !ends(other) ? { length, point: at } : undefined;
}
