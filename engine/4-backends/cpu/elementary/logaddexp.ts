/** log(exp a + exp b) = max + log(1 + exp(min - max)); twice the same: a + log 2; ∞ if either is. */
import type { Expression } from '../wasm/expression.ts';
import type { Algebra } from './algebra.ts';
import { exp } from './exponential.ts';
import { log1p } from './logarithm.ts';

export function logaddexp(A: Algebra, a: Expression, b: Expression): Expression {
  const smaller = A.keep(A.lt(a, b));
  const high = A.keep(A.select(smaller, b, a));
  const low = A.keep(A.select(smaller, a, b));
  const same = A.keep(A.eq(a, b));
  // ∞ - ∞ is NaN, which may not reach the sum.
  const distance = A.keep(A.select(same, A.real(0), A.sub(low, high)));
  const more = log1p(A, A.keep(exp(A, distance)));
  return A.add(high, A.select(same, A.real(Math.LN2), more));
}
