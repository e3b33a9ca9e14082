import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasPlace, placesOn, scaleNames } from '../../../models/notation/scales.ts';

const sizes = fc.double({ min: 1e-6, max: 1e6, noNaN: true });

describe.each(scaleNames)('%s', (scale) => {
  const signed =
    scale === 'log' || scale === 'reciprocal'
      ? sizes
      : fc.oneof(
          sizes,
          sizes.map((value) => -value),
        );

  it('keeps the order of values, and finds them again', () => {
    fc.assert(
      fc.property(fc.uniqueArray(signed, { minLength: 2, maxLength: 8 }), (values) => {
        const { to, from } = placesOn(scale, values);
        const sorted = [...values].sort((a, b) => a - b);
        const places = sorted.map(to);
        places.slice(1).forEach((place, i) => expect(place).toBeGreaterThanOrEqual(places[i]!));
        sorted.forEach((value) => expect(Math.abs(from(to(value)) - value)).toBeLessThan(1e-9 * Math.abs(value)));
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it('has ticks within its ends, ascending, and some of them', () => {
    fc.assert(
      fc.property(signed, sizes, (low, span) => {
        const high = low + span + Math.abs(low);
        const ticks = placesOn(scale, [low, high]).ticks(low, high);
        expect(ticks.length).toBeGreaterThan(0);
        expect(ticks.length).toBeLessThan(24);
        ticks.forEach((tick, i) => {
          expect(tick).toBeGreaterThanOrEqual(low);
          expect(tick).toBeLessThanOrEqual(high);
          if (i > 0) expect(tick).toBeGreaterThan(ticks[i - 1]!);
        });
      }),
      { numRuns: 60, seed: 2 },
    );
  });
});

it('has no place for what is not above 0 where 1/x or its logarithm is meant', () => {
  expect(scaleNames.filter((scale) => !hasPlace(scale, 0))).toEqual(['log', 'reciprocal']);
  expect(placesOn('log', [1]).to(-1)).toBe(-Infinity);
  expect(placesOn('reciprocal', [1]).to(0)).toBe(-Infinity);
});

it('divides 1/x evenly: temperatures of an Arrhenius plot', () => {
  const { to } = placesOn('reciprocal', []);
  expect(to(300) - to(200)).toBeCloseTo(1 / 200 - 1 / 300, 15);
});
