/** Where blocks go that have no place, and what of the canvas is in view. */
import type { FitViewOptions, Viewport } from '@xyflow/svelte';
import { tick } from 'svelte';
import type { CanvasState } from './canvas.svelte.ts';
import { positionOf, withoutPlaces } from '../document/draft.ts';
import { zoomIn } from './fold.ts';
import type { Places, Room } from './layout-graph.ts';
import { boxOf } from './layout-graph.ts';
import { layOut, manyBlocks, provisionalLayout } from './layout.ts';
import { openingView } from './opening-view.ts';
import { below, legendPlace } from '../adjoints/legend-place.ts';
import type { Studio } from '../studio.svelte.ts';
import { deferred } from '../window/latest.ts';

/** As Svelte Flow offers it. */
export interface View {
  readonly fitView: (options: FitViewOptions) => Promise<boolean>;
  readonly getViewport: () => Viewport;
  readonly setViewport: (viewport: Viewport) => Promise<boolean>;
}

/** What stands over the canvas at its edges, in pixels. */
export const aside = { top: 14, right: 24, bottom: 54, left: 24 } as const;
const px = (length: number) => `${length}px` as const;
const insets = { top: px(aside.top), right: px(aside.right), bottom: px(aside.bottom), left: px(aside.left) };
const worthMoving = 1.1;
const largestZoom = 1.15;
/** A window is dragged to its size in many steps. */
const resizeMilliseconds = 80;

export class Placing {
  readonly #studio: Studio;
  readonly #canvas: CanvasState;
  readonly #view: View;
  readonly #size: () => Room;
  #settling = false;
  /** What was shown last by us; who has gone elsewhere since wants to stay there. */
  #shown: Viewport | undefined;
  /** All blocks were asked for, however small. */
  #whole = false;
  readonly #show = deferred(resizeMilliseconds, () => void this.#fold().then(() => this.#showAgain()));
  /** The first picture stands: until then nothing is shown. */
  settled = $state(false);

  constructor(studio: Studio, canvas: CanvasState, view: View, size: () => Room) {
    this.#studio = studio;
    this.#canvas = canvas;
    this.#view = view;
    this.#size = size;
  }

  /** Once the engine has named the ports and everything is measured, what has no place gets one. */
  async settle(): Promise<void> {
    if (this.#settling) return;
    this.#settling = true;
    await document.fonts.ready;
    await this.#still();
    const refined = await this.#place();
    await this.#open();
    this.settled = true;
    await refined?.();
  }

  /** Places what has no place. On a large canvas provisionally: what comes back then waits for better places. */
  async #place(): Promise<(() => Promise<void>) | undefined> {
    const { blocks } = this.#studio.draft;
    if (blocks.every((block) => this.#canvas.isPlaced(block.id))) return undefined;
    if (blocks.length <= manyBlocks) {
      await this.layOutAgain();
      await tick();
      return undefined;
    }
    const input = this.#canvas.layoutInput();
    const provisional = provisionalLayout(input.blocks, input.wires, this.#room);
    const better = layOut(input.blocks, input.wires, this.#room);
    this.#canvas.automatic = provisional;
    await tick();
    return async () => {
      const before = this.#view.getViewport();
      const places = await better;
      // Whoever has begun to work with the blocks where they are keeps them there.
      if (this.#canvas.automatic !== provisional || this.#canvas.dragging || this.ownsPlaces) return;
      this.#canvas.automatic = places;
      await tick();
      const now = this.#view.getViewport();
      if (now.x === before.x && now.y === before.y && now.zoom === before.zoom) await this.#showAgain();
    };
  }

  /** A model without places of its own is laid out by us, and anew when a block grows over its neighbour. */
  async layOutAgain(): Promise<void> {
    const { blocks, wires } = this.#canvas.layoutInput();
    const places = await layOut(blocks, wires, this.#room);
    const stays = this.#stays;
    this.#canvas.automatic = places;
    if (!stays) return;
    await tick();
    await this.#showAgain();
  }

  /** Nobody has moved the canvas since it was shown; an empty one has shown nothing yet. */
  get #stays(): boolean {
    const [before, now] = [this.#shown, this.#view.getViewport()];
    if (!this.settled || !before) return this.settled;
    return before.x === now.x && before.y === now.y && before.zoom === now.zoom;
  }

  /** What blocks can take of the canvas. */
  get #room(): Room {
    const { width, height } = this.#size();
    return { width: width - aside.left - aside.right, height: height - aside.top - aside.bottom };
  }

  /** In a room of another shape the flow is folded anew where it would be seen so much larger that it is worth the move. */
  async #fold(): Promise<void> {
    if (this.ownsPlaces || this.#canvas.automatic.size === 0) return;
    const { blocks, wires } = this.#canvas.layoutInput();
    if (blocks.length > manyBlocks) return;
    const before = this.#canvas.automatic;
    const places = await layOut(blocks, wires, this.#room);
    const zoom = (of: Places) => zoomIn(this.#room, boxOf(blocks, of));
    if (this.#canvas.automatic !== before || this.#canvas.dragging || zoom(places) < worthMoving * zoom(before)) return;
    this.#canvas.automatic = places;
    await tick();
  }

  get ownsPlaces(): boolean {
    return this.#studio.draft.blocks.some((block) => positionOf(this.#studio.draft, block.id));
  }

  /** Places that were set by hand go, as one step: the model is laid out by us again, and folded to every window. */
  async arrange(): Promise<void> {
    if (this.ownsPlaces)
      this.#studio.perform({ type: 'replace', what: 'Arrange the blocks', draft: withoutPlaces(this.#studio.draft) });
    await tick();
    await this.#still();
    await this.layOutAgain();
    await tick();
    await this.showAll();
  }

  /** All blocks where they can be read at once, else where the flow begins. */
  async #open(): Promise<void> {
    this.#whole = false;
    const { cards } = this.#canvas;
    if (cards.size === 0) return;
    const room = this.#room;
    const opening = openingView(room, [...cards.values()]);
    if (!opening) return await this.#fit(0);
    const { zoom, center } = opening;
    const x = aside.left + room.width / 2 - center[0] * zoom;
    const y = aside.top + room.height / 2 - center[1] * zoom;
    await this.#view.setViewport({ x, y, zoom });
    this.#shown = this.#view.getViewport();
  }

  #showAgain(): Promise<void> {
    return this.#whole ? this.#fit(0) : this.#open();
  }

  async showAll(duration = 0): Promise<void> {
    this.#whole = true;
    await this.#fit(duration);
  }

  /** All blocks in view; above the legend of the adjoints where one would lie behind it wherever it stands. */
  async #fit(duration: number): Promise<void> {
    // Svelte Flow waits for a node to fit.
    if (this.#studio.draft.blocks.length === 0) return;
    await this.#view.fitView({ padding: insets, maxZoom: largestZoom, duration: 0 });
    const { x, y, zoom } = this.#view.getViewport();
    const { width, height } = this.#size();
    const frame = { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom };
    const hidden = this.#studio.adjoints.shown && legendPlace([...this.#canvas.cards.values()], frame, zoom) === null;
    const bottom = hidden ? px(below.height) : insets.bottom;
    if (hidden || duration > 0)
      await this.#view.fitView({ padding: { ...insets, bottom }, maxZoom: largestZoom, duration });
    this.#shown = this.#view.getViewport();
  }

  /** The canvas has another size. */
  resized(): void {
    if (this.#stays) this.#show();
  }

  /** Waits until no block changes its size any more: formulas are set and sliders come in over a few frames. */
  async #still(): Promise<void> {
    const sizes = () => [...this.#canvas.rectangles.values()].map((r) => `${r.width} ${r.height}`).join();
    for (let before = '', frames = 0; before !== sizes() && frames < 20; frames++) {
      before = sizes();
      await tick();
      await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
    }
  }
}
