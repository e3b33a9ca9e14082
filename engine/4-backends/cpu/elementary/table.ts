/**
 * The elementary functions by name. Each is a WebAssembly function of the module that uses it, in the forms f64, f64x2, f32
 * and f32x4: f64x2 has the bits of f64, f32x4 those of f32.
 */
import type { ScalarOperation } from '../../../0-ir/scalar-operations.ts';
import type { Expression } from '../wasm/expression.ts';
import type { Algebra } from './algebra.ts';
import { digamma } from './digamma.ts';
import { erf, erfc } from './error-function.ts';
import { exp, exp2, expm1 } from './exponential.ts';
import { cosh, sinh, tanh } from './hyperbolic.ts';
import { acos, asin, atan, atan2 } from './inverse-trigonometric.ts';
import { lgamma } from './lgamma.ts';
import { logaddexp } from './logaddexp.ts';
import { log, log10, log1p, log2 } from './logarithm.ts';
import { logistic } from './logistic.ts';
import { oneLane } from './one-lane.ts';
import type { ElementaryOperation } from './operation.ts';
import { polygamma } from './polygamma.ts';
import { pow } from './power.ts';
import { cbrt, hypot } from './root.ts';
import { cos, sin, tan } from './trigonometric.ts';
import { xlogy } from './xlogy.ts';

/** Operands are constants or locals. */
export type ElementaryFunction = (A: Algebra, ...operands: [Expression, Expression]) => Expression;

const functions: { readonly [K in ElementaryOperation]: ElementaryFunction } = {
  exp,
  exp2,
  expm1,
  log,
  log2,
  log10,
  log1p,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  erf,
  erfc,
  lgamma: oneLane('lgamma', lgamma),
  digamma: oneLane('digamma', digamma),
  polygamma: oneLane('polygamma', polygamma),
  cbrt,
  hypot,
  pow,
  logistic,
  logaddexp,
  xlogy,
};

export function elementaryFunction(operation: ElementaryOperation): ElementaryFunction {
  return functions[operation];
}

export function isElementary(operation: ScalarOperation): operation is ElementaryOperation {
  return Object.hasOwn(functions, operation);
}

export const elementaryFunctionNames = Object.keys(functions) as ElementaryOperation[];
