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

/** By the browser's own dialog, which proposes the page's title as a file's name. Ends when the dialog has. */
export async function printPage(name: string): Promise<void> {
  const { title } = document;
  document.title = name.replace(/\.pdf$/, '');
  try {
    const ended = new Promise((resolve) => addEventListener('afterprint', resolve, { once: true }));
    print();
    await ended;
  } finally {
    document.title = title;
  }
}

/** A plot on screen: its canvas, what stands over it, and the box of both. */
export interface Plot {
  readonly name: string;
  readonly caption: string;
  /** What its caption leaves to that of the figure of which it is a small plot; empty where it is none. */
  readonly about: string;
  readonly canvas: HTMLCanvasElement;
  readonly figure: Element;
  /** The figure that it is or is a small plot of, where the document says how large that is in a file. */
  readonly paper: Paper | undefined;
}

export interface Paper {
  readonly element: Element;
  readonly name: string;
  readonly caption: string;
  /** Width and height in millimetres. */
  readonly size: readonly [number, number];
}

/** What goes into one file. */
export interface Taken {
  readonly name: string;
  readonly plots: readonly Plot[];
}

/** What a reader sees of a caption, but for what a file has at its axis: of a select the chosen option, of a typeset formula its letters once. */
function captionText(figure: Element): string {
  const caption = figure.querySelector('figcaption');
  if (!caption) return '';
  const seen = caption.cloneNode(true) as Element;
  const copies = [...seen.querySelectorAll('select')];
  for (const [i, select] of [...caption.querySelectorAll('select')].entries())
    if (!select.matches('.on-axis')) copies[i]?.replaceWith(select.selectedOptions[0]?.text ?? '');
  for (const hidden of seen.querySelectorAll('.katex-mathml, button, svg, .on-axis')) hidden.remove();
  return (seen.textContent ?? '').replace(/\s+/g, ' ').trim();
}

function paperOf(canvas: Element): Paper | undefined {
  const element = canvas.closest<HTMLElement>('figure[data-size]');
  const [width, height] = (element?.dataset['size'] ?? '').split(' ').map(Number);
  if (!element || !width || !height) return undefined;
  return { element, name: element.dataset['name'] ?? 'plot', caption: captionText(element), size: [width, height] };
}

/** What holds of all small plots of a figure, as at which values they are: one by itself says it, too. */
function aboutOuter(figure: Element): string {
  const about = figure.parentElement?.closest('figure')?.querySelector(':scope > figcaption .about');
  return (about?.textContent ?? '').replace(/\s+/g, ' ').trim();
}

export function plotsIn(panel: HTMLElement): Plot[] {
  const images = [...panel.querySelectorAll('canvas')].map((canvas) => {
    const image = canvas.closest<HTMLElement>('[role="img"]');
    const label = image?.getAttribute('aria-label') ?? 'plot';
    return { canvas, label, name: image?.dataset['name'] ?? label };
  });
  return images.map(({ canvas, label, name }) => {
    const figure = canvas.closest('figure') ?? canvas;
    const isAlone = images.filter((other) => other.name === name).length === 1;
    return {
      name: isAlone ? name : label,
      caption: captionText(figure),
      about: aboutOuter(figure),
      canvas,
      figure,
      paper: paperOf(canvas),
    };
  });
}

/** Each plot by itself, and small ones that are one figure of a size together, too. */
export function figuresIn(plots: readonly Plot[]): Taken[] {
  const papers = new Map(plots.flatMap(({ paper }) => (paper ? [[paper.element, paper] as const] : [])));
  const whole = [...papers].flatMap(([element, { name }]): Taken[] => {
    const within = plots.filter(({ paper }) => paper?.element === element);
    return within.length > 1 ? [{ name, plots: within }] : [];
  });
  return [...whole, ...plots.map((plot) => ({ name: plot.name, plots: [plot] }))];
}
