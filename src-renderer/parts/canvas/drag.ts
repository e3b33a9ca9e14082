/** Follows the pointer from a press on an element until it is let go. */
import type { Attachment } from 'svelte/attachments';
import type { Point } from '../../state/document/draft.ts';

export interface Drag {
  /** How many pixels a unit is on screen. */
  readonly zoom: () => number;
  readonly start?: () => void;
  /** By how far since the press, in units. */
  readonly move: (by: Point) => void;
  /** Once, where the pointer has moved at all. */
  readonly end: (by: Point) => void;
}

export function dragging(drag: Drag): Attachment<HTMLElement> {
  return (element) => {
    const press = (event: PointerEvent) => {
      if (event.button !== 0 || (event.target as Element).closest('button, input, textarea')) return;
      event.stopPropagation();
      element.setPointerCapture(event.pointerId);
      const by = (now: PointerEvent): Point => [
        (now.clientX - event.clientX) / drag.zoom(),
        (now.clientY - event.clientY) / drag.zoom(),
      ];
      let moved = false;
      drag.start?.();
      const follow = (now: PointerEvent) => {
        moved ||= Math.hypot(now.clientX - event.clientX, now.clientY - event.clientY) > 2;
        if (moved) drag.move(by(now));
      };
      const leave = (now: PointerEvent) => {
        element.removeEventListener('pointermove', follow);
        element.removeEventListener('pointerup', leave);
        element.removeEventListener('pointercancel', leave);
        if (moved) drag.end(by(now));
      };
      element.addEventListener('pointermove', follow);
      element.addEventListener('pointerup', leave);
      element.addEventListener('pointercancel', leave);
    };
    element.addEventListener('pointerdown', press);
    return () => element.removeEventListener('pointerdown', press);
  };
}

/** The steps of the arrow keys, on the grid; four times as far with Shift. */
const arrows: Readonly<Record<string, Point>> = {
  ArrowLeft: [-4, 0],
  ArrowRight: [4, 0],
  ArrowUp: [0, -4],
  ArrowDown: [0, 4],
};

export function arrowStep(event: KeyboardEvent): Point | undefined {
  const step = arrows[event.key];
  if (!step || event.ctrlKey || event.metaKey) return undefined;
  const far = event.shiftKey ? 4 : 1;
  return [step[0] * far, step[1] * far];
}
