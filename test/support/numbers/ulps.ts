/** Errors in units of the last place. */
import { expect } from 'vitest';

/** The distance from a number to the next one of its precision; the least is that of the subnormal numbers. */
export function ulpOf(value: number, precision: 'f64' | 'f32'): number {
  const [bits, smallest] = precision === 'f64' ? [52, -1074] : [23, -149];
  const size = Math.abs(value);
  let exponent = Math.floor(Math.log2(size));
  if (2 ** exponent > size) exponent--;
  return 2 ** Math.max(exponent - bits, smallest);
}

/** Zero for equal bits; infinite where one is NaN, infinite or a zero of another sign, and the other is not. */
export function ulps(got: number, wanted: number, precision: 'f64' | 'f32'): number {
  if (Object.is(got, wanted)) return 0;
  if (!Number.isFinite(wanted) || !Number.isFinite(got) || got === wanted) return Infinity;
  return Math.abs(got - wanted) / ulpOf(wanted, precision);
}

export function expectUlps(
  got: readonly number[],
  wanted: readonly number[],
  allowed: number,
  precision: 'f64' | 'f32',
  what: string,
): void {
  expect(got.length, `the length of ${what}`).toBe(wanted.length);
  const misses = got.flatMap((value, i) => {
    const error = ulps(value, wanted[i]!, precision);
    return error <= allowed ? [] : [`[${i}] is ${value}, not ${wanted[i]}: ${error} ulp`];
  });
  expect(misses.slice(0, 10), what).toEqual([]);
}
