/** Points within the canvas's surface, in its pixels, and points on the canvas that it shows; where the pointer is. */
import type { XYPosition } from '@xyflow/svelte';
import type { Point } from '../../state/document/draft.ts';

export interface PlacesHost {
  readonly surface: () => HTMLElement;
  readonly size: () => { readonly width: number; readonly height: number };
  readonly toFlow: (position: XYPosition) => XYPosition;
}

export type Places = ReturnType<typeof createPlaces>;

/** Room for what floats, so that it opens wholly within the canvas. */
const floatingSize = { width: 280, height: 300 };

export function createPlaces({ surface, size, toFlow }: PlacesHost) {
  /** Within the surface; undefined while the pointer is elsewhere. */
  let pointer: Point | undefined;

  function within(clientX: number, clientY: number): Point {
    const box = surface().getBoundingClientRect();
    return [clientX - box.left, clientY - box.top];
  }

  function onCanvas([x, y]: Point): Point {
    const box = surface().getBoundingClientRect();
    const at = toFlow({ x: box.left + x, y: box.top + y });
    return [Math.round(at.x), Math.round(at.y)];
  }

  /** At the pointer, else where something new is seen. */
  const here = (): Point => pointer ?? [size().width / 3, size().height / 3];

  return {
    within,
    onCanvas,
    here,
    /** Where several blocks below each other are seen. */
    above: () => onCanvas([size().width / 3, 24]),
    pointed: () => (pointer ? onCanvas(pointer) : undefined),

    middleOf(element: Element): Point {
      const box = element.getBoundingClientRect();
      return within(box.left + box.width / 2, box.top + box.height / 2);
    },

    inView: ([x, y]: Point): { x: number; y: number } => ({
      x: Math.max(8, Math.min(x, size().width - floatingSize.width)),
      y: Math.max(8, Math.min(y, size().height - floatingSize.height)),
    }),

    follow(event: PointerEvent): void {
      pointer = (event.target as Element).closest('.corner') ? undefined : within(event.clientX, event.clientY);
    },
    leave(): void {
      pointer = undefined;
    },
  };
}
