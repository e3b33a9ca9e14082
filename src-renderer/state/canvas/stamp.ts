/** A plot small enough for a card: no numbers, few points. */
import type { Plot, PlotGroup } from '../../../src-main/contract/plots.ts';
import type { Point } from '../fit/plot-data.ts';
import { curvePoints, pointsOf, predictedPoints } from '../fit/plot-data.ts';

export interface Stamp {
  readonly curve: string;
  readonly others: readonly string[];
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly bars: readonly { readonly x: number; readonly y: number; readonly width: number; readonly height: number }[];
}

const area = { left: 113, right: 238, top: 18, bottom: 126 };
const mostPoints = 28;
const mostOthers = 6;

export function stampOf({ kind, groups, x: axis }: Plot): Stamp | null {
  const counts = kind === 'histogram';
  // On a stamp what is predicted row by row is a line, where rows are as many as its pixels.
  const lineOf = (group: PlotGroup) => (group.curve ? curvePoints(group) : predictedPoints(group));
  const onScale = (points: readonly Point[]): Point[] =>
    axis.scale === 'log' ? points.map(({ x, y }) => ({ x: Math.log(x), y })) : [...points];
  const series = groups.map((group) => ({ points: onScale(pointsOf(group)), curve: onScale(lineOf(group)) }));
  const all = series.flatMap(({ points, curve }) => [...points, ...curve]);
  if (all.length === 0) return null;
  const xs = all.map(({ x: value }) => value);
  const ys = all.map(({ y: value }) => value);
  const scale = (values: readonly number[], from: number, to: number, least: number) => {
    const [low, high] = [Math.min(least, ...values), Math.max(...values)];
    return (value: number) => Number((from + ((value - low) / (high - low || 1)) * (to - from)).toFixed(1));
  };
  const x = scale(xs, area.left, area.right, Infinity);
  const y = scale(ys, area.bottom, area.top, counts ? 0 : Infinity);
  const path = (curve: readonly Point[]) => `M${curve.map((point) => `${x(point.x)} ${y(point.y)}`).join('L')}`;
  const first = series[0]!;
  const stride = Math.ceil(first.points.length / mostPoints);
  const width = (area.right - area.left) / Math.max(1, first.points.length);
  return {
    curve: first.curve.length > 1 ? path(first.curve) : '',
    others: series
      .slice(1, 1 + mostOthers)
      .filter(({ curve }) => curve.length > 1)
      .map(({ curve }) => path(curve)),
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
