/**
 * The elementary functions by name. Each is a WebAssembly function of the module that uses it, in the forms f64, f64x2, f32
 * and f32x4, all with the same bits; `vector: false` marks those that exist in one lane only.
 */
import type { ScalarOperation } from '../../../0-ir/scalar-operations.ts';
import type { Expression } from '../wasm/expression.ts';
import { exp, exp2, expm1 } from './exponential.ts';
import type { Algebra } from './algebra.ts';
import { log } from './logarithm.ts';

export type ElementaryOperation = Extract<ScalarOperation, 'exp' | 'exp2' | 'expm1' | 'log'>;

/** Operands are constants or locals. */
type Body = (A: Algebra, ...operands: [Expression, Expression]) => Expression;

export interface ElementaryFunction {
  readonly vector: boolean;
  readonly write: Body;
}

function lanewise(write: Body): ElementaryFunction {
  return { vector: true, write };
}

const functions: { readonly [K in ElementaryOperation]: ElementaryFunction } = {
  exp: lanewise(exp),
  exp2: lanewise(exp2),
  expm1: lanewise(expm1),
  log: lanewise(log),
};

export function elementaryFunction(operation: ElementaryOperation): ElementaryFunction {
  return functions[operation];
}

export function isElementary(operation: ScalarOperation): operation is ElementaryOperation {
  return Object.hasOwn(functions, operation);
}
