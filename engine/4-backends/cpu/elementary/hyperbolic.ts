/**
 * cosh x = E/2 + 1/(2E) with E = exp |x|, of which E/2 is formed first, since E may overflow; sinh x = E/2 - 1/(2E), for
 * |x| ≤ 1 an odd polynomial (build/elementary-coefficients.py); tanh x = t/(t + 2), t = expm1(2|x|).
 */
import type { Expression } from '../wasm/expression.ts';
import type { Algebra } from './algebra.ts';
import { quotient, twoSum } from './double-double.ts';
import { expm1InParts, nearOne, reduceByLog2, scaledWithin } from './exponential.ts';

/** (sinh t - t)/t³ in t² */
const sinhDouble = [
  0.16666666666666666, 0.008333333333333519, 0.0001984126984113355, 2.7557319273633615e-6, 2.5052098436572166e-8,
  1.6060161067945112e-10, 7.581135625977607e-13, 4.420998513320708e-15,
];
const sinhSingle = [0.1666666716337204, 0.008333316072821617, 0.00019841419998556376, 2.7915382361243246e-6];

/** exp(x)/2 for 0 ≤ x, where that is finite */
function halfExp(A: Algebra, x: Expression): Expression {
  const { k, carrier, high, low } = reduceByLog2(A, x);
  const power = nearOne(A, A.keep(A.sub(high, low)));
  return A.keep(scaledWithin(A, power, { k, carrier: A.sub(carrier, A.real(1)) }));
}

/** The value, but ∞ where half of exp |x| overflows, and NaN for NaN. */
function finite(A: Algebra, size: Expression, value: Expression): Expression {
  return A.select(A.le(size, A.per(710.4758600739439, 89.4159851)), value, A.mul(size, A.real(Infinity)));
}

export function cosh(A: Algebra, x: Expression): Expression {
  const size = A.keep(A.abs(x));
  const half = halfExp(A, size);
  return finite(A, size, A.add(half, A.div(A.real(0.25), half)));
}

export function sinh(A: Algebra, x: Expression): Expression {
  const size = A.keep(A.abs(x));
  const half = halfExp(A, size);
  const large = finite(A, size, A.sub(half, A.div(A.real(0.25), half)));
  const z = A.keep(A.mul(size, size));
  const small = A.add(size, A.mul(A.mul(size, z), A.polynomial(z, A.double ? sinhDouble : sinhSingle)));
  return A.withSign(A.select(A.le(size, A.real(1)), small, large), x);
}

export function tanh(A: Algebra, x: Expression): Expression {
  const size = A.abs(x);
  // The second is given where either is NaN.
  const t = expm1InParts(A, A.keep(A.min(A.real(44), A.keep(A.add(size, size)))));
  const sum = twoSum(A, t.high, A.real(2));
  return A.withSign(quotient(A, t, { high: sum.high, low: A.keep(A.add(sum.low, t.low)) }), x);
}
