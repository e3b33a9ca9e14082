/** Files out of the window: the browser's own download, which the desktop answers with its save dialog. */
export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has read the URL by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A plot on screen: its canvas, what stands over it, and the box of both. */
export interface Plot {
  readonly name: string;
  readonly caption: string;
  readonly canvas: HTMLCanvasElement;
  readonly figure: Element;
}

/** What a reader sees of a caption: of a select the chosen option, of a typeset formula its letters once. */
function captionText(figure: Element): string {
  const caption = figure.querySelector('figcaption');
  if (!caption) return '';
  const seen = caption.cloneNode(true) as Element;
  for (const [i, select] of [...caption.querySelectorAll('select')].entries())
    seen.querySelectorAll('select')[i]?.replaceWith(select.selectedOptions[0]?.text ?? '');
  for (const hidden of seen.querySelectorAll('.katex-mathml, button, svg')) hidden.remove();
  return (seen.textContent ?? '').replace(/\s+/g, ' ').trim();
}

export function plotsIn(panel: HTMLElement): Plot[] {
  return [...panel.querySelectorAll('canvas')].map((canvas) => {
    const figure = canvas.closest('figure') ?? canvas;
    const name = canvas.closest('[role="img"]')?.getAttribute('aria-label') ?? 'plot';
    return { name, caption: captionText(figure), canvas, figure };
  });
}
