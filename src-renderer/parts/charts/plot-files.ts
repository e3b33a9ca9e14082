/**
 * Plots as pictures. Each is drawn once more, for its file: PNG at twice the size on screen, SVG by a context that writes
 * paths and text where a canvas would paint. Several stand as they do on screen, each below its caption.
 */
import { BasicPlatform, Chart } from 'chart.js';
import type { ChartConfiguration } from 'chart.js';
import { Context } from 'svgcanvas';
import { font } from './plot-theme.ts';
import { chartOn } from './shown-charts.ts';
import type { Plot } from '../../state/window/take-away.ts';

const margin = 12;
const pixelRatio = 2;
const svgNamespace = 'http://www.w3.org/2000/svg';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Placed {
  readonly plot: Plot;
  readonly canvas: Box;
  readonly caption: { readonly x: number; readonly y: number; readonly width: number };
}

interface Sheet {
  readonly width: number;
  readonly height: number;
  readonly plots: readonly Placed[];
  readonly paper: string;
  readonly ink: string;
}

function sheetOf(plots: readonly Plot[]): Sheet {
  const boxes = plots.map(({ figure }) => figure.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left)) - margin;
  const top = Math.min(...boxes.map((box) => box.top)) - margin;
  const style = getComputedStyle(plots[0]!.canvas);
  return {
    width: Math.ceil(Math.max(...boxes.map((box) => box.right)) + margin - left),
    height: Math.ceil(Math.max(...boxes.map((box) => box.bottom)) + margin - top),
    plots: plots.map((plot, i) => {
      const [box, around] = [plot.canvas.getBoundingClientRect(), boxes[i]!];
      return {
        plot,
        canvas: { x: box.left - left, y: box.top - top, width: box.width, height: box.height },
        caption: { x: around.left - left + 8, y: around.top - top + 16, width: around.width - 16 },
      };
    }),
    paper: style.getPropertyValue('--panel').trim(),
    ink: style.getPropertyValue('--ink').trim(),
  };
}

/**
 * Draws without a page: nothing listens, nothing is resized. What was drawn goes when the chart is destroyed. Lines that may
 * have segments are stroked as paths of the context; others as a Path2D, which no context that writes SVG can read.
 */
function drawn(target: HTMLCanvasElement | Context, { type, data, options }: ChartConfiguration, ratio: number): Chart {
  const datasets = data.datasets.map((dataset) => ({ ...dataset, segment: {} }));
  return new Chart(target as HTMLCanvasElement, {
    ...{ type, data: { ...data, datasets } as ChartConfiguration['data'], platform: BasicPlatform },
    options: {
      ...options,
      ...{ animation: false, responsive: false, devicePixelRatio: ratio, events: [] },
      plugins: { ...options?.plugins, zoom: false, tooltip: { enabled: false } },
      // What plugins declare of their options does not have the false that leaves them out.
    } as unknown as NonNullable<ChartConfiguration['options']>,
  });
}

function configurationOf({ canvas, name }: Plot): ChartConfiguration {
  const configuration = chartOn(canvas);
  if (!configuration) throw new Error(`${name} has not been drawn yet.`);
  return configuration;
}

export async function pngOf(plots: readonly Plot[]): Promise<Blob> {
  const { width, height, paper, ink, plots: placed } = sheetOf(plots);
  const picture = document.createElement('canvas');
  [picture.width, picture.height] = [width * pixelRatio, height * pixelRatio];
  const context = picture.getContext('2d');
  if (!context) throw new Error('The browser has no canvas.');
  context.scale(pixelRatio, pixelRatio);
  context.fillStyle = paper;
  context.fillRect(0, 0, width, height);
  context.fillStyle = ink;
  context.font = `12px ${font.family}`;
  for (const { plot, canvas, caption } of placed) {
    const sheet = document.createElement('canvas');
    [sheet.width, sheet.height] = [canvas.width, canvas.height];
    const chart = drawn(sheet, configurationOf(plot), pixelRatio);
    context.drawImage(sheet, canvas.x, canvas.y, canvas.width, canvas.height);
    chart.destroy();
    context.fillText(plot.caption, caption.x, caption.y, caption.width);
  }
  return new Promise((resolve, reject) =>
    picture.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture is too large.'))), 'image/png'),
  );
}

const transparent = /^(#[0-9a-f]{6})([0-9a-f]{2})$/i;

/** SVG 1.1 has no colours with an opacity of their own, and many readers know no other SVG. */
function splitOpacity(element: Element): void {
  for (const key of ['fill', 'stroke']) {
    const [, color, alpha] = transparent.exec(element.getAttribute(key) ?? '') ?? [];
    if (color === undefined || alpha === undefined) continue;
    const opacity = Number(element.getAttribute(`${key}-opacity`) ?? 1) * (parseInt(alpha, 16) / 255);
    element.setAttribute(key, color);
    element.setAttribute(`${key}-opacity`, String(Number(opacity.toFixed(4))));
  }
}

/** The context names what it refers to by chance; named by its place, the same plot is the same file. */
function nameByPlace(root: Element): void {
  const names = new Map([...root.querySelectorAll('[id]')].map((part, i) => [part.id, `part-${i + 1}`] as const));
  for (const part of root.querySelectorAll('*'))
    for (const { name, value } of part.attributes) {
      if (name === 'id') part.id = names.get(value)!;
      const referred = /^url\(["']?#(.+?)["']?\)$/.exec(value)?.[1] ?? '';
      if (names.has(referred)) part.setAttribute(name, `url(#${names.get(referred)!})`);
    }
}

function element(name: string, attributes: Readonly<Record<string, string | number>>, text = ''): SVGElement {
  const made = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.textContent = text;
  return made;
}

export function svgOf(plots: readonly Plot[]): string {
  const { width, height, paper, ink, plots: placed } = sheetOf(plots);
  const root = element('svg', { xmlns: svgNamespace, width, height, viewBox: `0 0 ${width} ${height}`, role: 'img' });
  root.append(
    element('title', {}, plots.map(({ name }) => name).join('; ')),
    element('rect', { width, height, fill: paper }),
  );
  for (const { plot, canvas, caption } of placed) {
    const context = new Context(canvas.width, canvas.height);
    const chart = drawn(Object.assign(context, { getContext: () => context }), configurationOf(plot), 1);
    const picture = context.getSvg().cloneNode(true) as SVGSVGElement;
    chart.destroy();
    for (const part of picture.querySelectorAll('[fill], [stroke]')) splitOpacity(part);
    for (const part of picture.querySelectorAll('[text-decoration]')) part.removeAttribute('text-decoration');
    picture.setAttribute('x', String(canvas.x));
    picture.setAttribute('y', String(canvas.y));
    root.append(picture);
    if (plot.caption !== '')
      root.append(
        element(
          'text',
          { x: caption.x, y: caption.y, fill: ink, 'font-family': font.family, 'font-size': 12 },
          plot.caption,
        ),
      );
  }
  nameByPlace(root);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(root)}\n`;
}
