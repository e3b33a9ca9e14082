/** Where blocks go that have no place, and what of the canvas is in view. */
import type { FitViewOptions, Viewport } from '@xyflow/svelte';
import { tick } from 'svelte';
import type { CanvasState } from './canvas.svelte.ts';
import { positionOf } from './draft.ts';
import { layOut } from './layout.ts';
import type { Studio } from './studio.svelte.ts';

/** As Svelte Flow offers it. */
export interface View {
  readonly fitView: (options: FitViewOptions) => Promise<boolean>;
  readonly getViewport: () => Viewport;
}

const insets = { top: '24px', right: '32px', bottom: '60px', left: '32px' } as const;
/** The corner that the minimap and its legend take, from the left and from the bottom. */
const corner = { width: 330, height: 152 };
/** In a window that is narrower there is no minimap. */
const widthWithMinimap = 1180;
const largestZoom = 1.15;

export class Placing {
  readonly #studio: Studio;
  readonly #canvas: CanvasState;
  readonly #view: View;
  readonly #height: () => number;
  #settling = false;
  /** The first picture stands: until then nothing is shown. */
  settled = $state(false);

  constructor(studio: Studio, canvas: CanvasState, view: View, height: () => number) {
    this.#studio = studio;
    this.#canvas = canvas;
    this.#view = view;
    this.#height = height;
  }

  /** Once the engine has named the ports and everything is measured, what has no place gets one. */
  async settle(): Promise<void> {
    if (this.#settling) return;
    this.#settling = true;
    await document.fonts.ready;
    await this.#still();
    if (this.#studio.draft.blocks.some((block) => !this.#canvas.isPlaced(block.id))) {
      await this.layOutAgain();
      await tick();
    }
    await this.showAll();
    this.settled = true;
  }

  /** A model without places of its own is laid out by us, and anew when a block grows over its neighbour. */
  async layOutAgain(): Promise<void> {
    const { blocks, wires } = this.#canvas.layoutInput();
    this.#canvas.automatic = await layOut(blocks, wires);
  }

  get ownsPlaces(): boolean {
    return this.#studio.draft.blocks.some((block) => positionOf(this.#studio.draft, block.id));
  }

  async arrange(): Promise<void> {
    const { blocks, wires } = this.#canvas.layoutInput();
    const positions = await layOut(blocks, wires);
    this.#studio.perform({ type: 'move', positions: [...positions] });
    await tick();
    await this.showAll();
  }

  /** All blocks in view; above the minimap where one would lie behind it. */
  async showAll(duration = 0): Promise<void> {
    // Svelte Flow waits for a node to fit.
    if (this.#studio.draft.blocks.length === 0) return;
    await this.#view.fitView({ padding: insets, maxZoom: largestZoom, duration: 0 });
    const { x, y, zoom } = this.#view.getViewport();
    const hidden =
      innerWidth > widthWithMinimap &&
      [...this.#canvas.rectangles.values()].some(
        (r) => r.x * zoom + x < corner.width && (r.y + r.height) * zoom + y > this.#height() - corner.height,
      );
    const bottom = hidden ? (`${corner.height}px` as const) : insets.bottom;
    if (hidden || duration > 0)
      await this.#view.fitView({ padding: { ...insets, bottom }, maxZoom: largestZoom, duration });
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
