/** Numbers so large, or so small, that their squares are none: they are squared in units of a power of two. */

/** Binary orders of magnitude within which a square, and a sum of some, has all its digits. */
const PLAIN = 400;

/** square·unit². */
export interface Squared {
  readonly square: number;
  readonly unit: number;
}

/** A power of two near to the size; 1, unless that is `plain` binary orders away from it. */
export function farUnit(size: number, plain = PLAIN): number {
  const order = Math.max(-1022, Math.floor(Math.log2(size)));
  return size > 0 && Number.isFinite(order) && Math.abs(order) > plain ? 2 ** order : 1;
}

/** Of the largest of the values. */
export function unitOf(values: ArrayLike<number>, plain = PLAIN): number {
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i]!));
  return farUnit(largest, plain);
}
