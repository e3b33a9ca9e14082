/** A value at its bound is within it, whatever scale it is varied on: one a rounding beyond could not be read again. */
import { expect, it } from 'vitest';
import { coordinates, fromCoordinate } from '../../../engine/6-fit/coordinates.ts';

const bounds = [
  [1e-5, 1e5],
  [1e-3, 1e3],
  [0.1, 7],
  [3e-9, 4e11],
] as const;

it.each(bounds)('between %d and %d on a log scale', (lower, upper) => {
  const parameter = { name: 'k', shape: [], initial: [1], fixed: false } as const;
  const [coordinate] = coordinates([{ ...parameter, scale: 'log', lower: [lower], upper: [upper] }]);
  const ends = [coordinate!.lower, coordinate!.upper].map((u) => fromCoordinate(coordinate!, u));
  expect(ends[0]).toBeGreaterThanOrEqual(lower);
  expect(ends[1]).toBeLessThanOrEqual(upper);
  expect(ends[0]).toBeCloseTo(lower, 12);
});
