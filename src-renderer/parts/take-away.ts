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

const margin = 12;

/**
 * The charts of a panel as one picture, as they stand on screen, each below its caption. Null where there is none.
 * Captions are the text of the figure around a chart, first line.
 */
export async function pictureOf(panel: HTMLElement): Promise<Blob | null> {
  const figures = [...panel.querySelectorAll('canvas')].map((canvas) => {
    const figure = canvas.closest('figure') ?? canvas;
    return { canvas, figure, caption: figure.querySelector('figcaption')?.textContent ?? '' };
  });
  if (figures.length === 0) return null;
  const boxes = figures.map(({ figure }) => figure.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left)) - margin;
  const top = Math.min(...boxes.map((box) => box.top)) - margin;
  const picture = document.createElement('canvas');
  const scale = Math.max(2, devicePixelRatio);
  picture.width = Math.ceil((Math.max(...boxes.map((box) => box.right)) + margin - left) * scale);
  picture.height = Math.ceil((Math.max(...boxes.map((box) => box.bottom)) + margin - top) * scale);
  const context = picture.getContext('2d');
  if (!context) return null;
  const style = getComputedStyle(panel);
  context.scale(scale, scale);
  context.fillStyle = style.getPropertyValue('--panel');
  context.fillRect(0, 0, picture.width, picture.height);
  context.fillStyle = style.getPropertyValue('--ink');
  context.font = `12px ${style.fontFamily}`;
  for (const { canvas, figure, caption } of figures) {
    const box = canvas.getBoundingClientRect();
    context.drawImage(canvas, box.left - left, box.top - top, box.width, box.height);
    const around = figure.getBoundingClientRect();
    context.fillText(
      caption.replace(/\s+/g, ' ').trim(),
      around.left - left + 8,
      around.top - top + 16,
      around.width - 16,
    );
  }
  return new Promise((resolve) => picture.toBlob(resolve, 'image/png'));
}
