/**
 * log x = k·log 2 + log m, x = 2ᵏm with √½ ≤ m < √2; log2, log10, log1p.
 *
 * With f = m - 1, s = f/(2 + f): log m = f - f²/2 + s(f²/2 + R(s²)), the form of fdlibm's e_log.c (Sun Microsystems, 1993),
 * in which nothing large cancels. Polynomial from build/elementary-coefficients.py.
 */
import { get, type Expression } from '../wasm/expression.ts';
import { fractionBits, log2High, log2Low, smallestNormal } from './constants.ts';
import type { Algebra } from './algebra.ts';

/** (log((1 + s)/(1 - s)) - 2s)/s³ in z = s² */
const double = [
  0.6666666666666666, 0.40000000000004887, 0.2857142856942608, 0.2222222260461805, 0.18181778540332422,
  0.15386981070860817, 0.13252315493269617, 0.13233328276249415,
];
const single = [0.6666677594184875, 0.3997758626937866, 0.29870685935020447];

export interface Binary {
  readonly k: Expression;
  readonly m: Expression;
  /** Where x is not a positive normal number. */
  readonly special: Expression;
}

/** x = 2ᵏm, √½ ≤ m < √2, for x > 0, subnormal numbers too. */
export function splitBinary(A: Algebra, x: Expression): Binary {
  const special = A.keep(A.not(A.both(A.le(smallestNormal(A), x), A.lt(x, A.real(Infinity)))));
  const normal = A.variable(x);
  const bias = A.variable(A.per(2 ** 52 + 1023, 2 ** 23 + 127));
  A.ifAny(special, () => {
    const small = A.keep(A.lt(A.abs(x), smallestNormal(A)));
    A.set(normal, A.select(small, A.mul(x, A.per(2 ** 54, 2 ** 25)), x));
    A.set(bias, A.select(small, A.per(2 ** 52 + 1023 + 54, 2 ** 23 + 127 + 25), get(bias)));
  });
  return { ...splitNormal(A, get(normal), get(bias)), special };
}

function splitNormal(A: Algebra, x: Expression, bias: Expression): Omit<Binary, 'special'> {
  const rootHalf = A.double ? 0x3fe6a09e667f3bcdn : 0x3f3504f3n;
  const one = A.double ? 0x3ff0000000000000n : 0x3f800000n;
  const shifted = A.keep(A.addBits(A.bitsOf(x), A.bits(one - rootHalf)));
  // Below 2⁵² a number or-ed into the bits of 2⁵² is added to it.
  const exponent = A.shiftRight(shifted, fractionBits(A));
  const k = A.sub(A.fromBits(A.orBits(exponent, A.bits(A.double ? 0x4330000000000000n : 0x4b000000n))), bias);
  const fraction = A.andBits(shifted, A.bits(A.double ? 0xfffffffffffffn : 0x7fffffn));
  return { k: A.keep(k), m: A.keep(A.fromBits(A.addBits(fraction, A.bits(rootHalf)))) };
}

export interface LogParts {
  readonly f: Expression;
  /** f²/2 */
  readonly half: Expression;
  /** s(f²/2 + R): log(1 + f) = f - (half - rest) */
  readonly rest: Expression;
}

export function logOnePlus(A: Algebra, f: Expression): LogParts {
  const s = A.keep(A.div(f, A.add(A.real(2), f)));
  const z = A.keep(A.mul(s, s));
  const half = A.keep(A.mul(A.mul(A.real(0.5), f), f));
  const tail = A.mul(z, A.polynomial(z, A.double ? double : single));
  return { f, half, rest: A.keep(A.mul(s, A.add(half, tail))) };
}

/** As the logarithm where x is special: NaN below zero, -∞ at zero, x where it is ∞ or NaN. */
export function logEdges(A: Algebra, x: Expression, value: Expression): Expression {
  const positive = A.select(A.lt(x, A.real(Infinity)), value, x);
  const zero = A.select(A.eq(x, A.real(0)), A.real(-Infinity), positive);
  return A.select(A.lt(x, A.real(0)), A.real(NaN), zero);
}

export function log(A: Algebra, x: Expression): Expression {
  const { k, m, special } = splitBinary(A, x);
  const { f, half, rest } = logOnePlus(A, A.keep(A.sub(m, A.real(1))));
  const low = A.sub(half, A.add(rest, A.mul(k, log2Low(A))));
  const result = A.variable(A.sub(A.mul(k, log2High(A)), A.sub(low, f)));
  A.ifAny(special, () => A.set(result, logEdges(A, x, get(result))));
  return get(result);
}

/** c·log(1 + f) as two numbers, c in two parts of which the first has half the bits; log2 and log10 are exact at powers. */
function timesLog(
  A: Algebra,
  parts: LogParts,
  [cHigh, cLow]: readonly [Expression, Expression],
): { high: Expression; low: Expression } {
  const { f, half, rest } = parts;
  const upperHalf = A.bits(A.double ? 0xffffffff00000000n : 0xfffff000n);
  const high = A.keep(A.fromBits(A.andBits(A.bitsOf(A.sub(f, half)), upperHalf)));
  const low = A.keep(A.add(A.sub(A.sub(f, high), half), rest));
  return {
    high: A.keep(A.mul(high, cHigh)),
    low: A.add(A.mul(A.add(low, high), cLow), A.mul(low, cHigh)),
  };
}

/** whole + high + low, |whole| ≥ |high| or whole = 0 */
function sum(A: Algebra, whole: Expression, high: Expression, low: Expression): Expression {
  const upper = A.keep(A.add(whole, high));
  return A.add(A.add(low, A.add(A.sub(whole, upper), high)), upper);
}

export function log2(A: Algebra, x: Expression): Expression {
  const { k, m, special } = splitBinary(A, x);
  const reciprocal = [
    A.per(1.4426950407214463, 1.44287109375),
    A.per(1.6751713164886512e-10, -1.7605285393e-4),
  ] as const;
  const { high, low } = timesLog(A, logOnePlus(A, A.keep(A.sub(m, A.real(1)))), reciprocal);
  const result = A.variable(sum(A, k, high, low));
  A.ifAny(special, () => A.set(result, logEdges(A, x, get(result))));
  return get(result);
}

export function log10(A: Algebra, x: Expression): Expression {
  const { k, m, special } = splitBinary(A, x);
  const reciprocal = [
    A.per(0.4342944818781689, 0.434326171875),
    A.per(2.5082946711645275e-11, -3.1689971365e-5),
  ] as const;
  const { high, low } = timesLog(A, logOnePlus(A, A.keep(A.sub(m, A.real(1)))), reciprocal);
  const whole = A.keep(A.mul(k, A.per(0.30102999566361177, 0.3010292053222656)));
  const part = A.mul(k, A.per(3.694239077158931e-13, 7.9034151668e-7));
  const result = A.variable(sum(A, whole, high, A.add(part, low)));
  A.ifAny(special, () => A.set(result, logEdges(A, x, get(result))));
  return get(result);
}

/** log u + c/u with u = 1 + x rounded and c what that lost; where u needs no reduction, log(1 + x) by x itself. */
export function log1p(A: Algebra, x: Expression): Expression {
  const one = A.real(1);
  const u = A.keep(A.add(one, x));
  const special = A.keep(A.not(A.both(A.lt(A.real(0), u), A.lt(u, A.real(Infinity)))));
  const { k, m } = splitNormal(A, u, A.per(2 ** 52 + 1023, 2 ** 23 + 127));
  const large = A.keep(A.lt(one, x));
  const lost = A.sub(A.select(large, one, x), A.sub(u, A.select(large, x, one)));
  const near = A.keep(A.eq(k, A.real(0)));
  const correction = A.select(near, A.real(0), A.div(lost, u));
  const { f, half, rest } = logOnePlus(A, A.keep(A.select(near, x, A.sub(m, one))));
  const low = A.sub(half, A.add(rest, A.add(A.mul(k, log2Low(A)), correction)));
  const sumOfParts = A.sub(A.mul(k, log2High(A)), A.sub(low, f));
  const result = A.variable(A.withSign(sumOfParts, x));
  A.ifAny(special, () => {
    const value = A.select(A.eq(u, A.real(0)), A.real(-Infinity), get(result));
    const positive = A.select(A.lt(u, A.real(Infinity)), value, u);
    A.set(result, A.select(A.lt(u, A.real(0)), A.real(NaN), positive));
  });
  return get(result);
}
