/** A formula too long for its block is set smaller, down to what can still be read, and cut where even that is far too long. */
import { measureWithFonts } from './measure-together.ts';

/** Read where the canvas is drawn at 80 %, from where on the names beside it give way to it. */
const least = 11.25;

/** An attachment; runs again whenever `content` changes. In small letters it may be wider, up to `most`. */
export function fitWidth(content: string, widest: number, most = widest): (element: HTMLElement) => void {
  return (element) => {
    void content;
    measureWithFonts({
      of: 'content',
      release() {
        element.style.fontSize = element.style.width = '';
        element.classList.remove('cut');
      },
      read() {
        const width = element.offsetWidth;
        if (width <= widest) return () => undefined;
        const fitting = (parseFloat(getComputedStyle(element).fontSize) * widest) / width;
        const cut = fitting * most < least * widest;
        return () => {
          element.style.fontSize = `${Math.max(least, fitting)}px`;
          if (cut) element.style.width = `${most}px`;
          element.classList.toggle('cut', cut);
        };
      },
    });
  };
}

/** What a custom property of an element that holds such formulas says: the least size of their letters, as it is there. */
const smallest = '--letters';

/**
 * An attachment to what holds formulas and, beside them, what gives way to them on a small canvas: how large the smallest
 * letters are then (style/flow.css draws no formula that is too small to be read), and by how much each is larger.
 */
export function lettersWithin(content: string, beside: number): (element: HTMLElement) => void {
  return (element) => {
    void content;
    measureWithFonts({
      of: 'block',
      release: () => undefined,
      read() {
        const formulas = [...element.querySelectorAll<HTMLElement>('.formula')];
        const sizes = formulas.map((formula) => {
          const size = parseFloat(formula.style.fontSize || `${usual}`);
          const room = (element.offsetWidth - beside) / Math.max(1, formula.offsetWidth);
          return Math.min(usual, size * Math.max(1, room));
        });
        return () => {
          element.closest<HTMLElement>('.block')?.style.setProperty(smallest, String(Math.min(usual, ...sizes)));
          formulas.forEach((formula, i) => formula.style.setProperty('--alone', String(sizes[i])));
        };
      },
    });
  };
}

/** Of the letters of a formula that has room, in pixels. */
const usual = 14;
