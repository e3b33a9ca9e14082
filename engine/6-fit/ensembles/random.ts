/** Random numbers from a seed. Every study draws from here alone, so that a seed gives its result again. */
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';

export interface Random {
  /** In [0, 1). */
  uniform(): number;
  /** 0 … below − 1. */
  integer(below: number): number;
  /** Standard normal. */
  normal(): number;
}

/** Of the 32 bits of a seed: neighbouring seeds have nothing to do with one another. */
export function randomFrom(seed: number): Random {
  const generator = xoroshiro128plusFromState(stateOf(seed));
  const uniform = (): number => uniformFloat64(generator);
  return {
    uniform,
    integer: (below) => uniformInt(generator, 0, below - 1),
    // Box–Muller: 1 − u keeps the logarithm from 0.
    normal: () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
  };
}

const GOLDEN = 0x9e3779b97f4a7c15n;
const [FIRST, SECOND] = [0xbf58476d1ce4e5b9n, 0x94d049bb133111ebn];
const of64 = (x: bigint): bigint => BigInt.asUintN(64, x);

/** Two numbers of splitmix64 (Steele, Lea & Flood 2014, DOI 10.1145/2660193.2660195), which is how xoroshiro wants to be begun. */
function stateOf(seed: number): number[] {
  return [1n, 2n].flatMap((k) => {
    let x = of64(BigInt(seed | 0) + k * GOLDEN);
    x = of64((x ^ (x >> 30n)) * FIRST);
    x = of64((x ^ (x >> 27n)) * SECOND);
    x ^= x >> 31n;
    return [Number(BigInt.asIntN(32, x >> 32n)), Number(BigInt.asIntN(32, x))];
  });
}

/** A seed for part `index` of a study, far from the others'. */
export function partSeed(seed: number, index: number): number {
  let x = (Math.imul(seed ^ 0x5bd1e995, 0x85ebca6b) + Math.imul(index + 1, 0x9e3779b9)) | 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) | 0;
}

/** The `share` quantile of sorted values, linear between them (type 7 of Hyndman & Fan 1996, R's own). */
export function sortedQuantile(sorted: ArrayLike<number>, share: number): number {
  if (sorted.length === 0) return NaN;
  const at = share * (sorted.length - 1);
  const below = Math.floor(at);
  const [low, high] = [sorted[below]!, sorted[Math.min(below + 1, sorted.length - 1)]!];
  const apart = high - low;
  // Beside an infinite one there is nothing between: the end is where the draws of its share are on the inside.
  if (apart === Infinity) return share < 0.5 || at === below ? low : high;
  return at === below || low === high ? low : low + (at - below) * apart;
}
