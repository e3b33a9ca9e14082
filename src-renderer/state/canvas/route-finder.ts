/**
 * The routes of all wires while blocks come, go and move. Where many wires look for a way they are drawn plainly at once,
 * and the ways are looked for in slices between frames.
 */
import type { Route, WireEnds } from './routing.ts';
import type { Rectangle } from '../document/rectangle.ts';
import { manyWires, plainRoute, routesInTurn, untouchedRoutes } from './routing.ts';

/** Wires that look for a way within one frame. */
const atOnce = 24;
/** Half a frame: the other half is for drawing. */
const sliceMilliseconds = 8;

type Search = ReturnType<typeof routesInTurn>;

export class RouteFinder {
  #ends: readonly WireEnds[] = [];
  #around: ReadonlyMap<string, Rectangle> = new Map();
  #dragging = false;
  /** Fills while a search goes on; a search that is overtaken leaves what it has found to the next. */
  #found: ReadonlyMap<string, Route> = new Map();
  /** The one that goes on. */
  #search: Search | undefined;
  #shown: ReadonlyMap<string, Route> | undefined;
  readonly #ended: () => void;

  /** `ended` is told when a search has ended between frames: there are better routes than were given before. */
  constructor(ended: () => void) {
    this.#ended = ended;
  }

  /** The same map as long as nothing has changed. */
  routes(
    ends: readonly WireEnds[],
    rectangles: ReadonlyMap<string, Rectangle>,
    dragging: boolean,
  ): ReadonlyMap<string, Route> {
    const sameEnds = ends.length === this.#ends.length && ends.every((end, i) => end === this.#ends[i]);
    const same = sameEnds && rectangles === this.#around && dragging === this.#dragging;
    if (same && this.#shown) return this.#shown;
    if (!same) this.#look(ends, rectangles, dragging);
    this.#shown = new Map(ends.map((end) => [end.key, this.#found.get(end.key) ?? plainRoute(end)]));
    return this.#shown;
  }

  /** While a block is held, and on a large canvas, only the wires that it touches look for a way. */
  #look(ends: readonly WireEnds[], rectangles: ReadonlyMap<string, Rectangle>, dragging: boolean): void {
    const many = ends.length > manyWires;
    const moved = [...rectangles].flatMap(([id, now]) => (this.#around.get(id) === now ? [] : [now]));
    const kept = dragging || many ? untouchedRoutes(ends, this.#found, moved) : new Map<string, Route>();
    [this.#ends, this.#around, this.#dragging] = [ends, rectangles, dragging];
    const search = routesInTurn(ends, [...rectangles.values()], kept);
    const found = new Map(kept);
    this.#found = found;
    this.#search = undefined;
    if (many && ends.length - kept.size > atOnce) void this.#lookOn(search, found);
    else for (const [key, route] of search) found.set(key, route);
  }

  async #lookOn(search: Search, found: Map<string, Route>): Promise<void> {
    this.#search = search;
    for (;;) {
      await new Promise((next) => setTimeout(next));
      if (this.#search !== search) return;
      for (const until = performance.now() + sliceMilliseconds; performance.now() < until;) {
        const step = search.next();
        if (!step.done) found.set(...step.value);
        else {
          [this.#search, this.#shown] = [undefined, undefined];
          this.#ended();
          return;
        }
      }
    }
  }
}
