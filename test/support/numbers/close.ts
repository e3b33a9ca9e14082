/** Arrays of f32 held against arrays of f64. */
import { expect } from 'vitest';

/** Within a relative error, or an absolute one where |wanted| < 1; NaN, infinities and lengths exactly. */
export function expectClose(got: ArrayLike<number>, wanted: ArrayLike<number>, tolerance: number, what: string): void {
  expect(got.length, `the length of ${what}`).toBe(wanted.length);
  const misses: string[] = [];
  for (let i = 0; i < wanted.length; i++) {
    const [a, b] = [got[i]!, wanted[i]!];
    if (Object.is(a, b) || Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(b))) continue;
    misses.push(`[${i}] is ${a}, not ${b}`);
  }
  expect(misses.slice(0, 10), what).toEqual([]);
}
