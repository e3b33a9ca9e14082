/** Axes: where their ticks stand, and where a value does. */
import type { Plot } from '../../contract/plots.ts';

export interface Scale {
  readonly ticks: readonly number[];
  /** From 0 at the axis's beginning to 1 at its end. */
  readonly at: (value: number) => number;
}

/** Round numbers, about five of them, from below `low` to above `high`. */
export function ticks(low: number, high: number): number[] {
  const span = high - low || Math.abs(high) || 1;
  const power = 10 ** Math.floor(Math.log10(span / 4));
  const step = power * ([1, 2, 5, 10].find((factor) => span / (power * factor) <= 5) ?? 10);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  return Array.from({ length: Math.max(last - first, 1) + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** Over the finite values: linear between round ends, or by powers of ten with a little room. */
export function scaleOver(values: readonly number[], kind: 'linear' | 'log' = 'linear'): Scale {
  const [low, high] = extentOf(values) ?? [0, 1];
  if (kind === 'log' && low > 0 && high > low) {
    const room = 0.03 * Math.log(high / low);
    const [from, to] = [Math.log(low) - room, Math.log(high) + room];
    return { ticks: powers(Math.exp(from), Math.exp(to)), at: (value) => (Math.log(value) - from) / (to - from) };
  }
  const marks = ticks(low, high);
  const [first, last] = [marks[0] ?? 0, marks.at(-1) ?? 1];
  return { ticks: marks, at: (value) => (value - first) / (last - first) };
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

/** 1, 2, 5, 10, … where there is room for them, else powers of ten alone. */
function powers(low: number, high: number): number[] {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const factors = last - first > 3 ? [1] : [1, 2, 5];
  const all = Array.from({ length: last - first + 1 }, (_, i) => first + i).flatMap((exponent) =>
    factors.map((factor) => Number((factor * 10 ** exponent).toPrecision(12))),
  );
  return all.filter((tick) => tick >= low && tick <= high);
}

/** All groups of a plot share their axes, or they could not be compared. */
export function scalesOf({ x, kind, edges, groups }: Plot): { readonly x: Scale; readonly y: Scale } {
  const xs = groups.flatMap(({ points, curve }) => [...points.x, ...(curve?.x ?? [])]);
  const ys = groups.flatMap(({ points, curve, population, band }) => [
    ...points.y,
    ...(points.predicted ?? []),
    ...(curve?.y ?? []),
    ...(population?.y ?? []),
    ...(band
      ? [band.confidence, ...(band.prediction ? [band.prediction] : [])].flatMap(({ lower, upper }) => [
          ...lower,
          ...upper,
        ])
      : []),
  ]);
  const base = kind === 'comparison' ? [] : [0];
  return { x: scaleOver([...xs, ...(edges ?? [])], x.scale), y: scaleOver([...ys, ...base]) };
}

export function axisTitle({ label, unit }: Plot['x']): string {
  return unit === '' ? label : `${label}, ${unit}`;
}
