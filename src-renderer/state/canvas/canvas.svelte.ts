/** Where everything on the canvas is: blocks and their ports, routed wires. Shared by the blocks, the wires, the minimap. */
import type { CheckReport } from '../../../src-main/contract/contract.ts';
import { annotationsOf, frameAround, withAnnotation } from '../document/annotations.ts';
import type { BlockDraft, Point } from '../document/draft.ts';
import { positionOf } from '../document/draft.ts';
import type { BlockView } from './block-view.ts';
import { blockView, portPosition, sortTop } from './block-view.ts';
import type { MenuOf } from './canvas-actions.ts';
import type { ChipHome } from './chips.ts';
import { chipRectangle, chipsOf } from './chips.ts';
import { freePlace } from './free-place.ts';
import { deferred } from '../window/latest.ts';
import type { LayoutBlock, LayoutWire } from './layout-graph.ts';
import type { PortView, PortsView } from '../document/ports.ts';
import { isSource, portsOf } from '../document/ports.ts';
import { placeCard } from './probe-place.ts';
import { RouteFinder } from './route-finder.ts';
import type { Route, WireEnds } from './routing.ts';
import { referencesOf } from '../document/references.ts';
import { around, type Rectangle } from '../document/rectangle.ts';
import { branchPoints, middleOf } from './routing.ts';
import type { Studio, WireKey } from '../studio.svelte.ts';
import { blockOfReference } from '../document/wiring.ts';

export interface WireView {
  readonly key: string;
  readonly id: string;
  readonly port: PortView;
  readonly source: string;
  readonly route: Route;
  /** One wire of each source carries its shape. */
  readonly labelled: boolean;
}

interface KnownPorts {
  readonly block: BlockDraft;
  readonly outline: string;
  readonly report: CheckReport | undefined;
  readonly ports: PortsView;
}

interface KnownView {
  readonly ports: PortsView;
  readonly drawn: string;
  readonly view: BlockView;
}

interface WireEnd extends WireEnds {
  readonly id: string;
  readonly port: PortView;
  readonly output: string;
}

/** Where wires of one source part. */
export interface Branch {
  readonly point: Point;
  readonly port: PortView;
}

interface KnownEnd {
  readonly of: readonly object[];
  readonly end: WireEnd;
}

function sameEntries<V>(a: ReadonlyMap<string, V>, b: ReadonlyMap<string, V>): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of b) if (a.get(key) !== value) return false;
  return true;
}

/** A card that came with every wire that the pointer crosses would flicker. */
const restMilliseconds = 200;

/** Between what is there and what comes below it. */
const newGap = 36;
/** Between two blocks that a wire joins. */
const wireGap = 48;
/** As large as they mostly are. */
const blockSize = { width: 152, height: 72 };
const noteSize = { width: 212, height: 52 };

/** What a place is asked for. */
interface Wanted {
  readonly size?: { readonly width: number; readonly height: number };
  readonly without?: readonly string[];
  readonly within?: Rectangle;
}

/** In the direction of the flow from all of them. */
function behind(sources: readonly Rectangle[]): Point | undefined {
  if (sources.length === 0) return undefined;
  const { x, y, width } = around(sources);
  return [x + width + wireGap, y];
}

/** A wire being drawn. */
export interface Pulled {
  readonly from: 'input' | 'output';
  readonly id: string;
  readonly port: string;
}

/** What floats over the canvas, at a point within it; one at a time. */
export type Floating =
  | { readonly kind: 'add'; readonly x: number; readonly y: number; readonly at: Point; readonly from: Pulled | null }
  | { readonly kind: 'wire'; readonly x: number; readonly y: number; readonly from: Pulled }
  | { readonly kind: 'menu'; readonly x: number; readonly y: number; readonly of: MenuOf };

export class CanvasState {
  readonly #studio: Studio;
  /** Rectangles as the canvas has measured and placed them, also while a block is being dragged. */
  rectangles = $state.raw<ReadonlyMap<string, Rectangle>>(new Map());
  /** Places for blocks that the document has none for. */
  automatic = $state.raw<ReadonlyMap<string, Point>>(new Map());
  pulled = $state.raw<Pulled | null>(null);
  /** What of the canvas lies behind the overview. */
  covered = $state.raw<readonly Rectangle[]>([]);
  /** A block is held by the pointer. */
  dragging = $state(false);
  /** Blocks that a frame being dragged carries, and how far. */
  lifted = $state.raw<{ readonly ids: ReadonlySet<string>; readonly by: Point } | null>(null);
  floating = $state.raw<Floating | null>(null);
  /** The chip whose number is being typed. */
  typed = $state<string | null>(null);
  /** The block whose insides stand in place of the canvas. */
  opened = $state<string | null>(null);
  /** The wire that the pointer rests on. */
  hovered = $state.raw<WireKey | null>(null);

  // A slider changes one block sixty times a second. Views, the map of them and the wires keep their identity wherever
  // nothing has changed, so that only that block is drawn again.
  readonly #knownPorts = new Map<string, KnownPorts>();
  readonly #known = new Map<string, KnownView>();
  #chips: ReadonlyMap<string, ChipHome> = new Map();
  #cards: ReadonlyMap<string, Rectangle> = new Map();
  #views: ReadonlyMap<string, BlockView> = new Map();
  #placed: ReadonlyMap<string, BlockView> = new Map();
  readonly #knownEnds = new Map<string, KnownEnd>();
  #wires: readonly WireView[] = [];
  #knownBranches = new Map<string, { readonly of: readonly WireView[]; readonly branches: readonly Branch[] }>();
  readonly #finder = new RouteFinder(() => this.#searches++);
  /** Of ways for wires, that have ended since the wires were drawn plainly. */
  #searches = $state(0);
  #routes: ReadonlyMap<string, Route> = new Map();

  readonly #ports: ReadonlyMap<string, PortsView> = $derived.by(() => {
    const { draft, checking } = this.#studio;
    const { report } = checking;
    const outline = JSON.stringify([draft.blocks.map(({ id, kind }) => [id, kind]), draft['objective']]);
    return new Map(
      draft.blocks.map((block): [string, PortsView] => {
        const { id } = block;
        const known = this.#knownPorts.get(id);
        if (known?.block === block && known.outline === outline && known.report === report) return [id, known.ports];
        const ports = portsOf(draft, block, checking.blocks.get(id), checking.types, checking.problemsIn(id));
        this.#knownPorts.set(id, { block, outline, report, ports });
        return [id, ports];
      }),
    );
  });

  readonly #uses: ReadonlyMap<string, readonly ChipHome[]> = $derived.by(() => {
    const { draft } = this.#studio;
    return chipsOf(draft.blocks, this.#ports, (id) => positionOf(draft, id) !== undefined);
  });

  /** What is drawn on a block that uses it, and where it lives; what others use is named on them, too. */
  readonly chips: ReadonlyMap<string, ChipHome> = $derived.by(() => {
    const chips = new Map([...this.#uses].map(([id, [home]]) => [id, home!]));
    const same =
      chips.size === this.#chips.size &&
      [...chips].every(([id, { host, port }]) => {
        const known = this.#chips.get(id);
        return known?.host === host && known.port === port;
      });
    this.#chips = same ? this.#chips : chips;
    return this.#chips;
  });

  readonly views: ReadonlyMap<string, BlockView> = $derived.by(() => {
    const { draft, checking } = this.#studio;
    const units = new Map(draft.blocks.map(({ id, unit }) => [id, typeof unit === 'string' ? unit : '']));
    const on = new Map<string, Map<string, string>>();
    for (const [id, homes] of this.#uses)
      for (const { host, port } of homes)
        on.set(host, (on.get(host) ?? new Map<string, string>()).set(port, units.get(id) ?? ''));
    const taken = new Set([...this.#ports.values()].flatMap(({ inputs }) => inputs.map(({ source }) => source)));
    const views = new Map<string, BlockView>();
    for (const block of draft.blocks) {
      const { id } = block;
      const ports = this.#ports.get(id)!;
      const aside = new Set(ports.aside.flatMap(({ name }) => (taken.has(name) ? [name] : [])));
      const drawnAs = { isChip: this.chips.has(id), ports: on.get(id) ?? new Map<string, string>(), aside };
      const drawn = JSON.stringify([drawnAs.isChip, ...drawnAs.ports, ...aside]);
      const known = this.#known.get(id);
      const same = known?.ports === ports && known.drawn === drawn;
      const view = same ? known.view : blockView(draft, block, ports, checking.problemsIn(id), drawnAs);
      if (!same) this.#known.set(id, { ports, drawn, view });
      views.set(id, view);
    }
    this.#views = sameEntries(this.#views, views) ? this.#views : views;
    return this.#views;
  });

  /** Where the blocks of the flow are; chips lie on them. */
  readonly cards: ReadonlyMap<string, Rectangle> = $derived.by(() => {
    if (this.chips.size === 0) return this.rectangles;
    const cards = new Map([...this.rectangles].filter(([id]) => !this.chips.has(id)));
    this.#cards = sameEntries(this.#cards, cards) ? this.#cards : cards;
    return this.#cards;
  });

  /** As `views`, with the ports at the top in the order of their sources. */
  readonly placed: ReadonlyMap<string, BlockView> = $derived.by(() => {
    const x = (reference: string) => {
      const rectangle = this.rectangles.get(blockOfReference(reference));
      return rectangle ? rectangle.x + rectangle.width / 2 : 0;
    };
    const placed = new Map([...this.views].map(([id, view]) => [id, sortTop(view, x)]));
    this.#placed = sameEntries(this.#placed, placed) ? this.#placed : placed;
    return this.#placed;
  });

  readonly wires: readonly WireView[] = $derived.by(() => {
    // Blocks that have no places yet lie on one pile, through which there is no way.
    if (this.#studio.draft.blocks.some((block) => !this.isPlaced(block.id))) return this.#wires;
    const ends = [...this.placed].flatMap(([id, view]) =>
      view.inputs.flatMap((port) => this.#end(id, view, port) ?? []),
    );
    void this.#searches;
    const routes = this.#finder.routes(ends, this.cards, this.dragging);
    if (routes === this.#routes) return this.#wires;
    this.#routes = routes;
    const labelled = new Set<string>();
    const before = new Map(this.#wires.map((wire) => [wire.key, wire]));
    this.#wires = ends.map(({ key, id, port, output, source }) => {
      const first = !labelled.has(source);
      labelled.add(source);
      const route = routes.get(key)!;
      const old = before.get(key);
      const same = old?.route === route && old.port === port && old.labelled === first && old.source === output;
      return same ? old : { key, id, port, source: output, route, labelled: first };
    });
    return this.#wires;
  });

  readonly branches: readonly Branch[] = $derived.by(() => {
    const bySource = new Map<string, WireView[]>();
    for (const wire of this.wires) {
      const wires = bySource.get(wire.source);
      if (wires) wires.push(wire);
      else bySource.set(wire.source, [wire]);
    }
    const known = this.#knownBranches;
    this.#knownBranches = new Map();
    for (const [source, wires] of bySource) {
      const before = known.get(source);
      const same = before?.of.length === wires.length && wires.every((wire, i) => wire === before.of[i]);
      const { port } = wires[0]!;
      const found = () => branchPoints(wires.map(({ route }) => route)).map((point) => ({ point, port }));
      this.#knownBranches.set(source, same ? before : { of: wires, branches: found() });
    }
    return [...this.#knownBranches.values()].flatMap(({ branches }) => branches);
  });

  /** The port at which the wire being drawn began. */
  readonly pulledPort: PortView | undefined = $derived.by(() => {
    const view = this.pulled && this.placed.get(this.pulled.id);
    const ports = this.pulled?.from === 'output' ? view?.outputs : view?.inputs;
    return ports?.find((port) => port.name === this.pulled?.port);
  });

  constructor(studio: Studio) {
    this.#studio = studio;
  }

  /** The note that is being written, by its place in the list. */
  writing = $state<number | null>(null);
  #wanted: WireKey | null = null;
  readonly #rest = deferred(restMilliseconds, () => (this.hovered = this.#wanted));

  /** Keeps a probe of the wire on the canvas; a second time takes it away. */
  pin({ id, port }: WireKey, zoom: number): void {
    const studio = this.#studio;
    const route = this.wireAt({ id, port })?.route;
    if (!route) return;
    const probes = annotationsOf(studio.draft, 'probes');
    const known = probes.find(({ entry }) => entry.block === id && entry.port === port);
    const entry = { block: id, port, at: this.probePlace(route, zoom) };
    const entries = withAnnotation(studio.draft, 'probes', known?.index ?? Infinity, known ? null : entry);
    const what = `${known ? 'Unpin' : 'Pin'} ${port} of ${id}`;
    studio.perform({ type: 'annotate', key: 'probes', what, entries, positions: [] });
  }

  /** Where the card of a probe stands. */
  probePlace(route: Route, zoom: number): Point {
    const scale = Math.min(1.6, Math.max(1, 1 / zoom));
    return placeCard(middleOf(route), [...this.cards.values()], scale);
  }

  /** Where blocks and notes are, those that are not drawn yet as large as they may become. */
  #taken(without: readonly string[] = []): Rectangle[] {
    const { draft } = this.#studio;
    const cards = draft.blocks.filter(({ id }) => !this.chips.has(id) && !without.includes(id));
    const blocks = cards.map(({ id }): Rectangle => {
      const [x, y] = this.positionOf(id);
      return this.rectangles.get(id) ?? { x, y, ...blockSize };
    });
    const notes = annotationsOf(draft, 'notes').map(({ entry: { at } }) => ({ x: at[0], y: at[1], ...noteSize }));
    return [...blocks, ...notes, ...this.covered];
  }

  /**
   * Near a point, where there is room for a block, or for as much as is said, once blocks are gone `without` which it is asked;
   * `within` what is in view, as long as it has room.
   */
  roomAt(at: Point, { size = blockSize, without = [], within }: Wanted = {}): Point {
    return freePlace(at, [size.width, size.height], this.#taken(without), { within });
  }

  /** In the direction of the flow from a port, with room for the wire between. */
  beside({ from, id }: Pulled): Point | undefined {
    const card = this.cards.get(this.chips.get(id)?.host ?? id);
    return card && [from === 'output' ? card.x + card.width + wireGap : card.x - wireGap - blockSize.width, card.y];
  }

  /** A note to be written, near a point of the canvas. */
  addNote(at: Point, within: Rectangle): void {
    const place = this.roomAt(at, { size: noteSize, within });
    const entries = withAnnotation(this.#studio.draft, 'notes', Infinity, { text: '', at: place });
    this.#studio.perform({ type: 'annotate', key: 'notes', what: 'Add a note', entries, positions: [] });
    this.writing = entries.length - 1;
  }

  /** A frame around the selection, or at a point of the canvas where nothing is selected. */
  addFrame(at: Point): void {
    const chosen = this.#studio.selection.flatMap((id) => this.rectangles.get(id) ?? []);
    const around = frameAround(chosen) ?? { at, size: [320, 200] as const };
    const round = ([x, y]: Point): Point => [Math.round(x), Math.round(y)];
    const frame = { title: '', at: round(around.at), size: round(around.size), color: 'grey' as const };
    const entries = withAnnotation(this.#studio.draft, 'frames', Infinity, frame);
    this.#studio.perform({ type: 'annotate', key: 'frames', what: 'Add a frame', entries, positions: [] });
  }

  /** The pointer has come to a wire, or to its card, or has left: a card appears when it rests, and can be reached. */
  hover(wire: WireKey | null): void {
    this.#wanted = wire;
    this.#rest();
  }

  /** The same object as long as neither block has moved or changed. */
  #end(id: string, view: BlockView, port: PortView): WireEnd | undefined {
    if (port.source === undefined || view.chips.includes(port)) return undefined;
    const feeder = blockOfReference(port.source);
    const from = this.placed.get(feeder);
    const output = from?.outputs.find((other) => other.name === port.source) ?? from?.outputs[0];
    const [fromRectangle, toRectangle] = [this.rectangles.get(feeder), this.rectangles.get(id)];
    if (!from || !output || !fromRectangle || !toRectangle) return undefined;
    const key = `${id} ${port.name}`;
    const of = [view, port, from, fromRectangle, toRectangle] as const;
    const known = this.#knownEnds.get(key);
    if (known && of.every((part, i) => part === known.of[i])) return known.end;
    const place = (block: BlockView, which: PortView, rectangle: Rectangle): Point => {
      const [x, y] = portPosition(block, which, rectangle.width, rectangle.height);
      return [rectangle.x + x, rectangle.y + y];
    };
    const end: WireEnd = {
      key,
      id,
      port,
      output: port.source,
      source: output.name,
      from: place(from, output, fromRectangle),
      fromSide: output.side,
      to: place(view, port, toRectangle),
      toSide: port.side,
      labelled: port.shape !== '',
    };
    this.#knownEnds.set(key, { of, end });
    return end;
  }

  positionOf(id: string): Point {
    const home = this.chips.get(id);
    if (home) {
      const [left, top] = this.positionOf(home.host);
      const { x, y } = this.chipPlace(id)!;
      return [left + x, top + y];
    }
    const [x, y] = positionOf(this.#studio.draft, id) ?? this.automatic.get(id) ?? [0, 0];
    const { ids, by } = this.lifted ?? {};
    return ids?.has(id) && by ? [x + by[0], y + by[1]] : [x, y];
  }

  /** How many blocks use what is drawn as a chip. */
  usesOf(id: string): number {
    return this.#uses.get(id)?.length ?? 0;
  }

  /** Where a chip stands on its block. */
  chipPlace(id: string): Rectangle | undefined {
    const home = this.chips.get(id);
    const view = home && this.views.get(home.host);
    if (!home || !view) return undefined;
    const index = view.chips.findIndex(({ name }) => name === home.port);
    return chipRectangle(index, view.words, this.rectangles.get(home.host)?.width ?? 0);
  }

  /** Where the blocks now are; a block that has not moved keeps its rectangle. */
  measured(found: ReadonlyMap<string, Rectangle>): void {
    const rectangles = new Map<string, Rectangle>();
    for (const [id, now] of found) {
      const old = this.rectangles.get(id);
      const same = old?.x === now.x && old.y === now.y && old.width === now.width && old.height === now.height;
      rectangles.set(id, same ? old : now);
    }
    if (!sameEntries(this.rectangles, rectangles)) this.rectangles = rectangles;
  }

  /** What came to a model that has its places without one of its own stands behind what it reads, else below, where there is room. */
  placeNew(): void {
    const cards = this.#studio.draft.blocks.filter(({ id }) => !this.chips.has(id));
    const [fresh, placed] = [false, true].map((is) => cards.filter(({ id }) => this.isPlaced(id) === is)) as [
      BlockDraft[],
      BlockDraft[],
    ];
    const rectangleAt = ({ id }: BlockDraft, [x, y]: Point): Rectangle => ({
      ...blockSize,
      ...this.rectangles.get(id),
      ...{ x, y },
    });
    const taken = placed.map((block) => rectangleAt(block, this.positionOf(block.id)));
    const left = Math.min(...taken.map(({ x }) => x));
    const below = Math.max(...taken.map(({ y, height }) => y + height));
    const wanted: Point = taken.length === 0 ? [0, 0] : [left, below + newGap];
    const automatic = new Map(this.automatic);
    const placedAt = new Map(placed.map(({ id }, i) => [id, taken[i]!]));
    for (const block of fresh) {
      const { width, height } = rectangleAt(block, [0, 0]);
      const sources = referencesOf(block).flatMap((reference) => placedAt.get(blockOfReference(reference)) ?? []);
      const at = freePlace(behind(sources) ?? wanted, [width, height], taken);
      automatic.set(block.id, at);
      const rectangle = rectangleAt(block, at);
      placedAt.set(block.id, rectangle);
      taken.push(rectangle);
    }
    this.automatic = automatic;
  }

  isPlaced(id: string): boolean {
    return this.chips.has(id) || positionOf(this.#studio.draft, id) !== undefined || this.automatic.has(id);
  }

  /** Where a place has to be written down for blocks that move: a model laid out automatically must then keep all of its own. */
  placesFor(ids: readonly string[]): Map<string, Point> {
    const { blocks } = this.#studio.draft;
    const automatic = blocks.some((block) => this.automatic.has(block.id) || !this.isPlaced(block.id));
    const all = automatic ? blocks.map((block) => block.id) : ids;
    return new Map(all.flatMap((id) => (this.chips.has(id) ? [] : [[id, this.positionOf(id)]])));
  }

  wireAt({ id, port }: WireKey): WireView | undefined {
    return this.wires.find((wire) => wire.id === id && wire.port.name === port);
  }

  /** How far a block put down here has to go so that a wire which is nearly straight is straight. */
  straighten(id: string): Point {
    const near = 6;
    for (const wire of this.wires) {
      const source = blockOfReference(wire.source);
      if (wire.id !== id && source !== id) continue;
      const [from, to] = [wire.route[0]!, wire.route.at(-1)!];
      const away = wire.id === id ? 1 : -1;
      const [dx, dy] = [(from[0] - to[0]) * away, (from[1] - to[1]) * away];
      if (wire.port.side === 'left' && dy !== 0 && Math.abs(dy) <= near) return [0, dy];
      if (wire.port.side === 'top' && dx !== 0 && Math.abs(dx) <= near) return [dx, 0];
    }
    return [0, 0];
  }

  /** What the layout needs, at the sizes on screen. */
  layoutInput(): { blocks: LayoutBlock[]; wires: LayoutWire[] } {
    const size = (id: string) => this.rectangles.get(id) ?? { x: 0, y: 0, width: 120, height: 60 };
    const cards = [...this.views].filter(([id]) => !this.chips.has(id));
    const blocks = cards.map(([id, view]) => ({
      id,
      width: size(id).width,
      height: size(id).height,
      above: isSource(view.block.kind),
    }));
    const wires: LayoutWire[] = [];
    for (const [id, view] of cards) {
      for (const port of view.inputs) {
        if (port.source === undefined || view.chips.includes(port)) continue;
        const feeder = blockOfReference(port.source);
        const from = this.views.get(feeder);
        const output = from?.outputs.find((other) => other.name === port.source) ?? from?.outputs[0];
        if (!from || !output) continue;
        const at = (v: BlockView, p: PortView, block: string) =>
          portPosition(v, p, size(block).width, size(block).height);
        wires.push({ from: feeder, to: id, fromPort: at(from, output, feeder), toPort: at(view, port, id) });
      }
    }
    return { blocks, wires };
  }
}
