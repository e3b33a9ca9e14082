/**
 * exp x = 2ᵏ·eʳ, x = k·log 2 + r with |r| ≤ log 2/2; exp2 x = 2ᵏ·2ʳ, |r| ≤ 1/2; expm1.
 *
 * log 2 in two parts, of which the first times k is exact (Cody and Waite, Software Manual for the Elementary Functions,
 * 1980). k is found by adding 1.5·2⁵², which leaves it in the low bits, and becomes an exponent by a shift.
 * Polynomials from build/elementary-coefficients.py.
 */
import { get, type Expression } from '../wasm/expression.ts';
import { fractionBits, log2High, log2Low, oneBits, rounder } from './constants.ts';
import type { Algebra } from './algebra.ts';
import { fastTwoSum, twoSum, type Pair } from './double-double.ts';

/** (eʳ - 1 - r)/r² within 2⁻⁵⁵, in single precision 2⁻²⁶, of (eʳ - 1)/r². */
const double = [
  0.5000000000000006, 0.166666666666666, 0.04166666666657383, 0.008333333333383496, 0.001388888893229466,
  0.00019841269731655684, 2.4801504549722086e-5, 2.755739658799069e-6, 2.762628680209329e-7, 2.505715370578561e-8,
];
const single = [
  0.4999999701976776, 0.16666541993618011, 0.041667524725198746, 0.008366678841412067, 0.0013862431515008211,
];

/** (2ʳ - 1)/r */
const twoDouble = [
  0.6931471805599453, 0.24022650695910072, 0.055504108664822936, 0.009618129107628048, 0.001333355814616435,
  0.00015403530394056094, 1.5252734036958702e-5, 1.321548631296782e-6, 1.017798553771145e-7, 7.055064304073222e-9,
  4.4655591984198765e-10, 2.5516443294979067e-11,
];
const twoSingle = [
  0.6931471824645996, 0.24022650718688965, 0.05550406500697136, 0.009618077427148819, 0.0013336432166397572,
  0.00015456360415555537, 1.4700138308398891e-5,
];

export interface Scaling {
  /** A whole number. */
  readonly k: Expression;
  /** A number whose lowest bits are those of k. */
  readonly carrier: Expression;
}

/** The whole number nearest to x. */
export function nearestWhole(A: Algebra, x: Expression): Scaling {
  const carrier = A.keep(A.add(x, rounder(A)));
  return { carrier, k: A.keep(A.sub(carrier, rounder(A))) };
}

/** x·2ᵏ where x and the result are normal numbers. */
export function scaledWithin(A: Algebra, x: Expression, { carrier }: Scaling): Expression {
  return A.fromBits(A.addBits(A.bitsOf(x), A.shiftLeft(A.bitsOf(carrier), fractionBits(A))));
}

/** x·2ᵏ, rounded once, for 1/2 < |x| < 2 and |k| ≤ 1100 (single: 190). */
export function scaledBeyond(A: Algebra, x: Expression, { k }: Scaling): Expression {
  const half = nearestWhole(A, A.mul(k, A.real(0.5)));
  const rest = nearestWhole(A, A.sub(k, half.k));
  return A.mul(A.mul(x, powerOfTwo(A, half)), powerOfTwo(A, rest));
}

export function powerOfTwo(A: Algebra, { carrier }: Scaling): Expression {
  return A.fromBits(A.addBits(A.shiftLeft(A.bitsOf(carrier), fractionBits(A)), oneBits(A)));
}

/** x = k·log 2 + high - low */
export function reduceByLog2(
  A: Algebra,
  x: Expression,
): Scaling & { readonly high: Expression; readonly low: Expression } {
  const scaling = nearestWhole(A, A.mul(x, A.real(Math.LOG2E)));
  const high = A.keep(A.sub(x, A.mul(scaling.k, log2High(A))));
  return { ...scaling, high, low: A.keep(A.mul(scaling.k, log2Low(A))) };
}

/** (eʳ - 1 - r)/r² */
export function exponentialTail(A: Algebra, r: Expression, square: Expression): Expression {
  return A.polynomial(r, A.double ? double : single, square);
}

/** eʳ for |r| ≤ log 2/2 */
export function nearOne(A: Algebra, r: Expression): Expression {
  const square = A.keep(A.mul(r, r));
  return A.add(A.real(1), A.add(r, A.mul(square, exponentialTail(A, r, square))));
}

export function exp(A: Algebra, x: Expression): Expression {
  const { k, carrier, high, low } = reduceByLog2(A, x);
  const power = A.keep(nearOne(A, A.keep(A.sub(high, low))));
  const result = A.variable(scaledWithin(A, power, { k, carrier }));
  A.ifAny(A.not(A.le(A.abs(x), A.per(708, 87))), () => {
    const scaled = scaledBeyond(A, power, { k, carrier });
    const finite = A.select(A.lt(x, A.per(-745.14, -103.98)), A.real(0), scaled);
    A.set(result, A.select(A.lt(A.per(709.79, 88.73), x), A.real(Infinity), finite));
  });
  return get(result);
}

/** 2ʳ for |r| ≤ 1/2 */
export function twoToFraction(A: Algebra, r: Expression): Expression {
  return A.add(A.real(1), A.mul(r, A.polynomial(r, A.double ? twoDouble : twoSingle)));
}

export function exp2(A: Algebra, x: Expression): Expression {
  const { k, carrier } = nearestWhole(A, x);
  const power = A.keep(twoToFraction(A, A.keep(A.sub(x, k))));
  const result = A.variable(scaledWithin(A, power, { k, carrier }));
  A.ifAny(A.not(A.le(A.abs(x), A.per(1021, 125))), () => {
    const scaled = scaledBeyond(A, power, { k, carrier });
    const finite = A.select(A.lt(x, A.per(-1075.5, -150.5)), A.real(0), scaled);
    A.set(result, A.select(A.le(A.per(1024, 128), x), A.real(Infinity), finite));
  });
  return get(result);
}

export function expm1(A: Algebra, x: Expression): Expression {
  const bounded = A.keep(A.max(A.min(x, A.per(709, 88)), A.real(-40)));
  const result = A.variable(A.withSign(expm1Within(A, bounded), x));
  A.ifAny(A.not(A.lt(x, A.per(709, 88))), () => {
    const large = exp(A, x);
    A.set(result, A.select(A.lt(x, A.per(709, 88)), get(result), large));
  });
  return get(result);
}

/** 2ᵏeʳ in two parts for |x| ≤ 708 (single: 87), within 2⁻⁵⁶ of it. */
export function expInParts(A: Algebra, x: Expression): Pair {
  const { k, carrier, high, low } = reduceByLog2(A, x);
  const r = A.keep(A.sub(high, low));
  const lost = A.sub(A.sub(high, r), low);
  const square = A.keep(A.mul(r, r));
  const one = fastTwoSum(A, A.real(1), r);
  const tail = A.add(one.low, A.add(lost, A.mul(square, exponentialTail(A, r, square))));
  const sum = fastTwoSum(A, one.high, A.keep(tail));
  const scale = A.keep(powerOfTwo(A, { k, carrier }));
  return { high: A.keep(A.mul(sum.high, scale)), low: A.keep(A.mul(sum.low, scale)) };
}

/** The two parts of expm1Within. */
export function expm1InParts(A: Algebra, x: Expression): Pair {
  const { k, carrier, high, low } = reduceByLog2(A, x);
  const r = A.keep(A.sub(high, low));
  const lost = A.sub(A.sub(high, r), low);
  const square = A.keep(A.mul(r, r));
  const tail = A.keep(A.add(lost, A.mul(square, exponentialTail(A, r, square))));
  const scale = A.keep(powerOfTwo(A, { k, carrier }));
  const whole = twoSum(A, A.keep(A.sub(scale, A.real(1))), A.keep(A.mul(scale, r)));
  return fastTwoSum(A, whole.high, A.keep(A.add(whole.low, A.mul(scale, tail))));
}

/** (2ᵏ - 1) + 2ᵏ(eʳ - 1) for -40 ≤ x ≤ 709 (single: 88): for k = 0 nothing is added, and the low part of r counts. */
export function expm1Within(A: Algebra, x: Expression): Expression {
  const { k, carrier, high, low } = reduceByLog2(A, x);
  const r = A.keep(A.sub(high, low));
  const lost = A.sub(A.sub(high, r), low);
  const square = A.keep(A.mul(r, r));
  const minusOne = A.keep(A.add(r, A.add(lost, A.mul(square, exponentialTail(A, r, square)))));
  const scale = A.keep(powerOfTwo(A, { k, carrier }));
  return A.add(A.sub(scale, A.real(1)), A.mul(scale, minusOne));
}
