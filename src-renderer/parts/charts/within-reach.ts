/** What Chart.js can divide: an axis to the largest of numbers it divides without end, and the window stands. */
import type { ChartConfiguration } from 'chart.js';

/** What lies further out has no place. */
const furthest = 1e300;

const isBeyond = (value: unknown): boolean => typeof value === 'number' && Math.abs(value) > furthest;

const placed = (point: unknown): unknown => {
  if (isBeyond(point)) return NaN;
  if (typeof point !== 'object' || point === null || !Object.values(point).some(isBeyond)) return point;
  return Object.fromEntries(
    Object.entries(point).map(([key, value]) => [key, isBeyond(value) ? NaN : (value as unknown)]),
  );
};

const clamped = (end: unknown): unknown => (isBeyond(end) ? Math.sign(end as number) * furthest : end);

export function withinReach(configuration: ChartConfiguration): ChartConfiguration {
  for (const dataset of configuration.data.datasets) {
    const points = dataset.data as unknown[];
    const near = points.map(placed);
    if (near.some((point, i) => point !== points[i])) dataset.data = near as typeof dataset.data;
  }
  for (const axis of Object.values(configuration.options?.scales ?? {})) {
    const ends = axis as { min?: unknown; max?: unknown };
    if (isBeyond(ends.min)) ends.min = clamped(ends.min);
    if (isBeyond(ends.max)) ends.max = clamped(ends.max);
  }
  return configuration;
}
