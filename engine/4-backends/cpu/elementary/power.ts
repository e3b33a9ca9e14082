/**
 * pow(x, y) = 2^(y·log₂|x|), the logarithm in two parts: with s = (m - 1)/(m + 1) in two parts,
 * log₂ m = 2/(3·log 2)·s·(3 + s² + s⁴P(s²)), as fdlibm's e_pow.c (Sun Microsystems, 1993). Each product whose rounding would
 * count is split into halves; y·log₂|x| keeps some 66 bits. In single precision all of it in double, without second parts.
 */
import { get, type Expression } from '../wasm/expression.ts';
import type { Algebra } from './algebra.ts';
import { upperHalf, type Pair } from './double-double.ts';
import { nearestWhole, scaledBeyond, scaledWithin, twoToFraction } from './exponential.ts';
import { splitBinary } from './logarithm.ts';

/** (3·artanh(s)/s - 3 - s²)/s⁴ in z = s² */
const coefficients = [
  0.5999999999999996, 0.42857142857168573, 0.3333333332612179, 0.2727272832463695, 0.23076834166821145,
  0.20004514956916084, 0.1751152095017801, 0.1798885268862954,
];

/** 2/(3·log 2) */
const factor = { whole: 0.9617966939259756, high: 0.9617962837219238, low: 4.102040517767816e-7 };

/** log₂ of 2ᵏm */
function log2InParts(A: Algebra, k: Expression, m: Expression): Pair {
  const one = A.real(1);
  const above = A.keep(A.sub(m, one));
  const below = A.keep(A.add(m, one));
  const reciprocal = A.keep(A.div(one, below));
  const s = A.keep(A.mul(above, reciprocal));
  const sHigh = A.keep(upperHalf(A, s));
  const belowHigh = A.keep(upperHalf(A, below));
  const belowLow = A.keep(A.sub(m, A.sub(belowHigh, one)));
  const missing = A.sub(A.sub(above, A.mul(sHigh, belowHigh)), A.mul(sHigh, belowLow));
  const sLow = A.keep(A.mul(reciprocal, missing));
  const z = A.keep(A.mul(s, s));
  const tail = A.mul(A.mul(z, z), A.polynomial(z, coefficients));
  const rest = A.keep(A.add(tail, A.mul(sLow, A.add(sHigh, s))));
  const zHigh = A.keep(A.mul(sHigh, sHigh));
  const three = A.real(3);
  const tHigh = A.keep(upperHalf(A, A.add(A.add(three, zHigh), rest)));
  const tLow = A.keep(A.sub(rest, A.sub(A.sub(tHigh, three), zHigh)));
  const product = A.keep(A.mul(sHigh, tHigh));
  const cross = A.keep(A.add(A.mul(sLow, tHigh), A.mul(tLow, s)));
  const pHigh = A.keep(upperHalf(A, A.add(product, cross)));
  const pLow = A.keep(A.sub(cross, A.sub(pHigh, product)));
  const high = A.keep(A.mul(pHigh, A.real(factor.high)));
  const low = A.keep(A.add(A.mul(pHigh, A.real(factor.low)), A.mul(pLow, A.real(factor.whole))));
  const sum = A.keep(upperHalf(A, A.add(A.add(high, low), k)));
  return { high: sum, low: A.keep(A.sub(low, A.sub(A.sub(sum, k), high))) };
}

export function pow(A: Algebra, x: Expression, y: Expression): Expression {
  if (!A.double) return A.throughDouble((double, a, b) => double.call('pow', a, b), x, y);
  const size = A.keep(A.abs(x));
  const { k, m } = splitBinary(A, size);
  const { high, low } = log2InParts(A, k, m);
  const yHigh = A.keep(upperHalf(A, y));
  const rest = A.keep(A.add(A.mul(A.sub(y, yHigh), high), A.mul(y, low)));
  const product = A.keep(A.mul(yHigh, high));
  const exponent = A.keep(A.add(product, rest));
  const scaling = nearestWhole(A, exponent);
  const power = A.keep(twoToFraction(A, A.keep(A.add(A.sub(product, scaling.k), rest))));
  const result = A.variable(scaledWithin(A, power, scaling));
  const plain = A.both(A.both(A.lt(A.real(0), x), A.lt(x, A.real(Infinity))), A.le(A.abs(exponent), A.real(1021)));
  A.ifAny(A.not(plain), () => {
    const scaled = scaledBeyond(A, power, scaling);
    const bounded = A.select(A.lt(exponent, A.real(-1080)), A.real(0), scaled);
    A.set(result, powEdges(A, x, y, A.keep(A.select(A.lt(A.real(1030), exponent), A.real(Infinity), bounded))));
  });
  return get(result);
}

/** The power of |x| made that of x. In JavaScript's way pow(±1, ±∞) is NaN, and pow(x, 0) = 1 for every x. */
function powEdges(A: Algebra, x: Expression, y: Expression, ofSize: Expression): Expression {
  const [zero, one, infinity] = [A.real(0), A.real(1), A.real(Infinity)];
  const size = A.keep(A.abs(x));
  const negative = A.keep(A.lt(A.withSign(one, x), zero));
  const half = A.keep(A.mul(A.real(0.5), y));
  const whole = A.keep(A.eq(A.floor(y), y));
  const odd = A.keep(A.both(whole, A.ne(A.floor(half), half)));
  // 0 and ∞, and the powers ∞ and -∞: each to 0 or to ∞.
  const growing = A.select(A.lt(zero, y), infinity, zero);
  const shrinking = A.select(A.lt(zero, y), zero, infinity);
  const extreme = A.either(A.eq(size, zero), A.eq(size, infinity));
  const extremeValue = A.select(A.eq(size, zero), shrinking, growing);
  const byInfinity = A.select(A.eq(size, one), A.real(NaN), A.select(A.lt(one, size), growing, shrinking));
  const ofExtremes = A.select(A.eq(A.abs(y), infinity), byInfinity, A.select(extreme, extremeValue, ofSize));
  const real = A.select(A.both(A.lt(x, zero), A.both(A.not(whole), A.lt(size, infinity))), A.real(NaN), ofExtremes);
  const signed = A.keep(A.select(A.both(negative, odd), A.neg(real), real));
  const unordered = A.either(A.ne(x, x), A.ne(y, y));
  return A.select(A.eq(y, zero), one, A.select(unordered, A.real(NaN), signed));
}
