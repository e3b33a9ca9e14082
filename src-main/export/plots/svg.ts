/** Plots as SVG, drawn from the very objects that the window draws: a panel for each group, or all groups in one. */
import { escapeXml } from '../../../models/notation/escape-xml.ts';
import { fontOf, groupStyle, sizeOf } from '../../contract/plot-styles.ts';
import { axisTitle, censoredText, isPlaced, undrawnText, type Plot } from '../../contract/plots.ts';
import { colorOf, fixed, marks, populationName, symbolSvg } from './marks.ts';
import { scalesOf, tickText, type Scale } from './scale.ts';
import { fontFamily, plotStyle, plotTokens } from './style.ts';

interface Panel {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface Scales {
  readonly x: Scale;
  readonly y: Scale;
}

/** All is measured in letters of this size. */
const letter = 11;
/** At the sides as much as the names of ticks want, and this at least. */
const margin = { left: 64, right: 16, top: 16, bottom: 44 } as const;
const whole = { width: 640, height: 320 } as const;
const small = { width: 300, height: 200, columns: 3 } as const;
const line = 14;

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
  const { groups, look } = plot;
  const together = look?.layout === 'one' && plot.kind !== 'histogram';
  const count = together ? 1 : Math.max(1, groups.length);
  const columns = Math.min(small.columns, count);
  const rows = Math.ceil(count / columns);
  const panel = count === 1 ? whole : small;
  const font = fontOf(look, { family: fontFamily, size: letter });
  const size = sizeOf(look);
  // A figure of a chosen size is drawn in units in which its letters have the usual one.
  const unit = font.size / letter;
  const width = size ? size.width / unit : columns * panel.width;
  const title = look?.title
    ? `<text class="name" x="${fixed(width / 2)}" y="${line}" text-anchor="middle">${escapeXml(look.title)}</text>`
    : '';
  const head0 = title === '' ? 0 : line + 6;
  const height = size ? size.height / unit : rows * panel.height + head0;
  const names = together && groups.length > 1 ? legendWidth(plot) : 0;
  const cell = { width: (width - names) / columns, height: (height - head0) / rows };
  const scales = scalesOf(plot);
  const sides = sidesOf(scales);
  const panels = Array.from({ length: count }, (_, i) => {
    const [column, row] = [i % columns, Math.floor(i / columns)];
    const place = {
      left: Math.round(column * cell.width) + sides.left,
      top: Math.round(head0 + row * cell.height) + margin.top,
      width: Math.max(1, Math.round(cell.width) - sides.left - sides.right),
      height: Math.max(1, Math.round(cell.height) - margin.top - margin.bottom),
    };
    return panelSvg(plot, together ? groups.map((_, k) => k) : [i], place, scales, sides.left);
  });
  const legend = names > 0 ? legendSvg(plot, width - names, head0 + margin.top) : '';
  const measured = size
    ? ` width="${look!.size![0]}mm" height="${look!.size![1]}mm" style="font: ${letter}px ${escapeXml(font.family)}"`
    : look?.font
      ? ` style="font: ${letter}px ${escapeXml(font.family)}"`
      : '';
  const label = escapeXml(look?.title ?? labelOf(plot));
  return `<svg${attributes} class="plot"${measured} viewBox="0 0 ${number(width)} ${number(height)}" role="img" aria-label="${label}">${head}${title}${panels.join('')}${legend}</svg>`;
}

const number = (value: number): string => String(Number(value.toFixed(2)));

export function labelOf({ kind, x, y }: Plot): string {
  return kind === 'residuals' ? `residuals against ${axisTitle(x)}` : `${axisTitle(y)} against ${axisTitle(x)}`;
}

/** One group, or several on top of each other. */
function panelSvg(plot: Plot, shown: readonly number[], panel: Panel, scales: Scales, aside: number): string {
  const px = (value: number): number => panel.left + scales.x.at(value) * panel.width;
  const py = (value: number): number => panel.top + Math.min(1, Math.max(0, 1 - scales.y.at(value))) * panel.height;
  const has = (x: number, y: number): boolean => isPlaced(plot, x, y);
  const groups = shown.flatMap((index) => {
    const group = plot.groups[index];
    return group ? [{ group, style: groupStyle(plot, index) }] : [];
  });
  const own = { ...plot, groups: groups.map(({ group }) => group) };
  const drawnMarks = groups.map(({ group, style }) => marks(plot, group, style, { px, py, has }));
  const notes = [
    ...(groups.length === 1 && groups[0]!.group.key !== null ? [['name', groups[0]!.group.key] as const] : []),
    ...(groups.some(({ group }) => group.population) ? [['note', populationName] as const] : []),
    ...[censoredText(own), undrawnText(own)].flatMap((text) => (text === '' ? [] : [['note', text] as const])),
  ].map(
    ([kind, text], i) =>
      `<text class="${kind}" x="${panel.left + 6}" y="${panel.top + 10 + 13 * i}">${escapeXml(text)}</text>`,
  );
  return `<g>${axes(plot, panel, scales, aside)}${drawnMarks.join('')}${notes.join('')}</g>`;
}

function sidesOf({ x, y }: Scales): { readonly left: number; readonly right: number } {
  const names = y.ticks.map((tick) => figures(tickText(tick, y.kind)));
  const last = x.ticks.at(-1);
  return {
    left: Math.round(Math.max(margin.left, 22 + Math.max(0, ...names))),
    right: Math.round(Math.max(margin.right, last === undefined ? 0 : 2 + figures(tickText(last, x.kind)) / 2)),
  };
}

/** As many ticks as their letters leave room for. `aside`: how much room there is beside the panel. */
function axes({ x, y }: Plot, panel: Panel, scales: Scales, aside: number): string {
  const [right, bottom] = [panel.left + panel.width, panel.top + panel.height];
  let free = -Infinity;
  const columns = scales.x.ticks.map((tick) => {
    const at = panel.left + scales.x.at(tick) * panel.width;
    const text = tickText(tick, scales.x.kind);
    const half = letters(text) / 2;
    const named = at - half > free;
    if (named) free = at + half + 4;
    const name = named ? `<text x="${fixed(at)}" y="${bottom + 16}" text-anchor="middle">${text}</text>` : '';
    return `<line class="axis" x1="${fixed(at)}" x2="${fixed(at)}" y1="${bottom}" y2="${bottom + 4}"/>${name}`;
  });
  let above = Infinity;
  const rows = scales.y.ticks.map((tick) => {
    const at = bottom - scales.y.at(tick) * panel.height;
    const named = at < above;
    if (named) above = at - letter;
    const name = named
      ? `<text x="${panel.left - 6}" y="${fixed(at)}" dy="4" text-anchor="end">${tickText(tick, scales.y.kind)}</text>`
      : '';
    return `<line class="grid" x1="${panel.left}" x2="${right}" y1="${fixed(at)}" y2="${fixed(at)}"/>${name}`;
  });
  const [middle, centre] = [(panel.left + right) / 2, (panel.top + bottom) / 2];
  return [
    ...rows,
    ...columns,
    `<path class="axis" fill="none" d="M${panel.left} ${panel.top}V${bottom}H${right}"/>`,
    `<text class="title" x="${middle}" y="${bottom + 34}" text-anchor="middle">${escapeXml(axisTitle(x))}</text>`,
    `<text class="title" transform="translate(${panel.left - aside + 14} ${centre}) rotate(-90)" text-anchor="middle">${escapeXml(axisTitle(y))}</text>`,
  ].join('');
}

/** About how wide a text is, in any sans or serif. */
const letters = (text: string): number => 6.2 * text.length;
/** Of figures, which are all as wide as the widest. */
const figures = (text: string): number => 7 * text.length;

const legendWidth = ({ groups }: Plot): number =>
  Math.min(180, 34 + Math.max(...groups.map(({ key }) => letters(key ?? ''))));

/** Which look is which group's. */
function legendSvg(plot: Plot, left: number, top: number): string {
  const rows = plot.groups.map((group, i) => {
    const style = groupStyle(plot, i);
    const y = top + 6 + i * line;
    const dash = style.dash.length > 0 ? ` stroke-dasharray="${style.dash.join(' ')}"` : '';
    const curve = group.curve
      ? `<path class="curve" style="stroke:${colorOf(style, 'curve')}"${dash} d="M${fixed(left)} ${y}H${fixed(left + 20)}"/>`
      : '';
    return `${curve}${symbolSvg(style, 'data', fixed(left + 10), y, 2.6)}<text x="${fixed(left + 26)}" y="${y + 4}">${escapeXml(group.key ?? '')}</text>`;
  });
  return `<g class="legend">${rows.join('')}</g>`;
}
