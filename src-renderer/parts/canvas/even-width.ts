/**
 * Widths in steps, so that ports in the middle of an edge stand on whole pixels and straight wires between blocks are
 * straight. CSS cannot round in the oldest browser that we run on.
 */
import { measureWithFonts } from './measure-together.ts';

const step = 8;

/** An attachment; runs again whenever `content` changes. */
export function evenWidth(content: string): (element: HTMLElement) => void {
  return (element) => {
    void content;
    measureWithFonts({
      of: 'block',
      release: () => (element.style.width = ''),
      read() {
        const width = Math.ceil(element.offsetWidth / step) * step;
        return () => (element.style.width = `${width}px`);
      },
    });
  };
}
