/**
 * Widths in steps, so that ports in the middle of an edge stand on whole pixels and straight wires between blocks are
 * straight. CSS cannot round in the oldest browser that we run on.
 */
const step = 8;

/** An attachment; runs again whenever `content` changes. */
export function evenWidth(content: string): (element: HTMLElement) => void {
  return (element) => {
    void content;
    const fit = () => {
      element.style.width = '';
      element.style.width = `${Math.ceil(element.offsetWidth / step) * step}px`;
    };
    fit();
    // Letters are as wide as their font, which may come later than they.
    if (document.fonts.status !== 'loaded') void document.fonts.ready.then(fit);
  };
}
