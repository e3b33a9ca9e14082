/**
 * What every scalar operation computes, in f64. A bool is 0 or 1.
 *
 * Rounding is that of JavaScript's own functions, and of the files beside this one, a few units in the last place.
 */
import type { ScalarOperation } from '../../../0-ir/scalar-operations.ts';
import type { ElementType } from '../../../0-ir/types.ts';
import { exponent, mantissa, scale } from './binary-exponent.ts';
import { toInt } from './convert.ts';
import { digamma } from './digamma.ts';
import { erf, erfc } from './erf.ts';
import { lgamma } from './lgamma.ts';
import { logaddexp } from './logaddexp.ts';
import { logistic } from './logistic.ts';
import { clamp, max, min } from './min-max.ts';
import { mod, modInt } from './mod.ts';
import { polygamma } from './polygamma.ts';
import { round } from './round.ts';
import { xlogy } from './xlogy.ts';

type Meaning = (...operands: number[]) => number;

/** On operands of every type that the operation takes, but for those of `intMeaning`. */
export const scalarMeaning = {
  neg: (x: number) => -x,
  abs: Math.abs,
  sign: Math.sign,
  add: (x: number, y: number) => x + y,
  sub: (x: number, y: number) => x - y,
  mul: (x: number, y: number) => x * y,
  div: (x: number, y: number) => x / y,
  mod,
  pow: Math.pow,
  min,
  max,
  clamp,

  exp: Math.exp,
  exp2: (x: number) => 2 ** x,
  expm1: Math.expm1,
  log: Math.log,
  log2: Math.log2,
  log10: Math.log10,
  log1p: Math.log1p,
  sqrt: Math.sqrt,
  cbrt: Math.cbrt,
  hypot: (x: number, y: number) => Math.hypot(x, y),
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  atan2: Math.atan2,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  floor: Math.floor,
  ceil: Math.ceil,
  round,
  trunc: Math.trunc,
  detach: (x: number) => x,
  mantissa,
  exponent,
  scale,
  erf,
  erfc,
  lgamma,
  digamma,
  polygamma,
  xlogy,
  logistic,
  logaddexp,

  lt: (x: number, y: number) => Number(x < y),
  le: (x: number, y: number) => Number(x <= y),
  eq: (x: number, y: number) => Number(x === y),
  ne: (x: number, y: number) => Number(x !== y),
  and: (x: number, y: number) => x & y,
  or: (x: number, y: number) => x | y,
  not: (x: number) => 1 - x,
  isnan: (x: number) => Number(Number.isNaN(x)),
  real: (x: number) => x,
  int: toInt,
} satisfies { [Op in ScalarOperation]: (...operands: never[]) => number };

/** The operations that wrap at 32 bits when their operands are int. */
export const intMeaning = {
  neg: (x: number) => -x | 0,
  abs: (x: number) => Math.abs(x) | 0,
  add: (x: number, y: number) => (x + y) | 0,
  sub: (x: number, y: number) => (x - y) | 0,
  mul: Math.imul,
  mod: modInt,
} satisfies { [Op in ScalarOperation]?: (...operands: never[]) => number };

/** The operation on operands of one type. */
export function meaningOf(operation: ScalarOperation, operands: ElementType): Meaning {
  const wrapping: Partial<Record<ScalarOperation, Meaning>> = intMeaning;
  return (operands === 'int' ? wrapping[operation] : undefined) ?? scalarMeaning[operation];
}
