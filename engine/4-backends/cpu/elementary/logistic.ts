/** logistic x = 1/(1 + exp(-x)), for x < 0 as e/(1 + e), e = exp(-|x|) in two parts: nothing overflows or cancels. */
import { get, type Expression } from '../wasm/expression.ts';
import type { Algebra } from './algebra.ts';
import { fastTwoSum, quotient } from './double-double.ts';
import { exp, expInParts } from './exponential.ts';

export function logistic(A: Algebra, x: Expression): Expression {
  const size = A.keep(A.neg(A.abs(x)));
  const e = expInParts(A, size);
  const sum = fastTwoSum(A, A.real(1), e.high);
  const negative = A.keep(A.lt(x, A.real(0)));
  const above = {
    high: A.keep(A.select(negative, e.high, A.real(1))),
    low: A.keep(A.select(negative, e.low, A.real(0))),
  };
  const result = A.variable(quotient(A, above, { high: sum.high, low: A.keep(A.add(sum.low, e.low)) }));
  const limit = A.per(-708, -87);
  A.ifAny(A.not(A.le(limit, x)), () => {
    A.set(result, A.select(A.le(limit, x), get(result), exp(A, x)));
  });
  // Above the limit 1 + e is 1, whatever e has become.
  return A.select(A.lt(A.neg(limit), x), A.real(1), get(result));
}
