/** A formula too long for its block is set smaller, down to what can still be read, and cut where even that is far too long. */
import { measureWithFonts } from './measure-together.ts';

const least = 10;

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
