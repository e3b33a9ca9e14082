/** Sums and products without error, as two numbers: Dekker, Numer. Math. 18 (1971); Knuth, The Art of Computer Programming 2. */
import type { Expression } from '../wasm/expression.ts';
import type { Algebra } from './algebra.ts';

export interface Pair {
  readonly high: Expression;
  readonly low: Expression;
}

/** a + b for |a| ≥ |b| or a = 0 */
export function fastTwoSum(A: Algebra, a: Expression, b: Expression): Pair {
  const high = A.keep(A.add(a, b));
  return { high, low: A.keep(A.sub(b, A.sub(high, a))) };
}

/** a + b */
export function twoSum(A: Algebra, a: Expression, b: Expression): Pair {
  const high = A.keep(A.add(a, b));
  const bRounded = A.keep(A.sub(high, a));
  return { high, low: A.keep(A.add(A.sub(a, A.sub(high, bRounded)), A.sub(b, bRounded))) };
}

/** a in two halves, each of half the bits: the products of halves are exact. */
export function halves(A: Algebra, a: Expression): Pair {
  const scaled = A.keep(A.mul(a, A.per(2 ** 27 + 1, 2 ** 12 + 1)));
  const high = A.keep(A.sub(scaled, A.sub(scaled, a)));
  return { high, low: A.keep(A.sub(a, high)) };
}

/** a·b */
export function twoProduct(A: Algebra, a: Expression, b: Expression): Pair {
  const [x, y] = [halves(A, a), halves(A, b)];
  const high = A.keep(A.mul(a, b));
  const cross = A.add(A.add(A.sub(A.mul(x.high, y.high), high), A.mul(x.high, y.low)), A.mul(x.low, y.high));
  return { high, low: A.keep(A.add(cross, A.mul(x.low, y.low))) };
}

/** a with the lower half of its bits (of 53 at most 26 stay, of 24 at most 12) cut off. */
export function upperHalf(A: Algebra, a: Expression): Expression {
  return A.fromBits(A.andBits(A.bitsOf(a), A.bits(A.double ? 0xfffffffff8000000n : 0xfffff000n)));
}

/** a/b rounded, within 1 ulp */
export function quotient(A: Algebra, a: Pair, b: Pair): Expression {
  const first = A.keep(A.div(a.high, b.high));
  return A.add(first, A.div(A.sub(a.low, A.mul(first, b.low)), b.high));
}
