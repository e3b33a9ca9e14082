/** What floats over the canvas: the search for a block, the choice of a wire's other end, the menu. One at a time. */
import { nodeAt, portAt } from '../../parts/canvas/canvas-keys.ts';
import type { CanvasState, Floating, Pulled } from '../../state/canvas/canvas.svelte.ts';
import type { Point } from '../../state/document/draft.ts';
import type { Wanting } from '../../state/document/recipes.ts';
import type { Studio } from '../../state/studio.svelte.ts';
import type { Focus } from './focus.ts';
import type { Places } from './places.ts';

export interface FloatsHost {
  readonly studio: Studio;
  readonly canvas: CanvasState;
  readonly places: Places;
  readonly focus: Focus;
}

export function createFloats({ studio, canvas, places, focus }: FloatsHost) {
  /** What a block must have to be wired to the port that is pulled at, as far as is known by now. */
  function wantingOf(pulled: Pulled | null): Wanting {
    if (pulled?.from === 'input') return { from: 'input', id: pulled.id, port: pulled.port };
    const port = pulled && canvas.placed.get(pulled.id)?.outputs.find(({ name }) => name === pulled.port);
    return port
      ? {
          from: 'output',
          reference: port.name,
          element: port.element,
          rank: port.rank ?? 1,
          shape: port.shape,
          whole: port.whole,
        }
      : undefined;
  }

  function search(point: Point, from: Pulled | null = null, [x, y] = places.onCanvas(point)): void {
    const grid = (value: number) => Math.round(value / 4) * 4;
    canvas.floating = { kind: 'add', ...places.inView(point), at: [grid(x), grid(y)], from };
  }

  function wire(from: Pulled): void {
    focus.onPort(from);
    const handle = document.activeElement;
    if (!handle) return;
    const [x, y] = places.middleOf(handle);
    focus.leave(handle);
    canvas.floating = { kind: 'wire', ...places.inView([x + 12, y + 12]), from };
  }

  function menu(target: Element, [x, y]: Point): void {
    const port = portAt(target);
    const node = nodeAt(target);
    if (port) {
      wire(port);
      return;
    }
    if (node !== undefined && !studio.selection.includes(node)) studio.select([node]);
    const blocks = node !== undefined || target.closest('.svelte-flow__nodesselection') !== null;
    focus.leave(target.closest<HTMLElement>('.svelte-flow__node, .wire'));
    canvas.floating = { kind: 'menu', x, y, of: blocks ? 'blocks' : target.closest('.wire') ? 'wire' : 'canvas' };
  }

  return {
    wantingOf,
    search,
    wire,

    /** For a wire without a pointer that says where. */
    searchBeside: (point: Point, from: Pulled) => search(point, from, canvas.beside(from)),

    /** At the port that has the focus, else at the first that the selected block gives or wants. */
    wireHere(): void {
      const view = canvas.placed.get(studio.selection[0] ?? '');
      const here = portAt(document.activeElement);
      const [output] = view?.outputs ?? [];
      const input = view?.inputs.find((port) => port.source === undefined) ?? view?.inputs[0];
      if (here) wire(here);
      else if (view && output) wire({ from: 'output', id: view.block.id, port: output.name });
      else if (view && input) wire({ from: 'input', id: view.block.id, port: input.name });
    },

    menuByKey: (on: Element) => menu(on, places.middleOf(on)),

    menuByPointer(event: MouseEvent): void {
      const target = event.target as Element;
      if (target.closest('input, textarea, .float, .corner')) return;
      event.preventDefault();
      menu(target, places.within(event.clientX, event.clientY));
    },

    /** One that has made way for another has nothing to close. */
    close(closing: Floating): void {
      if (canvas.floating !== closing) return;
      canvas.floating = null;
      void focus.comeBack();
    },

    /** What was added comes into view, and what is to be said of it has the focus. */
    closeOn(closing: Floating, id: string, say: () => void): void {
      if (canvas.floating !== closing) return;
      canvas.floating = null;
      focus.leave(null);
      void focus.reveal(id);
      say();
    },
  };
}
