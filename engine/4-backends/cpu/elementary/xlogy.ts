/** x·log y, and 0 where x = 0 and y is not NaN. */
import type { Expression } from '../wasm/expression.ts';
import type { Algebra } from './algebra.ts';
import { log } from './logarithm.ts';

export function xlogy(A: Algebra, x: Expression, y: Expression): Expression {
  const product = A.mul(x, log(A, y));
  return A.select(A.both(A.eq(x, A.real(0)), A.eq(y, y)), A.real(0), product);
}
