/** A small plot as paths and places: points, a curve, and the ends of both axes in figures. */
import type { ImportSuggestions } from '../../../src-main/contract/import.ts';
import { formatNumber } from '../words/number-format.ts';

export interface Sketch {
  readonly axes: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly radius: number;
  readonly curve: string;
  readonly labels: readonly {
    readonly x: number;
    readonly y: number;
    readonly text: string;
    readonly anchor: 'start' | 'middle' | 'end';
  }[];
}

const margin = { left: 46, right: 8, top: 8, bottom: 20 };
/** A curve that leaves the data is drawn this far beyond them, in shares of their range. */
const beyond = 0.25;

export function sketchOf(
  { x, y, grid }: Pick<ImportSuggestions, 'x' | 'y' | 'grid'>,
  curve: readonly number[],
  { width, height }: { readonly width: number; readonly height: number },
): Sketch {
  const [left, right] = [margin.left, width - margin.right];
  const [top, bottom] = [margin.top, height - margin.bottom];
  const axes = `M${left - 0.5} ${top}V${bottom + 0.5}H${right}`;
  if (x.length === 0) return { axes, points: [], radius: 0, curve: '', labels: [] };
  const [x0, x1] = ends(x);
  const [low, high] = ends(y);
  const inside = (value: number) => value >= low - beyond * (high - low) && value <= high + beyond * (high - low);
  const [y0, y1] = ends([...y, ...curve.filter(inside)]);
  const scale = (value: number, [from, to]: readonly [number, number], [a, b]: readonly [number, number]) =>
    to > from ? a + ((b - a) * (value - from)) / (to - from) : (a + b) / 2;
  const across = (value: number) => scale(value, [x0, x1], [left + 5, right - 4]);
  const up = (value: number) => scale(value, [y0, y1], [bottom - 5, top + 4]);
  const drawn = curve.map((value, i) => (inside(value) ? ([across(grid[i] ?? NaN), up(value)] as const) : undefined));
  return {
    axes,
    points: x.map((value, i) => [across(value), up(y[i] ?? NaN)] as const),
    radius: x.length > 150 ? 1.2 : x.length > 60 ? 1.7 : 2.4,
    curve: drawn
      .map((point, i) => (point ? `${drawn[i - 1] ? 'L' : 'M'}${point[0].toFixed(1)} ${point[1].toFixed(1)}` : ''))
      .join(''),
    labels: [
      { x: left - 6, y: up(y1) + 4, text: formatNumber(y1, 3), anchor: 'end' as const },
      ...(y1 > y0 ? [{ x: left - 6, y: up(y0) + 3, text: formatNumber(y0, 3), anchor: 'end' as const }] : []),
      { x: left, y: height - 5, text: formatNumber(x0, 3), anchor: 'start' as const },
      ...(x1 > x0 ? [{ x: right, y: height - 5, text: formatNumber(x1, 3), anchor: 'end' as const }] : []),
    ],
  };
}

function ends(values: readonly number[]): readonly [number, number] {
  return values.reduce<readonly [number, number]>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Infinity, -Infinity],
  );
}
