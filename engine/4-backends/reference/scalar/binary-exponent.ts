/** x = m·2ᵉ with ½ ≤ |m| < 1, exactly; a zero, an infinity and a NaN are their own mantissas, and their exponent is 0. */
import { toInt } from './convert.ts';

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);
const high = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0;
const smallestNormal = 2 ** -1022;

export function mantissa(x: number): number {
  const normal = upscaled(x);
  if (!(Math.abs(normal) > 0) || normal - normal !== 0) return x;
  double[0] = normal;
  words[high] = (words[high]! & 0x800fffff) | (1022 << 20);
  return double[0];
}

export function exponent(x: number): number {
  const normal = upscaled(x);
  if (!(Math.abs(normal) > 0) || normal - normal !== 0) return 0;
  double[0] = normal;
  const biased = (words[high]! >>> 20) & 0x7ff;
  return biased - 1022 - (normal === x ? 0 : 54);
}

/** A subnormal number times 2⁵⁴. */
function upscaled(x: number): number {
  return Math.abs(x) < smallestNormal ? x * 2 ** 54 : x;
}

/**
 * x·2ᵏ, k made an int. No more than one of the products is rounded: a step downwards stops 53 places above the smallest
 * normal number, so that what it makes subnormal the next one makes 0.
 */
export function scale(x: number, k: number): number {
  const n = Math.max(-2200, Math.min(2200, toInt(k)));
  const first = step(n);
  const second = step(n - first);
  return x * powerOfTwo(first) * powerOfTwo(second) * powerOfTwo(Math.max(-1022, n - first - second));
}

function step(n: number): number {
  if (n < -1022) return -969;
  return Math.min(n, 1023);
}

/** -1022 ≤ n ≤ 1023 */
function powerOfTwo(n: number): number {
  words[1 - high] = 0;
  words[high] = (n + 1023) << 20;
  return double[0]!;
}
