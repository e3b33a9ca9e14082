/** Numbers of long tables, read where they stand: no text is cut out, and no expression matched. */
import type { Codes } from './codes.ts';

const [plus, minus, point, zero, upperE, lowerE] = [43, 45, 46, 48, 69, 101] as const;
/** Whole numbers below are exact. */
export const EXACT = 2 ** 53;
/** 10⁰ to 10²², which are exact too. */
export const exactPowers = Float64Array.from({ length: 23 }, (_, k) => Number(`1e${k}`));
const MOST = exactPowers.length - 1;

/**
 * The number that the text says from `from` to `to`, where digits and power of ten are both exact, so that a single rounding
 * is left (Clinger 1990, DOI 10.1145/93542.93557). NaN for anything else, number or not: `cellNumber` has the last word.
 */
export function plainNumber(text: Codes, from: number, to: number, decimal: '.' | ','): number {
  const mark = decimal === '.' ? point : point - 2;
  let at = from;
  if (at === to) return NaN;
  const sign = text[at]!;
  if (sign === minus || sign === plus) at++;
  const first = at;
  let digits = 0;
  let code = 0;
  let marked = -1;
  for (; at < to; at++) {
    code = text[at]!;
    if (code === mark && marked < 0) marked = at;
    else if (code >= zero && code <= zero + 9) digits = 10 * digits + (code - zero);
    else break;
  }
  const behind = marked < 0 ? 0 : at - marked - 1;
  if (at - first - (marked < 0 ? 0 : 1) === 0 || digits >= EXACT) return NaN;
  let power = -behind;
  if (at < to) {
    if (code !== lowerE && code !== upperE) return NaN;
    at++;
    const exponentSign = at < to ? text[at]! : 0;
    if (exponentSign === minus || exponentSign === plus) at++;
    if (at === to || to - at > 3) return NaN;
    let exponent = 0;
    for (; at < to; at++) {
      code = text[at]!;
      if (code < zero || code > zero + 9) return NaN;
      exponent = 10 * exponent + (code - zero);
    }
    power += exponentSign === minus ? -exponent : exponent;
  }
  if (power < -MOST || power > MOST) return NaN;
  const size = power < 0 ? digits / exactPowers[-power]! : digits * exactPowers[power]!;
  return sign === minus ? -size : size;
}
