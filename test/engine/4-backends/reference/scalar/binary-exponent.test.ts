/** mantissa, exponent and scale against exact arithmetic on the integers that doubles are made of. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exponent, mantissa, scale } from '../../../../../engine/4-backends/reference/scalar/binary-exponent.ts';

const anyFinite = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: -4e-308, max: 4e-308, noNaN: true }),
  fc.constantFrom(5e-324, -5e-324, 2 ** -1022, 1.7976931348623157e308, 1, -1, 0.5, 2 ** 54),
);

/** x = units·2^power, exactly. */
function integerParts(x: number): { units: bigint; power: number } {
  let [value, power] = [x, 0];
  while (!Number.isInteger(value)) [value, power] = [value * 2, power - 1];
  return { units: BigInt(value), power };
}

/** x·2ᵏ with one rounding, half to even. */
function exactly(x: number, k: number): number {
  const { units, power } = integerParts(x);
  const lost = -1074 - (power + k);
  if (lost <= 0) {
    const halves = Math.trunc((power + k) / 3);
    return Number(units) * 2 ** halves * 2 ** halves * 2 ** (power + k - 2 * halves);
  }
  const magnitude = units < 0n ? -units : units;
  const kept = magnitude >> BigInt(lost);
  const twiceRest = 2n * (magnitude - (kept << BigInt(lost)));
  const unit = 1n << BigInt(lost);
  const up = twiceRest > unit || (twiceRest === unit && kept % 2n === 1n);
  return Math.sign(x) * Number(kept + (up ? 1n : 0n)) * 5e-324;
}

test('every number is its mantissa times two to its exponent', () => {
  fc.assert(
    fc.property(anyFinite, (x) => {
      const [m, e] = [mantissa(x), exponent(x)];
      expect(scale(m, e)).toBe(x);
      expect(Number.isInteger(e)).toBe(true);
      expect(x === 0 ? e === 0 : Math.abs(m) >= 0.5 && Math.abs(m) < 1).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('scale rounds once', () => {
  fc.assert(
    fc.property(anyFinite, fc.integer({ min: -2200, max: 2200 }), (x, k) => {
      const wanted = exactly(x, k);
      expect(scale(x, k)).toBe(wanted === 0 ? x * 0 : wanted);
    }),
    { numRuns: 500 },
  );
});

test.each([
  [0, 0, 0],
  [-0, -0, 0],
  [Infinity, Infinity, 0],
  [-Infinity, -Infinity, 0],
  [NaN, NaN, 0],
  [5e-324, 0.5, -1073],
  [8, 0.5, 4],
])('%d has the mantissa %d and the exponent %d', (x, m, e) => {
  expect(mantissa(x)).toBe(m);
  expect(exponent(x)).toBe(e);
});

test.each([
  [Infinity, -3000, Infinity],
  [-0, 5, -0],
  [1, NaN, 1],
  [3, 1.9, 6],
  [1, Infinity, Infinity],
  [1, -Infinity, 0],
])('scale(%d, %d) is %d', (x, k, wanted) => expect(scale(x, k)).toBe(wanted));
