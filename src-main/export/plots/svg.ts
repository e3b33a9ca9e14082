/** Plots as SVG, drawn from the very objects that the window draws: points, curve, bands, bars; a panel for each group. */
import type { Plot, PlotGroup } from '../../contract/plots.ts';
import { escapeHtml } from '../html.ts';
import { axisTitle, scalesOf, type Scale } from './scale.ts';
import { plotStyle, plotTokens } from './style.ts';

interface Panel {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const margin = { left: 64, right: 16, top: 16, bottom: 44 } as const;
const whole = { width: 640, height: 320 } as const;
const small = { width: 300, height: 200, columns: 3 } as const;

/** An `svg` element whose colours are the page's (`plotStyle`). */
export function plotSvg(plot: Plot): string {
  return drawn(plot, '', '');
}

/** A file that needs nothing beside it. */
export function plotFile(plot: Plot): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${drawn(plot, namespace, `<style>${plotTokens}${plotStyle}</style><rect width="100%" height="100%" fill="var(--panel)"/>`)}\n`;
}

/** HTML needs none, and a report holds no address at all. */
const namespace = ' xmlns="http://www.w3.org/2000/svg"';

function drawn(plot: Plot, attributes: string, head: string): string {
  const { groups } = plot;
  const alone = groups.length <= 1;
  const size = alone ? whole : small;
  const columns = alone ? 1 : Math.min(small.columns, groups.length);
  const rows = Math.max(1, Math.ceil(groups.length / columns));
  const scales = scalesOf(plot);
  const panels = groups.map((group, i) => {
    const [column, row] = [i % columns, Math.floor(i / columns)];
    const panel = {
      left: column * size.width + margin.left,
      top: row * size.height + margin.top,
      width: size.width - margin.left - margin.right,
      height: size.height - margin.top - margin.bottom,
    };
    return panelSvg(plot, group, panel, scales);
  });
  const label = escapeHtml(labelOf(plot));
  return `<svg${attributes} class="plot" viewBox="0 0 ${columns * size.width} ${rows * size.height}" role="img" aria-label="${label}">${head}${panels.join('')}</svg>`;
}

/** What a curve is told by where a group has another. */
const populationName = 'dashed: population, effects 0';

export function labelOf({ kind, x, y }: Plot): string {
  return kind === 'residuals' ? `residuals against ${axisTitle(x)}` : `${axisTitle(y)} against ${axisTitle(x)}`;
}

function panelSvg(
  plot: Plot,
  group: PlotGroup,
  panel: Panel,
  scales: { readonly x: Scale; readonly y: Scale },
): string {
  const px = (value: number): number => panel.left + scales.x.at(value) * panel.width;
  const py = (value: number): number => panel.top + Math.min(1, Math.max(0, 1 - scales.y.at(value))) * panel.height;
  const name =
    group.key === null
      ? ''
      : `<text class="name" x="${panel.left + 6}" y="${panel.top + 10}">${escapeHtml(group.key)}</text>`;
  const dashed = group.population
    ? `<text class="note" x="${panel.left + 6}" y="${panel.top + (name === '' ? 10 : 23)}">${populationName}</text>`
    : '';
  return `<g>${axes(plot, panel, scales)}${marks(plot, group, px, py)}${name}${dashed}</g>`;
}

const fixed = (value: number): string => value.toFixed(1);

function axes({ x, y }: Plot, panel: Panel, scales: { readonly x: Scale; readonly y: Scale }): string {
  const [right, bottom] = [panel.left + panel.width, panel.top + panel.height];
  const columns = scales.x.ticks.map((tick) => {
    const at = fixed(panel.left + scales.x.at(tick) * panel.width);
    return `<line class="axis" x1="${at}" x2="${at}" y1="${bottom}" y2="${bottom + 4}"/><text x="${at}" y="${bottom + 16}" text-anchor="middle">${tickText(tick)}</text>`;
  });
  const rows = scales.y.ticks.map((tick) => {
    const at = fixed(bottom - scales.y.at(tick) * panel.height);
    return `<line class="grid" x1="${panel.left}" x2="${right}" y1="${at}" y2="${at}"/><text x="${panel.left - 6}" y="${at}" dy="4" text-anchor="end">${tickText(tick)}</text>`;
  });
  const [middle, centre] = [(panel.left + right) / 2, (panel.top + bottom) / 2];
  return [
    ...rows,
    ...columns,
    `<path class="axis" fill="none" d="M${panel.left} ${panel.top}V${bottom}H${right}"/>`,
    `<text class="title" x="${middle}" y="${bottom + 34}" text-anchor="middle">${escapeHtml(axisTitle(x))}</text>`,
    `<text class="title" transform="translate(${panel.left - 50} ${centre}) rotate(-90)" text-anchor="middle">${escapeHtml(axisTitle(y))}</text>`,
  ].join('');
}

const tickText = (tick: number): string => {
  const size = Math.abs(tick);
  const text = size !== 0 && (size < 1e-3 || size >= 1e6) ? tick.toExponential() : String(tick);
  return text.replace('-', '−').replace('e+', 'e');
};

type To = (value: number) => number;

function marks({ kind, edges }: Plot, { points, curve, population, band }: PlotGroup, px: To, py: To): string {
  const path = (places: readonly number[], ys: readonly number[], at = curve?.x ?? points.x): string =>
    places.map((i, k) => `${k === 0 ? 'M' : 'L'}${fixed(px(at[i] as number))} ${fixed(py(ys[i] as number))}`).join('');
  const line = (ys: readonly number[], at?: readonly number[]): string =>
    runsOf(ys)
      .map((run) => path(run, ys, at))
      .join('');
  const parts: string[] = [];
  if (kind === 'residuals') {
    const all = [...points.x].sort((a, b) => a - b);
    const [first, last] = [px(all[0] ?? 0), px(all.at(-1) ?? 1)];
    parts.push(
      `<line class="zero" x1="${fixed(first)}" x2="${fixed(last)}" y1="${fixed(py(0))}" y2="${fixed(py(0))}"/>`,
    );
  }
  if (kind === 'histogram') parts.push(...bars(curve ? { ...points, predicted: [] } : points, edges, px, py));
  if (curve && band) {
    const { lower, upper } = band.confidence;
    const between = upper.map((high, i) => high - (lower[i] as number));
    const closed = runsOf(between).map(
      (run) => `${path(run, upper)}${path([...run].reverse(), lower).replace('M', 'L')}Z`,
    );
    parts.push(`<path class="band" d="${closed.join('')}"/>`);
    if (band.prediction)
      parts.push(
        `<path class="edge" d="${line(band.prediction.lower)}"/><path class="edge" d="${line(band.prediction.upper)}"/>`,
      );
  }
  if (population)
    parts.push(
      `<path class="population" d="${line(population.y, population.x)}"><title>${populationName}</title></path>`,
    );
  if (curve) parts.push(`<path class="curve" d="${line(curve.y)}"/>`);
  if (kind !== 'histogram') parts.push(...circles(points, px, py));
  // Where nothing is known between the rows, what is predicted at them stands there and nowhere else.
  if (!curve && kind === 'comparison') parts.push(...predicted(points, band, px, py));
  return parts.join('');
}

/** The places of values that stand side by side; a line breaks where there is none. */
function runsOf(values: readonly number[]): number[][] {
  const runs: number[][] = [[]];
  values.forEach((value, i) => (Number.isFinite(value) ? runs.at(-1)?.push(i) : runs.push([])));
  return runs.filter((run) => run.length > 0);
}

function circles({ x, y, error, excluded }: PlotGroup['points'], px: To, py: To): string[] {
  const radius = x.length > 120 ? 1.75 : 2.6;
  return x.map((value, i) => {
    const [cx, seen, half] = [fixed(px(value)), y[i] as number, error?.[i] ?? NaN];
    const whisker = Number.isFinite(half)
      ? `<line class="error" x1="${cx}" x2="${cx}" y1="${fixed(py(seen - half))}" y2="${fixed(py(seen + half))}"/>`
      : '';
    return `${whisker}<circle class="${excluded?.[i] ? 'excluded' : 'data'}" cx="${cx}" cy="${fixed(py(seen))}" r="${radius}"/>`;
  });
}

function predicted(points: PlotGroup['points'], band: PlotGroup['band'], px: To, py: To): string[] {
  return points.x.flatMap((x, i) => {
    const value = points.predicted?.[i] ?? NaN;
    if (!Number.isFinite(value)) return [];
    const [lower, upper] = [band?.confidence.lower[i] ?? NaN, band?.confidence.upper[i] ?? NaN];
    const at = fixed(px(x));
    const bar = Number.isFinite(lower + upper)
      ? `<line class="curve" x1="${at}" x2="${at}" y1="${fixed(py(lower))}" y2="${fixed(py(upper))}"/>`
      : '';
    return [`${bar}<circle class="predicted" cx="${at}" cy="${fixed(py(value))}" r="1.75"/>`];
  });
}

/** Counts as bars over their bins, what is expected as a line across each. */
function bars({ x, y, predicted: expected }: PlotGroup['points'], edges: Plot['edges'], px: To, py: To): string[] {
  const endsOf = (i: number): readonly [number, number] =>
    edges ? [edges[i] as number, edges[i + 1] as number] : [(x[i] as number) - 0.5, (x[i] as number) + 0.5];
  const boxes = x.map((_, i) => {
    const [left, right] = endsOf(i).map(px) as [number, number];
    const top = py(y[i] as number);
    return `<rect class="bar" x="${fixed(left + 0.5)}" y="${fixed(top)}" width="${fixed(Math.max(0.5, right - left - 1))}" height="${fixed(py(0) - top)}"/>`;
  });
  const steps = x.map((_, i) => {
    const [left, right] = endsOf(i).map(px) as [number, number];
    const height = fixed(py(expected?.[i] ?? NaN));
    return `${i === 0 ? 'M' : 'L'}${fixed(left)} ${height}L${fixed(right)} ${height}`;
  });
  return [
    ...boxes,
    ...(expected?.length === x.length && expected.every(Number.isFinite)
      ? [`<path class="curve" d="${steps.join('')}"/>`]
      : []),
  ];
}
