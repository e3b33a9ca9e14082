/**
 * Sobol' points in [0, 1)ᵈ: x_i = ⊕ over the bits b of i of v_b, the direction numbers of Joe & Kuo (2008,
 * DOI 10.1137/070709359; file new-joe-kuo-6), Owen-scrambled by hashing (Burley 2020, JCGT 9(4), after Laine & Karras
 * 2011, DOI 10.1111/j.1467-8659.2011.02014.x): each point is uniform, and any first 2^k keep their stratification.
 *
 * 32 dimensions have numbers of their own; more are further blocks of 32, each in an order of its points that is
 * scrambled likewise (Burley's padding), so that blocks are independent of each other.
 */
import { partSeed } from './random.ts';

/** Degree of the primitive polynomial, its inner coefficients, and the first m_i, for dimensions 2 to 32. */
const joeKuo: readonly (readonly [degree: number, coefficients: number, m: readonly number[]])[] = [
  [1, 0, [1]],
  [2, 1, [1, 3]],
  [3, 1, [1, 3, 1]],
  [3, 2, [1, 1, 1]],
  [4, 1, [1, 1, 3, 3]],
  [4, 4, [1, 3, 5, 13]],
  [5, 2, [1, 1, 5, 5, 17]],
  [5, 4, [1, 1, 5, 5, 5]],
  [5, 7, [1, 1, 7, 11, 19]],
  [5, 11, [1, 1, 5, 1, 1]],
  [5, 13, [1, 1, 1, 3, 11]],
  [5, 14, [1, 3, 5, 5, 31]],
  [6, 1, [1, 3, 3, 9, 7, 49]],
  [6, 13, [1, 1, 1, 15, 21, 21]],
  [6, 16, [1, 3, 1, 13, 27, 49]],
  [6, 19, [1, 1, 1, 15, 7, 5]],
  [6, 22, [1, 3, 1, 15, 13, 25]],
  [6, 25, [1, 1, 5, 5, 19, 61]],
  [7, 1, [1, 3, 7, 11, 23, 15, 103]],
  [7, 4, [1, 3, 7, 13, 13, 15, 69]],
  [7, 7, [1, 1, 3, 13, 7, 35, 63]],
  [7, 8, [1, 3, 5, 9, 1, 25, 53]],
  [7, 14, [1, 3, 1, 13, 9, 35, 107]],
  [7, 19, [1, 3, 1, 5, 27, 61, 31]],
  [7, 21, [1, 1, 5, 11, 19, 41, 61]],
  [7, 28, [1, 3, 5, 3, 3, 13, 69]],
  [7, 31, [1, 1, 7, 13, 1, 19, 1]],
  [7, 32, [1, 3, 7, 5, 13, 19, 59]],
  [7, 37, [1, 1, 3, 9, 25, 29, 41]],
  [7, 41, [1, 3, 5, 13, 23, 1, 55]],
  [7, 42, [1, 3, 7, 3, 13, 59, 17]],
];

const BITS = 32;
export const ownDimensions = joeKuo.length + 1;

/** v_1 … v_32 of a dimension, counted from 0, as 32-bit fractions. */
export function directionNumbers(dimension: number): Int32Array {
  const v = new Int32Array(BITS);
  const entry = joeKuo[dimension - 1];
  if (!entry) return v.map((_, bit) => 1 << (BITS - 1 - bit));
  const [degree, coefficients, m] = entry;
  for (let bit = 0; bit < BITS; bit++) {
    if (bit < degree) {
      v[bit] = m[bit]! << (BITS - 1 - bit);
      continue;
    }
    const first = v[bit - degree]!;
    let value = first ^ (first >>> degree);
    for (let k = 1; k < degree; k++) if ((coefficients >> (degree - 1 - k)) & 1) value ^= v[bit - k]!;
    v[bit] = value;
  }
  return v;
}

function reversedBits(x: number): number {
  x = ((x >>> 1) & 0x55555555) | ((x & 0x55555555) << 1);
  x = ((x >>> 2) & 0x33333333) | ((x & 0x33333333) << 2);
  x = ((x >>> 4) & 0x0f0f0f0f) | ((x & 0x0f0f0f0f) << 4);
  x = ((x >>> 8) & 0x00ff00ff) | ((x & 0x00ff00ff) << 8);
  return (x >>> 16) | (x << 16);
}

/** A nested uniform scramble: each bit is flipped or not as a hash of the bits above it says. */
function scrambled(x: number, seed: number): number {
  let y = (reversedBits(x) + seed) | 0;
  for (const factor of [0x6c50b47c, 0xb82f1e52, 0xc7afe638, 0x8d22f6e6]) y ^= Math.imul(y, factor);
  return reversedBits(y);
}

export interface SobolSequence {
  readonly dimensions: number;
  /** Point `index` (below 2³²), in the open interval (0, 1) on every axis. */
  point(index: number, into: Float64Array, at?: number): void;
}

export function sobolSequence(dimensions: number, seed: number): SobolSequence {
  const numbers = Array.from({ length: Math.min(dimensions, ownDimensions) }, (_, d) => directionNumbers(d));
  const seeds = Array.from({ length: dimensions }, (_, d) => partSeed(seed, d));
  const orders = Array.from({ length: Math.ceil(dimensions / ownDimensions) }, (_, block) =>
    partSeed(seed, -1 - block),
  );
  return {
    dimensions,
    point(index, into, at = 0) {
      for (let d = 0; d < dimensions; d++) {
        const block = Math.floor(d / ownDimensions);
        const v = numbers[d % ownDimensions]!;
        let rest = block === 0 ? index : scrambled(index, orders[block]!) >>> 0;
        let x = 0;
        for (let bit = 0; rest !== 0; bit++, rest >>>= 1) if (rest & 1) x ^= v[bit]!;
        into[at + d] = ((scrambled(x, seeds[d]!) >>> 0) + 0.5) / 2 ** BITS;
      }
    },
  };
}
