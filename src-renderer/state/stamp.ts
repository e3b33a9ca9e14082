/** A plot small enough for a card: no numbers, few points. */
import type { PlotData } from './plot-data.ts';

export interface Stamp {
  readonly curve: string;
  readonly others: readonly string[];
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly bars: readonly { readonly x: number; readonly y: number; readonly width: number; readonly height: number }[];
}

const area = { left: 113, right: 238, top: 18, bottom: 126 };
const mostPoints = 28;
const mostOthers = 6;

export function stampOf(plot: PlotData): Stamp | null {
  const all = plot.series.flatMap((series) => [...series.points.map(({ x, y }) => [x, y] as const), ...series.curve]);
  if (all.length === 0) return null;
  const xs = all.map(([x]) => x);
  const ys = all.map(([, y]) => y);
  const counts = plot.form === 'counts';
  const scale = (values: readonly number[], from: number, to: number, least: number) => {
    const [low, high] = [Math.min(least, ...values), Math.max(...values)];
    return (value: number) => Number((from + ((value - low) / (high - low || 1)) * (to - from)).toFixed(1));
  };
  const x = scale(xs, area.left, area.right, Infinity);
  const y = scale(ys, area.bottom, area.top, counts ? 0 : Infinity);
  const path = (curve: readonly (readonly [number, number])[]) =>
    `M${curve.map(([u, v]) => `${x(u)} ${y(v)}`).join('L')}`;
  const first = plot.series[0]!;
  const stride = Math.ceil(first.points.length / mostPoints);
  const width = (area.right - area.left) / Math.max(1, first.points.length);
  return {
    curve: first.curve.length > 1 ? path(first.curve) : '',
    others: plot.series
      .slice(1, 1 + mostOthers)
      .filter((series) => series.curve.length > 1)
      .map((series) => path(series.curve)),
    points: counts
      ? []
      : first.points.filter((_, i) => i % stride === 0).map((mark) => [x(mark.x), y(mark.y)] as const),
    bars: counts
      ? first.points.map((mark) => ({
          x: x(mark.x) - width / 2,
          y: y(mark.y),
          width: Math.max(0.5, width * 0.9),
          height: Math.max(0, area.bottom - y(mark.y)),
        }))
      : [],
  };
}
