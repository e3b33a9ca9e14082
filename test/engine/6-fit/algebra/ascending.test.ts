import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ascending } from '../../../../engine/6-fit/algebra/ascending.ts';

/** The order by comparison, of equal numbers the first first and NaN last. */
function compared(values: readonly number[]): number[] {
  const key = (x: number): readonly [number, number] => (Number.isNaN(x) ? [1, 0] : [0, x]);
  return values
    .map((x, i) => [...key(x), i] as const)
    .sort((a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : a[2] - b[2]))
    .map(([, , i]) => i);
}

const number = fc.oneof(
  fc.double(),
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(0, -0, NaN, Infinity, -Infinity, 5e-324, -5e-324, 1.7976931348623157e308),
);

describe('ascending', () => {
  // Below and above the length from which digits are moved and nothing is compared.
  it.each([0, 1, 7, 2500])('orders %i numbers as a comparison does', (length) => {
    fc.assert(
      fc.property(fc.array(number, { minLength: length, maxLength: length }), (values) => {
        expect([...ascending(Float64Array.from(values))]).toEqual(compared(values));
      }),
      { seed: 1, numRuns: length > 100 ? 5 : 50 },
    );
  });

  it('orders some places alone, and takes other arrays than of numbers of 64 bits', () => {
    const values = Array.from({ length: 6000 }, (_, i) => Math.sin(i * i));
    const places = Uint32Array.from({ length: 3000 }, (_, i) => 2 * i);
    const wanted = [...places].sort((a, b) => values[a]! - values[b]!);
    expect([...ascending(values, places)]).toEqual(wanted);
    const single = Float32Array.from(values);
    const found = ascending(single, places);
    expect(found.every((place, i) => i === 0 || single[found[i - 1]!]! <= single[place]!)).toBe(true);
  });
});
