/** Axes: where their ticks stand, and where a value does. */
import { placesOn, roundTicks, type ScaleName } from '../../../models/notation/scales.ts';
import { barEnds, drawnValues, type Drawn } from '../../contract/drawn-values.ts';
import { shownPoints, type Plot, type PlotGroup } from '../../contract/plots.ts';

export interface Scale {
  readonly ticks: readonly number[];
  /** From 0 at the axis's beginning to 1 at its end; −∞ of what has no place. */
  readonly at: (value: number) => number;
  readonly kind: ScaleName;
}

/** Over the finite values: in equal steps between round ends, else with a little room. */
export function scaleOver(values: readonly number[], kind: ScaleName = 'linear'): Scale {
  const { to, ticks } = placesOn(kind, values);
  const [low, high] = extentOf(values.filter((value) => Number.isFinite(to(value)))) ?? [0, 1];
  if (kind === 'linear' || kind === 'percent' || high === low || !Number.isFinite(to(low))) {
    const marks = roundTicks(low, high);
    const [first, last] = [marks[0] ?? 0, marks.at(-1) ?? 1];
    return { kind, ticks: marks, at: (value) => (value - first) / (last - first) };
  }
  const room = 0.03 * (to(high) - to(low));
  const [from, end] = [to(low) - room, to(high) + room];
  const inside = ticks(low, high).filter((tick) => to(tick) >= from && to(tick) <= end);
  return { kind, ticks: inside, at: (value) => (to(value) - from) / (end - from) };
}

export function extentOf(values: readonly number[]): readonly [number, number] | undefined {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low <= high ? [low, high] : undefined;
}

/** All groups of a plot share their axes, or they could not be compared. */
export function scalesOf(plot: Plot): { readonly x: Scale; readonly y: Scale } {
  const { kind, edges = [] } = plot;
  const { x, y } = drawnValues(plot, plot.groups.flatMap(drawnIn));
  const base = kind === 'comparison' ? [] : [0];
  return { x: scaleOver([...x, ...edges], plot.x.scale), y: scaleOver([...y, ...base], plot.y.scale) };
}

function drawnIn(group: PlotGroup): Drawn[] {
  const { points, curve, population, band } = group;
  const { x, y, error = [] } = shownPoints(group);
  const along = curve?.x ?? points.x;
  const limits = band ? [band.confidence, ...(band.prediction ? [band.prediction] : [])] : [];
  return [
    { x, y, ends: barEnds(y, error) },
    { x: points.x, y: points.predicted ?? [] },
    ...[curve, population].flatMap((line) => line ?? []),
    ...limits.flatMap(({ lower, upper }) => [lower, upper].map((ends) => ({ x: along, y: ends }))),
  ];
}

export function tickText(tick: number, kind: ScaleName): string {
  if (kind === 'percent') return `${String(Number((100 * tick).toPrecision(12))).replace('-', '−')} %`;
  const size = Math.abs(tick);
  const isOutside = size !== 0 && (size < 1e-3 || size >= 1e6);
  // Julian days, whose last digits tell them apart, are shorter as they are.
  const [plain, power] = [String(tick), tick.toExponential()];
  const text = isOutside && power.length < plain.length ? power : plain;
  return text.replaceAll('-', '−').replace('e+', 'e');
}
