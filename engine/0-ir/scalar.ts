/**
 * Scalar functions: straight-line code in static single assignment, with structured `if`.
 * They are the lambdas of `map`, the operators of reduce, scan and histogram, and the step of a recurrence.
 * Plain data; build them with `scalarFunction` in scalar-builder.ts.
 */
import type { ScalarOperation } from './scalar-operations.ts';
import type { ElementType } from './types.ts';

export interface ScalarVariable {
  readonly kind: 'variable';
  /** Unique within its function. */
  readonly id: number;
  readonly type: ElementType;
}

/** A bool is 0 or 1. */
export interface ScalarLiteral {
  readonly kind: 'literal';
  readonly type: ElementType;
  readonly value: number;
}

export type ScalarOperand = ScalarVariable | ScalarLiteral;

export interface ScalarApply {
  readonly kind: 'apply';
  readonly result: ScalarVariable;
  readonly operation: ScalarOperation;
  readonly operands: readonly ScalarOperand[];
}

/** Only the branch taken is evaluated. Both give as many results, of the same types. */
export interface ScalarIf {
  readonly kind: 'if';
  readonly results: readonly ScalarVariable[];
  readonly condition: ScalarOperand;
  readonly then: ScalarBlock;
  readonly else: ScalarBlock;
}

export type ScalarStatement = ScalarApply | ScalarIf;

export interface ScalarBlock {
  readonly statements: readonly ScalarStatement[];
  readonly results: readonly ScalarOperand[];
}

/** A function without free variables: every variable is a parameter or defined above its use. */
export interface ScalarFunction {
  readonly parameters: readonly ScalarVariable[];
  readonly body: ScalarBlock;
}

export function realLiteral(value: number): ScalarLiteral {
  return { kind: 'literal', type: 'real', value };
}

export function intLiteral(value: number): ScalarLiteral {
  return { kind: 'literal', type: 'int', value };
}

export function boolLiteral(value: boolean): ScalarLiteral {
  return { kind: 'literal', type: 'bool', value: value ? 1 : 0 };
}

/** Whether an operand is the literal `value`; 0 and -0 differ. */
export function isLiteral(operand: ScalarOperand, value?: number): operand is ScalarLiteral {
  return operand.kind === 'literal' && (value === undefined || Object.is(operand.value, value));
}

export function resultTypes(fn: ScalarFunction): ElementType[] {
  return fn.body.results.map((result) => result.type);
}

export function parameterTypes(fn: ScalarFunction): ElementType[] {
  return fn.parameters.map((parameter) => parameter.type);
}
