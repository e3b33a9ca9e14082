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
