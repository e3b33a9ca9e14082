/** Constants that several functions share, in double and in single precision. */
import type { Expression } from '../wasm/expression.ts';
import type { Algebra } from './algebra.ts';

/** log 2 in two parts: of the first, products with 11 bits (single: 7) are exact. */
export function log2High(A: Algebra): Expression {
  return A.per(6.9314718036912381649e-1, 0.693138122558594);
}
export function log2Low(A: Algebra): Expression {
  return A.per(1.90821492927058770002e-10, 9.058001e-6);
}

/** Adding it leaves the nearest whole number in the low bits. */
export function rounder(A: Algebra): Expression {
  return A.per(1.5 * 2 ** 52, 1.5 * 2 ** 23);
}

export function smallestNormal(A: Algebra): Expression {
  return A.per(2 ** -1022, 2 ** -126);
}

/** The number of explicit bits of a significand. */
export function fractionBits(A: Algebra): number {
  return A.double ? 52 : 23;
}

/** The bits of 1. */
export function oneBits(A: Algebra): Expression {
  return A.bits(A.double ? 0x3ff0000000000000n : 0x3f800000n);
}
