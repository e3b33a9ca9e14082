/**
 * The one list of scalar operations. The parser of formulas, the tables of derivatives, the backends and the
 * documentation take theirs from it: a mapped type over `ScalarOperation` turns every unfinished table red.
 *
 * `real`: operands and result are real. `number`: all real or all int (int wraps at 32 bits; int `min`, `max`, `mod`,
 * `abs`, `sign` as for real). `comparison`: two of one type (lt, le: real or int), bool result.
 */
import type { ElementType } from './types.ts';

type Signature = 'real' | 'number' | 'comparison' | 'bool' | 'conversion';

interface OperationInfo {
  readonly arity: 1 | 2 | 3;
  readonly signature: Signature;
  /** What it computes, where the name does not say it all. */
  readonly meaning?: string;
}

const unaryReal = { arity: 1, signature: 'real' } as const;
const binaryReal = { arity: 2, signature: 'real' } as const;
const unaryNumber = { arity: 1, signature: 'number' } as const;
const binaryNumber = { arity: 2, signature: 'number' } as const;
const comparison = { arity: 2, signature: 'comparison' } as const;

export const scalarOperations = {
  neg: unaryNumber,
  abs: unaryNumber,
  sign: { ...unaryNumber, meaning: '-1, 0 or 1; NaN for NaN; the sign of a zero is kept' },
  add: binaryNumber,
  sub: binaryNumber,
  mul: binaryNumber,
  div: binaryReal,
  mod: { ...binaryNumber, meaning: 'x - y*floor(x/y); int: 0 for y = 0' },
  pow: { ...binaryReal, meaning: 'x to the y, pow(x, 0) = 1' },
  min: { ...binaryNumber, meaning: 'NaN if either is NaN; the first operand on ties' },
  max: { ...binaryNumber, meaning: 'NaN if either is NaN; the first operand on ties' },
  clamp: { arity: 3, signature: 'number', meaning: 'clamp(x, low, high) = min(max(x, low), high)' },

  exp: unaryReal,
  exp2: unaryReal,
  expm1: unaryReal,
  log: unaryReal,
  log2: unaryReal,
  log10: unaryReal,
  log1p: unaryReal,
  sqrt: unaryReal,
  cbrt: unaryReal,
  hypot: binaryReal,
  sin: unaryReal,
  cos: unaryReal,
  tan: unaryReal,
  asin: unaryReal,
  acos: unaryReal,
  atan: unaryReal,
  atan2: binaryReal,
  sinh: unaryReal,
  cosh: unaryReal,
  tanh: unaryReal,
  floor: unaryReal,
  ceil: unaryReal,
  round: { ...unaryReal, meaning: 'half to even' },
  trunc: unaryReal,
  mantissa: { ...unaryReal, meaning: 'm of x = m*2^e with 1/2 <= |m| < 1; x itself where it is zero, infinite or NaN' },
  exponent: { ...unaryReal, meaning: 'e of x = m*2^e with 1/2 <= |m| < 1; 0 where x is zero, infinite or NaN' },
  detach: { ...unaryReal, meaning: 'x itself, and its derivative is zero' },
  scale: { ...binaryReal, meaning: 'x*2^int(k), rounded once' },
  erf: unaryReal,
  erfc: unaryReal,
  lgamma: { ...unaryReal, meaning: 'log |Γ(x)|; ∞ at 0, -1, -2, …' },
  digamma: unaryReal,
  polygamma: { ...binaryReal, meaning: 'polygamma(m, x), the m-th derivative of digamma; m a whole number ≥ 0' },
  xlogy: { ...binaryReal, meaning: 'x*log(y), and 0 where x = 0 and y is not NaN' },
  logistic: { ...unaryReal, meaning: '1/(1 + exp(-x))' },
  logaddexp: { ...binaryReal, meaning: 'log(exp(a) + exp(b)); -∞ for two -∞' },

  lt: comparison,
  le: comparison,
  eq: comparison,
  ne: comparison,
  and: { arity: 2, signature: 'bool' },
  or: { arity: 2, signature: 'bool' },
  not: { arity: 1, signature: 'bool' },
  isnan: { arity: 1, signature: 'conversion', meaning: 'real to bool, by the bits' },
  real: { arity: 1, signature: 'conversion', meaning: 'int or bool to real' },
  int: { arity: 1, signature: 'conversion', meaning: 'real to int, toward zero, saturating, NaN to 0; bool to 0 or 1' },
} as const satisfies Record<string, OperationInfo>;

export type ScalarOperation = keyof typeof scalarOperations;

export const scalarOperationNames = Object.keys(scalarOperations) as ScalarOperation[];

export function operationInfo(operation: ScalarOperation): OperationInfo {
  return scalarOperations[operation];
}

/** The result's type, or undefined where the operands do not fit. */
export function operationType(operation: ScalarOperation, operands: readonly ElementType[]): ElementType | undefined {
  const { arity, signature } = operationInfo(operation);
  const first = operands[0];
  if (operands.length !== arity) return undefined;
  for (let i = 1; i < arity; i++) if (operands[i] !== first) return undefined;
  switch (signature) {
    case 'real':
      return first === 'real' ? 'real' : undefined;
    case 'number':
      return first === 'bool' ? undefined : first;
    case 'comparison':
      return first === 'bool' && (operation === 'lt' || operation === 'le') ? undefined : 'bool';
    case 'bool':
      return first === 'bool' ? 'bool' : undefined;
    case 'conversion':
      if (operation === 'isnan') return first === 'real' ? 'bool' : undefined;
      return first === operation ? undefined : operation === 'real' ? 'real' : 'int';
  }
}
