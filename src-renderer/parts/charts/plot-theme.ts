/**
 * One look for every chart: left and bottom axis, ticks outside, at most four grid lines, no frame, no legend. Colours
 * are the tokens of the theme in force, read when a chart is drawn.
 */
import type { ChartOptions } from 'chart.js';
import { placesOn, roundTicks, type ScaleName } from '../../../models/notation/scales.ts';
import { formatNumber, powerOfTen } from '../../state/words/number-format.ts';

export interface Palette {
  readonly [name: string]: string;
}

const tokens = [
  'ink',
  'ink-2',
  'ink-3',
  'line-2',
  'line-3',
  'grid',
  'panel',
  'curve',
  'band',
  'data',
  'other',
  'fault',
  'caution',
  'accent',
  'real',
  'int',
  'neg',
  'pos',
  'zero',
  'g1',
  'g2',
  'g3',
  'g4',
];

export function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element);
  return Object.fromEntries(tokens.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

const family = "'Inter Variable', system-ui, sans-serif";
export const font = { family, size: 11 };

export type AxisOptions = NonNullable<ChartOptions<'line' | 'scatter' | 'bar'>['scales']>[string] & object;

interface Axis {
  readonly title: string;
  readonly log?: boolean;
  readonly grid: boolean;
  /** On screen the caption says it; a file has its title at the axis. */
  readonly captioned?: boolean;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly whole?: boolean;
  /** A small chart has room for fewer ticks. */
  readonly few?: boolean;
  /** How it is divided, where `log` does not say so; `near`: as far as a symlog axis is linear. */
  readonly division?: ScaleName;
  readonly near?: number;
  readonly font?: typeof font;
}

function common({ title, captioned = false, grid, min, max, font: letters = font }: Axis, palette: Palette) {
  return {
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    border: { color: palette['line-3']!, width: 1 },
    grid: {
      drawOnChartArea: grid,
      offset: false,
      color: palette['grid']!,
      tickColor: palette['line-3']!,
      tickLength: 4,
      lineWidth: 1,
    },
    title: { display: title !== '' && !captioned, text: title, color: palette['ink-2']!, font: letters, padding: 2 },
  };
}

/** So many that each tick differs from the next. */
function digitsOf(ticks: readonly { readonly value: number }[]): number {
  const [first, second] = ticks;
  const step = first && second ? Math.abs(second.value - first.value) : 0;
  const largest = Math.max(...ticks.map(({ value }) => Math.abs(value)));
  return step > 0 ? Math.min(15, Math.max(6, Math.ceil(Math.log10(largest / step)) + 1)) : 6;
}

/** What Chart.js knows of an axis when its ticks are made. */
interface Ticked {
  readonly min: number;
  readonly max: number;
  ticks: { value: number }[];
}

/** Round ticks where Chart.js found fewer than two inside the ends of an axis: one number alone gives no scale. */
function atLeastTwo(axis: Ticked, whole = false): void {
  const { min, max } = axis;
  const within = (value: number): boolean => value >= min && value <= max;
  if (!(min < max) || axis.ticks.filter(({ value }) => within(value)).length > 1) return;
  const ticks = roundTicks(min, max).filter((value) => within(value) && (!whole || Number.isInteger(value)));
  if (ticks.length > 1) axis.ticks = ticks.map((value) => ({ value }));
}

const isPower = (value: number): boolean => {
  const exponent = Math.log10(value);
  return Math.abs(exponent - Math.round(exponent)) < 1e-9;
};

/** Powers of ten, and between them where there are not two. */
function logTicks(axis: Ticked): void {
  const { min, max } = axis;
  if (min > 0 && min < max)
    axis.ticks = placesOn('log', [])
      .ticks(min, max)
      .map((value) => ({ value }));
}

/** An axis in the house's style. */
export function axisOf(axis: Axis, palette: Palette): AxisOptions {
  const letters = axis.font ?? font;
  const written = (value: number | string): string =>
    axis.division === 'percent' ? `${formatNumber(100 * Number(value), 6)} %` : formatNumber(Number(value), 6);
  if (axis.division === 'log' || axis.division === 'reciprocal' || axis.division === 'symlog') {
    return {
      ...{ type: 'divided', division: axis.division, near: axis.near ?? 1 },
      ...common(axis, palette),
      ticks: { color: palette['ink-3']!, font: letters, padding: 3, maxRotation: 0, callback: written },
    } as unknown as AxisOptions;
  }
  if (axis.log) {
    return {
      type: 'logarithmic',
      ...common(axis, palette),
      ticks: {
        color: palette['ink-3']!,
        font: letters,
        padding: 3,
        callback: (value: number | string, _: number, ticks: readonly { readonly value: number }[]) =>
          ticks.every((tick) => isPower(tick.value))
            ? powerOfTen(Math.round(Math.log10(Number(value))))
            : formatNumber(Number(value), digitsOf(ticks)),
      },
      afterBuildTicks: logTicks,
    };
  }
  return {
    type: 'linear',
    ...common(axis, palette),
    ticks: {
      color: palette['ink-3']!,
      font: letters,
      padding: 3,
      maxTicksLimit: axis.few ? 5 : 6,
      maxRotation: 0,
      // The ends of an axis are where the data end, which is seldom a round number.
      includeBounds: false,
      ...(axis.whole ? { precision: 0 } : {}),
      // Neighbours that differ are never written alike.
      callback: (value: number | string, _: number, ticks: readonly { readonly value: number }[]) =>
        axis.division === 'percent' ? written(value) : formatNumber(Number(value), digitsOf(ticks)),
    },
    afterBuildTicks: (built: Ticked) => atLeastTwo(built, axis.whole),
  };
}

/** Rows by name, the first on top. */
export function nameAxis(palette: Palette): AxisOptions {
  return {
    type: 'category',
    border: { color: palette['line-3']!, width: 1 },
    grid: { display: false },
    ticks: { color: palette['ink']!, font, padding: 3, autoSkip: false },
  };
}
