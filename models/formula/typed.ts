/**
 * A formula after its names and types are settled: every node is a scalar operation on operands of the right types.
 */
import {
  type ElementType,
  intLiteral,
  IrError,
  operationType,
  realLiteral,
  type ScalarLiteral,
  type ScalarOperation,
} from '../../engine/index.ts';
import type { Port } from './names.ts';
import type { Expression } from './syntax.ts';

export type Typed = { readonly type: ElementType } & (
  | ScalarLiteral
  | { readonly kind: 'port'; readonly port: Port }
  /** The value of `definitions[definition]`. */
  | { readonly kind: 'local'; readonly definition: number }
  | { readonly kind: 'apply'; readonly operation: ScalarOperation; readonly operands: readonly Typed[] }
  | { readonly kind: 'if'; readonly condition: Typed; readonly then: Typed; readonly otherwise: Typed }
);

export interface TypedFormula {
  /** Each uses only those before it. */
  readonly definitions: readonly Typed[];
  readonly result: Typed;
  /** What can only be real in the formula, where anything can: without it an int may be had where one is wanted. */
  readonly realPart: Expression | undefined;
}

/**
 * Arithmetic on literals becomes a literal: `x^-1` and `x^(1/2)` keep a literal exponent, of which no derivative is
 * formed.
 */
export function apply(operation: ScalarOperation, ...operands: Typed[]): Typed {
  const type = operationType(
    operation,
    operands.map((operand) => operand.type),
  );
  if (!type) throw new IrError(`${operation} does not take (${operands.map((operand) => operand.type).join(', ')})`);
  const [a, b] = operands;
  if (a?.kind === 'literal' && (b === undefined || b.kind === 'literal')) {
    const value = type === 'real' ? foldReal(operation, a.value, b?.value) : foldInt(operation, a.value, b?.value);
    if (value !== undefined) return type === 'real' ? realLiteral(value) : intLiteral(value);
  }
  return { kind: 'apply', operation, operands, type };
}

function foldReal(operation: ScalarOperation, a: number, b = NaN): number | undefined {
  if (operation === 'neg') return -a;
  if (operation === 'add') return a + b;
  if (operation === 'sub') return a - b;
  if (operation === 'mul') return a * b;
  if (operation === 'div') return a / b;
  return undefined;
}

function foldInt(operation: ScalarOperation, a: number, b = 0): number | undefined {
  if (operation === 'neg') return -a | 0;
  if (operation === 'add') return (a + b) | 0;
  if (operation === 'sub') return (a - b) | 0;
  if (operation === 'mul') return Math.imul(a, b);
  return undefined;
}
