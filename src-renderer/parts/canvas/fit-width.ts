/** A formula too long for its block is set smaller, down to what can still be read. */
import { measureWithFonts } from './measure-together.ts';

const least = 10;

/** An attachment; runs again whenever `content` changes. */
export function fitWidth(content: string, widest: number): (element: HTMLElement) => void {
  return (element) => {
    void content;
    measureWithFonts({
      of: 'content',
      release: () => (element.style.fontSize = ''),
      read() {
        const width = element.offsetWidth;
        if (width <= widest) return () => undefined;
        const size = Math.max(least, (parseFloat(getComputedStyle(element).fontSize) * widest) / width);
        return () => (element.style.fontSize = `${size}px`);
      },
    });
  };
}
