/**
 * Plots as pictures. Each is drawn once more, for its file: PNG at twice the size on screen, SVG by a context that writes
 * paths and text where a canvas would paint, PDF by printing that. Several stand as they do on screen, each below its
 * caption. A figure for which the document has a size is laid out anew at that size, and a PNG of it has 300 pixels to the inch.
 */
import { BasicPlatform, Chart } from 'chart.js';
import type { ChartConfiguration } from 'chart.js';
import { Context } from 'svgcanvas';
import { sizeOf } from '../../../src-main/contract/plot-styles.ts';
import { font } from './plot-theme.ts';
import { brokenLines } from './broken-lines.ts';
import { finiteContext } from './finite-context.ts';
import { chartOn } from './shown-charts.ts';
import type { Paper, Plot } from '../../state/window/take-away.ts';

const margin = 12;
const pixelRatio = 2;
const printed = 300 / 96;
const millimetresPerPixel = 25.4 / 96;
const svgNamespace = 'http://www.w3.org/2000/svg';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Letters {
  readonly family: string;
  readonly size: number;
}

interface Placed {
  readonly plot: Plot;
  readonly canvas: Box;
}

interface Text {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** Where there is no more room. */
  readonly width: number;
}

interface Sheet {
  readonly width: number;
  readonly height: number;
  readonly plots: readonly Placed[];
  readonly texts: readonly Text[];
  readonly letters: Letters;
  readonly paper: string;
  readonly ink: string;
  /** As the document has it, in millimetres. */
  readonly size: Paper['size'] | undefined;
}

function sheetOf(plots: readonly Plot[]): Sheet {
  const style = getComputedStyle(plots[0]!.canvas);
  const shared = { paper: style.getPropertyValue('--panel').trim(), ink: style.getPropertyValue('--ink').trim() };
  const { paper } = plots[0]!;
  const isWhole = paper && plots.length === paper.element.querySelectorAll('canvas').length;
  return isWhole && plots.every((plot) => plot.paper?.element === paper.element)
    ? { ...shared, ...sizedSheet(plots, paper) }
    : { ...shared, ...screenSheet(plots) };
}

/** As they stand on screen. */
function screenSheet(plots: readonly Plot[]): Omit<Sheet, 'paper' | 'ink'> {
  const boxes = plots.map(({ figure }) => figure.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left)) - margin;
  const top = Math.min(...boxes.map((box) => box.top)) - margin;
  return {
    width: Math.ceil(Math.max(...boxes.map((box) => box.right)) + margin - left),
    height: Math.ceil(Math.max(...boxes.map((box) => box.bottom)) + margin - top),
    plots: plots.map((plot) => {
      const box = plot.canvas.getBoundingClientRect();
      return { plot, canvas: { x: box.left - left, y: box.top - top, width: box.width, height: box.height } };
    }),
    texts: plots.map(({ caption, about }, i) => {
      const box = boxes[i]!;
      return {
        text: [caption, about].filter((text) => text !== '').join(', '),
        x: box.left - left + 8,
        y: box.top - top + 16,
        width: box.width - 16,
      };
    }),
    letters: { family: font.family, size: 12 },
    size: undefined,
  };
}

/** Captions on top in as many lines as they need, all else is the plot's; small plots share it as they do on screen. */
function sizedSheet(plots: readonly Plot[], { element, caption, size }: Paper): Omit<Sheet, 'paper' | 'ink'> {
  const { width, height } = sizeOf({ size: [...size] })!;
  const letters = lettersOf(configurationOf(plots[0]!));
  const line = 1.3 * letters.size;
  const context = contextOf(document.createElement('canvas'));
  context.font = `${letters.size}px ${letters.family}`;
  const written = (text: string, room: Box): Text[] =>
    brokenLines(text, room.width, (part) => context.measureText(part).width).map((part, i) => ({
      text: part,
      x: room.x,
      y: room.y + (i + 1) * line,
      width: room.width,
    }));
  const inset = 4;
  const head = written(caption, { x: inset, y: 0, width: width - 2 * inset, height });
  const top = head.length === 0 ? 0 : (head.length + 0.4) * line;
  if (plots.length === 1 && plots[0]!.figure === element) {
    const canvas = { x: 0, y: top, width, height: Math.max(1, height - top) };
    return { width, height, plots: [{ plot: plots[0]!, canvas }], texts: head, letters, size };
  }
  const boxes = plots.map(({ figure }) => figure.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left));
  const upper = Math.min(...boxes.map((box) => box.top));
  const across = width / (Math.max(...boxes.map((box) => box.right)) - left);
  const down = (height - top) / (Math.max(...boxes.map((box) => box.bottom)) - upper);
  const cells = boxes.map((box) => ({
    x: (box.left - left) * across,
    y: top + (box.top - upper) * down,
    width: box.width * across,
    height: box.height * down,
  }));
  return {
    ...{ width, height, letters, size },
    plots: plots.map((plot, i) => {
      const { x, y, width: room, height: tall } = cells[i]!;
      return { plot, canvas: { x, y: y + 1.4 * line, width: room, height: Math.max(1, tall - 1.4 * line) } };
    }),
    texts: [
      ...head,
      ...plots.flatMap(({ caption: name }, i) => {
        const cell = cells[i]!;
        return written(name, { ...cell, x: cell.x + inset, width: cell.width - 2 * inset }).slice(0, 1);
      }),
    ],
  };
}

/** Those of the axes, a little larger. */
function lettersOf({ options }: ChartConfiguration): Letters {
  const { family = font.family, size = font.size } =
    (options?.scales?.['x']?.ticks as { font?: Partial<Letters> } | undefined)?.font ?? {};
  return { family, size: (size * 12) / font.size };
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The browser has no canvas.');
  return context;
}

/** A caption is above a plot on screen; a file says at the axis what is drawn up it. */
function titled(scales: object | undefined): object {
  return Object.fromEntries(
    Object.entries(scales ?? {}).map(([name, scale]: [string, { title?: { text?: string } }]) => [
      name,
      scale.title?.text ? { ...scale, title: { ...scale.title, display: true } } : scale,
    ]),
  );
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
      scales: titled(options?.scales),
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
  const { width, height, paper, ink, plots: placed, texts, letters, size } = sheetOf(plots);
  const ratio = size ? printed : pixelRatio;
  const picture = document.createElement('canvas');
  [picture.width, picture.height] = [Math.round(width * ratio), Math.round(height * ratio)];
  const context = contextOf(picture);
  context.scale(ratio, ratio);
  context.fillStyle = paper;
  context.fillRect(0, 0, width, height);
  for (const { plot, canvas } of placed) {
    const sheet = document.createElement('canvas');
    [sheet.width, sheet.height] = [canvas.width, canvas.height];
    const chart = drawn(sheet, configurationOf(plot), ratio);
    context.drawImage(sheet, canvas.x, canvas.y, canvas.width, canvas.height);
    chart.destroy();
  }
  context.fillStyle = ink;
  context.font = `${letters.size}px ${letters.family}`;
  for (const { text, x, y, width: room } of texts) context.fillText(text, x, y, room);
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
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(pictureOf(plots))}\n`;
}

/** The same on paper of its size, while `print` is awaited. */
export async function printing<T>(plots: readonly Plot[], print: () => Promise<T>): Promise<T> {
  const { width, height, size } = sheetOf(plots);
  const [across, down] = size ?? [width * millimetresPerPixel, height * millimetresPerPixel];
  const picture = pictureOf(plots);
  for (const [key, length] of Object.entries({ width: across, height: down })) picture.setAttribute(key, `${length}mm`);
  const style = document.createElement('style');
  style.textContent = `.paper { display: none; }
@page { size: ${across}mm ${down}mm; margin: 0; }
@media print {
  html, body { height: auto !important; margin: 0; overflow: visible !important; }
  body > :not(.paper) { display: none !important; }
  .paper, .paper > svg { display: block; }
}`;
  const paper = document.createElement('div');
  paper.className = 'paper';
  paper.append(style, picture);
  document.body.append(paper);
  try {
    await document.fonts.ready;
    return await print();
  } finally {
    paper.remove();
  }
}

function pictureOf(plots: readonly Plot[]): SVGElement {
  const { width, height, paper, ink, plots: placed, texts, letters, size } = sheetOf(plots);
  const measured = size ? { width: `${size[0]}mm`, height: `${size[1]}mm` } : { width, height };
  const viewBox = [0, 0, width, height].map((length) => Number(length.toFixed(2))).join(' ');
  const root = element('svg', { xmlns: svgNamespace, ...measured, viewBox, role: 'img' });
  root.append(
    element('title', {}, plots.map(({ name }) => name).join('; ')),
    element('rect', { width, height, fill: paper }),
  );
  for (const { plot, canvas } of placed) {
    const context = finiteContext(new Context(canvas.width, canvas.height));
    const chart = drawn(Object.assign(context, { getContext: () => context }), configurationOf(plot), 1);
    const picture = context.getSvg().cloneNode(true) as SVGSVGElement;
    chart.destroy();
    for (const part of picture.querySelectorAll('[fill], [stroke]')) splitOpacity(part);
    for (const part of picture.querySelectorAll('[text-decoration]')) part.removeAttribute('text-decoration');
    picture.setAttribute('x', String(canvas.x));
    picture.setAttribute('y', String(canvas.y));
    root.append(picture);
  }
  for (const { text, x, y } of texts)
    if (text !== '')
      root.append(element('text', { x, y, fill: ink, 'font-family': letters.family, 'font-size': letters.size }, text));
  nameByPlace(root);
  return root;
}
