/** A value at its bound is within it, whatever scale it is varied on: one a rounding beyond could not be read again. */
import { expect, it } from 'vitest';
import {
  coordinates,
  firstSlope,
  fromCoordinate,
  straightInValue,
  toCoordinate,
} from '../../../engine/6-fit/coordinates.ts';

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

it.each([
  ['linear', -2, 5, 1.5],
  ['log', 0.01, 90, 3],
  ['logit', -2, 5, 1.5],
] as const)(
  'a step of a %s coordinate leads straight in its value, and never past its range',
  (scale, lower, upper, value) => {
    const parameter = { name: 'k', shape: [], initial: [value], fixed: false, scale, lower: [lower], upper: [upper] };
    const coordinate = coordinates([parameter])[0]!;
    const u = toCoordinate(coordinate, value);
    for (const step of [-0.3, -1e-7, 0, 1e-7, 0.2]) {
      const moved = fromCoordinate(coordinate, straightInValue(coordinate, u, step));
      expect(moved).toBeCloseTo(value + firstSlope(coordinate, u) * step, 12);
    }
    for (const step of [-1e3, 1e3]) expect(straightInValue(coordinate, u, step)).not.toBeNaN();
  },
);
