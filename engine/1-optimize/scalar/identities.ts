/**
 * Algebra on single operations. Every identity holds in every bit, zeros' signs, infinities and NaN included, so
 *
 * - x + 0 is x only where x cannot be −0 (−0 + 0 is 0), while x − 0 and x + (−0) are x always;
 * - x·0 and x − x stay, for x may be ∞ or NaN;
 *
 * except whole powers up to 4, which become products and so lose at most the rounding that pow may lose as well.
 */
import {
  boolLiteral,
  intLiteral,
  isLiteral,
  realLiteral,
  type ScalarApply,
  type ScalarLiteral,
  type ScalarOperand,
} from '../../0-ir/scalar.ts';
import type { ScalarOperation } from '../../0-ir/scalar-operations.ts';

export interface Algebra {
  /** The application that defines a variable; undefined for parameters, literals and results of `if`. */
  definition(operand: ScalarOperand): ScalarApply | undefined;
  /** Writes an application, simplified in its turn. */
  apply(operation: ScalarOperation, ...operands: ScalarOperand[]): ScalarOperand;
}

type Identity = (operands: readonly ScalarOperand[], algebra: Algebra) => ScalarOperand | undefined;

const identities: Partial<Record<ScalarOperation, Identity>> = {
  neg([x], a) {
    const inner = argument(x, 'neg', a);
    if (inner) return inner;
    const product = x && a.definition(x);
    const [p, q] = product?.operation === 'mul' ? product.operands : [];
    // −(p·2) = p·(−2)
    if (p && q && isLiteral(q)) return a.apply('mul', p, opposite(q));
    return p && q && isLiteral(p) ? a.apply('mul', opposite(p), q) : undefined;
  },
  not: ([x], a) => argument(x, 'not', a),

  add([x, y], a) {
    for (const [p, q] of [
      [x, y],
      [y, x],
    ] as Pair[]) {
      if (isZeroToAdd(q, p, a)) return p;
      const negated = argument(q, 'neg', a);
      if (negated) return a.apply('sub', p, negated);
    }
    return undefined;
  },

  sub([x, y] = [], a) {
    if (!x || !y) return undefined;
    if (isLiteral(y, 0)) return x;
    if (isLiteral(x, x.type === 'int' ? 0 : -0)) return a.apply('neg', y);
    const negated = argument(y, 'neg', a);
    return negated && a.apply('add', x, negated);
  },

  mul([x, y], a) {
    for (const [p, q] of [
      [x, y],
      [y, x],
    ] as Pair[]) {
      if (isLiteral(q, 1)) return p;
      if (isLiteral(q, -1)) return a.apply('neg', p);
      if (p.type === 'int' && isLiteral(q, 0)) return intLiteral(0);
      // A sign goes outwards, to meet another or to vanish in a sum.
      const negated = argument(p, 'neg', a);
      if (negated && isLiteral(q)) return a.apply('mul', negated, opposite(q));
      if (negated) return a.apply('neg', a.apply('mul', negated, q));
    }
    return undefined;
  },

  div([x, y] = [], a) {
    const negated = argument(x, 'neg', a);
    if (negated && y) return a.apply('neg', a.apply('div', negated, y));
    if (!x || y?.kind !== 'literal') return undefined;
    if (y.value === 1) return x;
    if (y.value === -1) return a.apply('neg', x);
    return isPowerOfTwo(y.value) ? a.apply('mul', x, realLiteral(1 / y.value)) : undefined;
  },

  pow([x, y] = [], a) {
    if (!x || !y || !isLiteral(y)) return undefined;
    const square = () => a.apply('mul', x, x);
    switch (y.value) {
      case 0:
        return realLiteral(1);
      case 1:
        return x;
      case 2:
        return square();
      case 3:
        return a.apply('mul', square(), x);
      case 4:
        return a.apply('mul', square(), square());
      case -1:
        return a.apply('div', realLiteral(1), x);
      default:
        return undefined;
    }
  },

  min: ([x, y]) => (same(x, y) ? x : undefined),
  max: ([x, y]) => (same(x, y) ? x : undefined),
  and: ([x, y]) => lattice(x, y, 1),
  or: ([x, y]) => lattice(x, y, 0),
};

type Pair = [ScalarOperand, ScalarOperand];

export function identity(
  operation: ScalarOperation,
  operands: readonly ScalarOperand[],
  algebra: Algebra,
): ScalarOperand | undefined {
  return identities[operation]?.(operands, algebra);
}

/** x, where the operand is operation(x). */
function argument(
  operand: ScalarOperand | undefined,
  operation: ScalarOperation,
  algebra: Algebra,
): ScalarOperand | undefined {
  const definition = operand && algebra.definition(operand);
  return definition?.operation === operation ? definition.operands[0] : undefined;
}

function opposite(literal: ScalarLiteral): ScalarLiteral {
  return { ...literal, value: literal.type === 'int' ? -literal.value | 0 : -literal.value };
}

export function same(x: ScalarOperand | undefined, y: ScalarOperand | undefined): boolean {
  if (x?.kind === 'variable' && y?.kind === 'variable') return x.id === y.id;
  return x?.kind === 'literal' && y?.kind === 'literal' && x.type === y.type && Object.is(x.value, y.value);
}

/** Of `and` and `or`: the neutral operand goes, the other literal wins, and twice the same is once. */
function lattice(
  x: ScalarOperand | undefined,
  y: ScalarOperand | undefined,
  neutral: 0 | 1,
): ScalarOperand | undefined {
  if (!x || !y) return undefined;
  if (isLiteral(y, neutral) || same(x, y)) return x;
  if (isLiteral(x, neutral)) return y;
  return isLiteral(x) || isLiteral(y) ? boolLiteral(neutral === 0) : undefined;
}

function isZeroToAdd(zero: ScalarOperand, other: ScalarOperand, algebra: Algebra): boolean {
  if (zero.type === 'int') return isLiteral(zero, 0);
  return isLiteral(zero, -0) || (isLiteral(zero, 0) && neverMinusZero(other, algebra));
}

function neverMinusZero(operand: ScalarOperand, algebra: Algebra, depth = 4): boolean {
  if (operand.kind === 'literal') return !Object.is(operand.value, -0);
  const definition = algebra.definition(operand);
  if (!definition || depth === 0) return false;
  const never = (x: ScalarOperand | undefined) => x !== undefined && neverMinusZero(x, algebra, depth - 1);
  const [x, y] = definition.operands;
  switch (definition.operation) {
    case 'abs':
    case 'exp':
    case 'exp2':
    case 'hypot':
    case 'logistic':
    case 'real':
      return true;
    case 'mul':
      return same(x, y);
    case 'add':
      return never(x) || never(y);
    case 'sub':
    case 'sqrt':
      return never(x);
    default:
      return false;
  }
}

/** Whose reciprocal is exact in f32 too. */
function isPowerOfTwo(value: number): boolean {
  return value !== 0 && Math.abs(Math.log2(Math.abs(value))) <= 100 && Number.isInteger(Math.log2(Math.abs(value)));
}
