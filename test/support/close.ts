/** Arrays of f32 held against arrays of f64. */
import { expect } from 'vitest';

/** Matches numbers within a relative error, or an absolute one below 1; NaN, infinities and lengths exactly. */
export function close(wanted: ArrayLike<number>, tolerance = 2e-6): number[] {
  return Array.from(wanted, (value) => near(value, tolerance));
}

function near(value: number, tolerance: number): number {
  if (!Number.isFinite(value) || value === 0) return value === 0 ? (expect.closeTo(0, 6) as number) : value;
  const digits = -Math.log10(2 * tolerance * Math.max(1, Math.abs(value)));
  return expect.closeTo(value, digits) as number;
}
