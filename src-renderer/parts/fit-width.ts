/** A formula too long for its block is set smaller, down to what can still be read. */
const least = 10;

/** An attachment; runs again whenever `content` changes. */
export function fitWidth(content: string, widest: number): (element: HTMLElement) => void {
  return (element) => {
    void content;
    const fit = () => {
      element.style.fontSize = '';
      const width = element.offsetWidth;
      const size = parseFloat(getComputedStyle(element).fontSize);
      if (width > widest) element.style.fontSize = `${Math.max(least, (size * widest) / width)}px`;
    };
    fit();
    if (document.fonts.status !== 'loaded') void document.fonts.ready.then(fit);
  };
}
