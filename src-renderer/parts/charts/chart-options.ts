/** What every chart has in common but its data and axes: no animation, the house's tooltip. */
import type { ChartDataset } from 'chart.js';
import { hasPlace, placesOn, type ScaleName } from '../../../models/notation/scales.ts';
import { formatNumber } from '../../state/words/number-format.ts';
import type { Palette } from './plot-theme.ts';
import { font } from './plot-theme.ts';

/** Around a plot and its axes, in pixels. */
export const layoutPadding = { top: 4, right: 12, bottom: 0, left: 4 } as const;

const base = {
  animation: false,
  responsive: true,
  maintainAspectRatio: false,
  layout: { padding: layoutPadding },
  interaction: { mode: 'nearest', intersect: true },
} as const;

/** Names at the ends of lines stand beside the plot, at its right. */
export function roomForNames(names: readonly string[]) {
  const longest = Math.max(0, ...names.map((name) => name.length));
  return { padding: { ...layoutPadding, right: Math.min(10 + 6.5 * longest, 160) } };
}

/** `text`: what a point says when it is pointed at, by its place in the data. */
export function chartOptions(
  palette: Palette,
  x: object,
  y: object,
  text: (point: { x: number; y: number }, index: number) => string | string[],
) {
  return {
    ...base,
    scales: { x, y },
    plugins: {
      tooltip: {
        backgroundColor: palette['ink']!,
        titleColor: palette['panel']!,
        bodyColor: palette['panel']!,
        titleFont: font,
        bodyFont: font,
        displayColors: false,
        cornerRadius: 5,
        padding: 6,
        caretSize: 4,
        callbacks: {
          title: () => '',
          label: (item: { parsed: { x: number | null; y: number | null }; dataIndex: number }) =>
            text({ x: item.parsed.x ?? NaN, y: item.parsed.y ?? NaN }, item.dataIndex),
        },
      },
    },
  };
}

/** `time, h` and 3 make `time: 3 h`. */
export function quantityText(title: string, value: number): string {
  const [, name = title, unit = ''] = /^(.*), ([^,]*)$/.exec(title) ?? [];
  return `${name}: ${formatNumber(value, 'fine')}${unit === '' ? '' : ` ${unit}`}`;
}

/** A line without points; given in order, as Chart.js wants it. */
export function lineOf(
  data: readonly { readonly x: number; readonly y: number }[],
  color: string,
  look: { readonly width?: number; readonly dash?: readonly number[]; readonly order?: number } = {},
): ChartDataset {
  return {
    type: 'line',
    data: [...data],
    borderColor: color,
    borderWidth: look.width ?? 1.75,
    borderDash: [...(look.dash ?? [])],
    pointRadius: 0,
    pointHitRadius: 6,
    order: look.order ?? 1,
  };
}

/** Open circles. */
export function circlesOf(
  data: readonly { readonly x: number; readonly y: number }[],
  palette: Palette,
  color: string,
  radius = 2.6,
): ChartDataset {
  return {
    type: 'scatter',
    data: [...data],
    pointRadius: radius,
    pointHoverRadius: radius + 1.5,
    pointBackgroundColor: palette['panel']!,
    pointBorderColor: color,
    pointBorderWidth: 1.25,
    // What lies on the edge of the plot is a whole circle.
    clip: radius + 2,
    order: 0,
  };
}

/** The least and the greatest of what is finite; undefined where nothing is. There may be more values than a call takes arguments. */
export function extentOf(values: readonly number[]): readonly [least: number, greatest: number] | undefined {
  let [least, greatest] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  return least <= greatest ? [least, greatest] : undefined;
}

/** The ends of an axis over these values, with a little room; from zero where none is below it, unless it is `close`. */
export function endsOf(values: readonly number[], close = false): { min?: number; max?: number } {
  const extent = extentOf(values);
  if (!extent) return {};
  const [low, high] = extent;
  const room = (high - low || Math.abs(high) || 1) * 0.04;
  const fromZero = !close && low >= 0 && low < 0.35 * high;
  return { min: fromZero ? 0 : low - room, max: high + room };
}

/** How an axis over these values is divided, and its ends: room is a share of what is seen of it. */
export function dividedOver(
  values: readonly number[],
  scale: ScaleName,
): { division: ScaleName; near: number; min?: number; max?: number } {
  const { to, from } = placesOn(scale, values);
  const placed = values.filter((value) => hasPlace(scale, value));
  const near = extentOf(values.filter((value) => value !== 0).map(Math.abs))?.[0] ?? 1;
  const extent = extentOf(placed);
  if (scale === 'linear' || scale === 'percent') return { division: scale, near, ...endsOf(values) };
  // An axis on which nothing has a place cannot be divided so.
  if (!extent) return { division: 'linear', near };
  const [low, high] = extent.map(to) as [number, number];
  const room = (high - low || Math.abs(high) || 1) * 0.04;
  // A reciprocal axis ends before ∞, which is the place 0.
  const end = scale === 'reciprocal' ? Math.min(high + room, high / 2) : high + room;
  return { division: scale, near, min: from(low - room), max: from(end) };
}

/** Lines that are told apart by colour, dash and the name at their end; chosen to differ without red and green. */
const hues = ['accent', 'int', 'real', 'ink-2', 'neg', 'pos'];
const dashes: readonly (readonly number[])[] = [[], [6, 3], [2, 2], [8, 3, 2, 3], [1, 3], [4, 4]];

/** The token of the line's colour, and its dash. */
export function hueTokenOf(index: number): { readonly token: string; readonly dash: readonly number[] } {
  return { token: hues[index % hues.length]!, dash: dashes[index % dashes.length]! };
}

export function hueOf(index: number, palette: Palette): { readonly color: string; readonly dash: readonly number[] } {
  const { token, dash } = hueTokenOf(index);
  return { color: palette[token]!, dash };
}

/** Whether a dataset says all that another of its kind said: it can then take its place, and nothing of it is left. */
export function saysAll(dataset: object, known: object): boolean {
  return Object.keys(known).every((key) => Object.hasOwn(dataset, key));
}
