import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ScalarOperation } from '../../../../../engine/0-ir/scalar-operations.ts';
import { intMeaning, meaningOf, scalarMeaning } from '../../../../../engine/4-backends/reference/scalar/meaning.ts';
import { knownValues } from './known-values.ts';

const { min, max, clamp, mod, pow, sign, round, isnan, int } = scalarMeaning;
const { erf, erfc, lgamma, digamma, polygamma, xlogy, logistic, logaddexp } = scalarMeaning;

/** |got - wanted| in units of the last place of `wanted`. */
function ulps(got: number, wanted: number): number {
  if (Object.is(got, wanted)) return 0;
  const unit = Math.max(2 ** (Math.floor(Math.log2(Math.abs(wanted))) - 52), Number.MIN_VALUE);
  return Math.abs(got - wanted) / unit;
}

describe('known values', () => {
  for (const [operation, { ulps: allowed, at }] of Object.entries(knownValues))
    test.each(at)(`${operation} at %d, %d`, (...row) => {
      const got = meaningOf(operation as ScalarOperation, 'real')(...row.slice(0, -1));
      expect(ulps(got, row.at(-1)!)).toBeLessThanOrEqual(allowed);
    });
});

describe('special functions', () => {
  const finite = (low: number, high: number) => fc.double({ min: low, max: high, noNaN: true });
  /** Relative to the larger of the terms that were added. */
  const close = (got: number, wanted: number, ...terms: number[]) =>
    expect(Math.abs(got - wanted)).toBeLessThanOrEqual(8e-15 * Math.max(Math.abs(wanted), ...terms.map(Math.abs)));

  test('published constants: Euler’s γ, ζ(3), Catalan’s constant, Γ(1/2) = √π', () => {
    const gamma = 0.57721566490153286061;
    const zeta3 = 1.2020569031595942854;
    const catalan = 0.91596559417721901505;
    close(digamma(1), -gamma);
    close(digamma(0.5), -gamma - 2 * Math.LN2);
    close(digamma(2), 1 - gamma);
    close(lgamma(0.5), Math.log(Math.PI) / 2);
    close(polygamma(1, 1), Math.PI ** 2 / 6);
    close(polygamma(1, 0.5), Math.PI ** 2 / 2);
    close(polygamma(1, 0.25), Math.PI ** 2 + 8 * catalan);
    close(polygamma(2, 1), -2 * zeta3);
    close(polygamma(3, 1), Math.PI ** 4 / 15);
  });

  test('erf(-x) = -erf(x), erf + erfc = 1', () => {
    fc.assert(
      fc.property(finite(-6, 6), (x) => {
        expect(erf(-x)).toBe(-erf(x));
        close(erf(x) + erfc(x), 1);
      }),
    );
  });

  test('lgamma is the logarithm of the exact factorial', () => {
    let factorial = 1n;
    for (let n = 1; n <= 170; n++) {
      expect(ulps(lgamma(n), Math.log(Number(factorial)))).toBeLessThanOrEqual(4);
      factorial *= BigInt(n);
    }
  });

  test('the recurrences in x: lgamma, digamma and polygamma of x + 1', () => {
    fc.assert(
      fc.property(fc.integer({ min: -20 * 64, max: 30 * 64 }), fc.integer({ min: 1, max: 8 }), (numerator, m) => {
        fc.pre(numerator % 64 !== 0);
        // x + 1 is exact, so that no slope magnifies its rounding.
        const x = numerator / 64;
        const part = x - Math.floor(x);
        close(lgamma(x + 1), lgamma(x) + Math.log(Math.abs(x)), lgamma(Math.abs(x)), 10);
        close(digamma(x + 1), digamma(x) + 1 / x, 1 / part, 1 / (1 - part), 10);
        let factorial = 1;
        for (let k = 2; k <= m; k++) factorial *= k;
        const step = ((-1) ** m * factorial) / x ** (m + 1);
        close(polygamma(m, x + 1), polygamma(m, x) + step, step, polygamma(m, part), polygamma(m, 1 - part));
      }),
    );
  });

  test('duplication: digamma(2x) from digamma(x) and digamma(x + 1/2)', () => {
    fc.assert(
      fc.property(finite(0.01, 50), (x) => {
        close(digamma(2 * x), (digamma(x) + digamma(x + 0.5)) / 2 + Math.LN2, digamma(x), 1);
      }),
    );
  });

  test('logistic(x) + logistic(-x) = 1, logaddexp commutes', () => {
    fc.assert(
      fc.property(finite(-800, 800), finite(-800, 800), (x, y) => {
        close(logistic(x) + logistic(-x), 1);
        expect(logaddexp(x, y)).toBe(logaddexp(y, x));
        expect(logaddexp(x, y)).toBeGreaterThanOrEqual(Math.max(x, y));
      }),
    );
  });

  test.each([
    ['erf', erf, [0, -0, Infinity, -Infinity, NaN], [0, -0, 1, -1, NaN]],
    ['erfc', erfc, [0, -0, Infinity, -Infinity, NaN, 30], [1, 1, 0, 2, NaN, 0]],
    [
      'lgamma',
      lgamma,
      [1, 2, 0, -0, -1, -7, Infinity, -Infinity, NaN],
      [0, 0, Infinity, Infinity, Infinity, Infinity, Infinity, Infinity, NaN],
    ],
    [
      'digamma',
      digamma,
      [0, -0, -1, -8, Infinity, -Infinity, NaN],
      [-Infinity, Infinity, NaN, NaN, Infinity, NaN, NaN],
    ],
    ['logistic', logistic, [0, Infinity, -Infinity, NaN], [0.5, 1, 0, NaN]],
  ] as const)('%s at its edges', (_, f, at, wanted) => {
    expect(at.map(f)).toEqual(wanted);
  });

  test.each([
    [polygamma(1, 0), Infinity],
    [polygamma(1, -3), Infinity],
    [polygamma(2, 0), -Infinity],
    [polygamma(2, -0), Infinity],
    [polygamma(2, -3), NaN],
    [polygamma(1, Infinity), 0],
    [polygamma(3, -Infinity), NaN],
    [polygamma(1.5, 1), NaN],
    [polygamma(-1, 1), NaN],
    [polygamma(NaN, 1), NaN],
    [polygamma(1, NaN), NaN],
    [polygamma(0, 2), digamma(2)],
    [xlogy(0, 0), 0],
    [xlogy(0, Infinity), 0],
    [xlogy(-0, -1), 0],
    [xlogy(0, NaN), NaN],
    [xlogy(1, 0), -Infinity],
    [xlogy(1, -1), NaN],
    [logaddexp(-Infinity, -Infinity), -Infinity],
    [logaddexp(-Infinity, 3), 3],
    [logaddexp(Infinity, Infinity), Infinity],
    [logaddexp(Infinity, -Infinity), Infinity],
    [logaddexp(NaN, 0), NaN],
    [logaddexp(0, NaN), NaN],
  ])('an edge of polygamma, xlogy, logaddexp: %d is %d', (got, wanted) => {
    expect(Math.abs(got) === 0 ? 0 : got).toBe(wanted);
  });
});

describe('ties, zeros and NaN', () => {
  test.each([
    [min(0, -0), 0],
    [min(-0, 0), -0],
    [max(0, -0), 0],
    [max(-0, 0), -0],
    [min(NaN, 1), NaN],
    [min(1, NaN), NaN],
    [max(NaN, Infinity), NaN],
    [max(-Infinity, NaN), NaN],
    [min(-Infinity, 3), -Infinity],
    [clamp(5, 0, 1), 1],
    [clamp(-5, 0, 1), 0],
    [clamp(0.5, 0, 1), 0.5],
    [clamp(0.5, 2, 1), 1],
    [clamp(NaN, 0, 1), NaN],
    [clamp(-0, 0, 1), -0],
    [sign(-0), -0],
    [sign(-3), -1],
    [sign(NaN), NaN],
    [mod(5.5, 2), 1.5],
    [mod(-5.5, 2), 0.5],
    [mod(5.5, -2), -0.5],
    [mod(1, 0), NaN],
    [pow(0, 0), 1],
    [pow(NaN, 0), 1],
    [pow(-8, 1 / 3), NaN],
    [pow(0, -1), Infinity],
    [pow(-0, -1), -Infinity],
    [isnan(NaN), 1],
    [isnan(Infinity), 0],
  ])('%d is %d', (got, wanted) => {
    expect(got).toBe(wanted);
  });

  test('round takes a half to the even integer and keeps the sign of zero', () => {
    const at = [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999999999999994, 4503599627370495.5, 2 ** 53, -0.2, Infinity, NaN];
    const wanted = [0, 2, 2, -0, -2, -2, 0, 4503599627370496, 2 ** 53, -0, Infinity, NaN];
    expect(at.map(round)).toEqual(wanted);
  });

  test('comparisons with NaN are false, but for ne; -0 equals 0', () => {
    const { lt, le, eq, ne } = scalarMeaning;
    expect([lt(NaN, 1), le(NaN, NaN), eq(NaN, NaN), ne(NaN, NaN), eq(0, -0), lt(-0, 0), le(0, -0)]).toEqual([
      0, 0, 0, 1, 1, 0, 1,
    ]);
  });

  test('int goes toward zero and saturates', () => {
    const at = [2.9, -2.9, -0.5, 3e9, -3e9, Infinity, -Infinity, NaN, 2147483647.5];
    expect(at.map(int)).toEqual([2, -2, 0, 2147483647, -2147483648, 2147483647, -2147483648, 0, 2147483647]);
  });
});

describe('int arithmetic wraps at 32 bits', () => {
  const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
  const wrap = (exact: bigint) => Number(BigInt.asIntN(32, exact));

  test('as exact integers taken modulo 2³²', () => {
    fc.assert(
      fc.property(int32, int32, (x, y) => {
        expect(intMeaning.add(x, y)).toBe(wrap(BigInt(x) + BigInt(y)));
        expect(intMeaning.sub(x, y)).toBe(wrap(BigInt(x) - BigInt(y)));
        expect(intMeaning.mul(x, y)).toBe(wrap(BigInt(x) * BigInt(y)));
        expect(intMeaning.neg(x)).toBe(wrap(-BigInt(x)));
        expect(intMeaning.abs(x)).toBe(wrap(x < 0 ? -BigInt(x) : BigInt(x)));
      }),
    );
  });

  test('mod has the sign of its divisor and is congruent; 0 for a divisor of 0', () => {
    fc.assert(
      fc.property(int32, int32, (x, y) => {
        const r = intMeaning.mod(x, y);
        const fits = y === 0 ? r === 0 : y > 0 ? r >= 0 && r < y : r <= 0 && r > y;
        expect(fits).toBe(true);
        if (y !== 0) expect((BigInt(x) - BigInt(r)) % BigInt(y)).toBe(0n);
      }),
    );
    expect(intMeaning.mod(-(2 ** 31), -1)).toBe(0);
  });

  test('the smallest int stays itself under neg and abs, and never a minus zero', () => {
    expect([intMeaning.neg(-(2 ** 31)), intMeaning.abs(-(2 ** 31)), intMeaning.neg(0)]).toEqual([
      -(2 ** 31),
      -(2 ** 31),
      0,
    ]);
  });
});
