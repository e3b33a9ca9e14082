/**
 * Operations on literals, done here and now: the exact ones (one rounding in f64, or none). Elementary functions are
 * left to the backends, whose roundings differ.
 */
import { boolLiteral, intLiteral, realLiteral, type ScalarLiteral, type ScalarOperand } from '../../0-ir/scalar.ts';
import type { ScalarOperation } from '../../0-ir/scalar-operations.ts';

type Fold = (x: number, y: number) => number;

const onReals: Partial<Record<ScalarOperation, Fold>> = {
  neg: (x) => -x,
  add: (x, y) => x + y,
  sub: (x, y) => x - y,
  mul: (x, y) => x * y,
  div: (x, y) => x / y,
};

const onInts: Partial<Record<ScalarOperation, Fold>> = {
  neg: (x) => -x | 0,
  add: (x, y) => (x + y) | 0,
  sub: (x, y) => (x - y) | 0,
  mul: Math.imul,
};

const toBool: Partial<Record<ScalarOperation, (x: number, y: number) => boolean>> = {
  lt: (x, y) => x < y,
  le: (x, y) => x <= y,
  eq: (x, y) => x === y,
  ne: (x, y) => x !== y,
  and: (x, y) => x !== 0 && y !== 0,
  or: (x, y) => x !== 0 || y !== 0,
  not: (x) => x === 0,
  isnan: Number.isNaN,
};

export function fold(operation: ScalarOperation, operands: readonly ScalarOperand[]): ScalarLiteral | undefined {
  const [first, second] = operands;
  if (first?.kind !== 'literal' || (second && second.kind !== 'literal') || operands.length > 2) return undefined;
  const [x, y] = [first.value, second?.value ?? 0];
  if (operation === 'real') return realLiteral(x);
  if (operation === 'int') return first.type === 'bool' ? intLiteral(x) : undefined;
  const decide = toBool[operation];
  if (decide) return boolLiteral(decide(x, y));
  const compute = first.type === 'real' ? onReals[operation] : onInts[operation];
  return compute && { kind: 'literal', type: first.type, value: compute(x, y) };
}
