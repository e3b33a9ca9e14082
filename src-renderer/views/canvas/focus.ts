/** The focus of the keyboard on the canvas: from block to block, from port to port, and back from what floats. */
import { tick } from 'svelte';
import { focusNode, focusPort, nodeAt } from '../../parts/canvas/canvas-keys.ts';
import { neighbour, type Direction } from '../../state/canvas/arranging.ts';
import { chipTowards } from '../../state/canvas/chips.ts';
import type { CanvasState, Pulled } from '../../state/canvas/canvas.svelte.ts';
import { alongWire } from '../../state/canvas/wire-offers.ts';
import type { Rectangle } from '../../state/document/rectangle.ts';
import type { Studio } from '../../state/studio.svelte.ts';

export interface FocusHost {
  readonly studio: Studio;
  readonly canvas: CanvasState;
  readonly surface: () => HTMLElement;
  /** What of the canvas is in view. */
  readonly frame: () => Rectangle;
  readonly center: (x: number, y: number) => Promise<unknown>;
}

export type Focus = ReturnType<typeof createFocus>;

/** Frames that a new block may take until it has been measured and can have the focus. */
const mostFrames = 30;

export function createFocus({ studio, canvas, surface, frame, center }: FocusHost) {
  /** Where the focus was, to come back to when what floats goes. */
  let left: Element | null = null;

  /** A block that is new takes the focus only when it has been measured. */
  async function whenDrawn(id: string): Promise<void> {
    await reveal(id);
    for (let frames = 0; frames < mostFrames; frames++) {
      focusNode(surface(), id);
      const on = document.activeElement;
      if (nodeAt(on) === id) return;
      // Whoever has gone on meanwhile is not called back.
      if (canvas.floating || (on !== document.body && on !== surface())) return;
      await new Promise(requestAnimationFrame);
    }
  }

  /** The keys also go to blocks that are out of view; one that is new is measured first. */
  async function reveal(id: string): Promise<void> {
    for (let frames = 0; frames < mostFrames && !canvas.rectangles.has(id); frames++)
      await new Promise(requestAnimationFrame);
    const block = canvas.rectangles.get(id);
    if (block && !inFrame(block)) await center(block.x + block.width / 2, block.y + block.height / 2);
    await tick();
  }

  function inFrame({ x, y, width, height }: Rectangle): boolean {
    const view = frame();
    const isIn = (from: number, length: number, start: number, seen: number) =>
      length > seen ? from < start + seen && from + length > start : from >= start && from + length <= start + seen;
    return isIn(x, width, view.x, view.width) && isIn(y, height, view.y, view.height);
  }

  return {
    whenDrawn,
    reveal,
    onPort: (port: Pulled) => focusPort(surface(), port),

    leave(element: Element | null): void {
      left = element;
    },

    /** To where the focus was; where another block has been selected since (it was just added), to that. */
    async comeBack(): Promise<void> {
      const to = left;
      left = null;
      await tick();
      const [first] = studio.selection;
      const home = to && nodeAt(to);
      if (first !== undefined && (!to?.isConnected || home !== first)) await whenDrawn(first);
      else if (to instanceof HTMLElement) to.focus();
    },

    go(direction: Direction): void {
      const at = studio.selection[0] ?? '';
      const from = canvas.cards.get(canvas.chips.get(at)?.host ?? at) ?? { ...frame(), width: 0, height: 0 };
      const id = chipTowards(at, direction, canvas.chips) ?? neighbour(from, canvas.cards, direction);
      if (id === undefined) return;
      studio.select([id]);
      void reveal(id).then(() => focusNode(surface(), id));
    },

    goToPort({ from, id, port }: Pulled, step: 1 | -1): void {
      const view = canvas.placed.get(id);
      const ports = (from === 'output' ? view?.outputs : view?.inputs) ?? [];
      const next = ports[ports.findIndex(({ name }) => name === port) + step];
      if (next) focusPort(surface(), { from, id, port: next.name });
    },

    goAlong(from: Pulled): void {
      const other = alongWire(canvas.placed, from);
      if (!other) return;
      studio.select([other.id]);
      void reveal(other.id).then(() => focusPort(surface(), other));
    },

    /** The focus of the keyboard selects: what the inspector shows is what the keys act on. */
    follow(event: FocusEvent): void {
      const target = event.target as Element;
      const id = nodeAt(target);
      if (id !== undefined && target.matches(':focus-visible') && !studio.selection.includes(id)) studio.select([id]);
    },
  };
}
