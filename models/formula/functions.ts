/**
 * The one table of the functions that formulas have. The compiler, the names that are reserved, the editor's completion
 * and docs/formulas.md take theirs from it.
 */
import type { ScalarOperation } from '../../engine/index.ts';

/**
 * `real`: real in, real out. `arithmetic`: int of ints, else real. `rounding`: real in; an int where one is wanted, else
 * real. `special`: the compiler has a rule for it alone.
 */
export type FunctionTyping = 'real' | 'arithmetic' | 'rounding' | 'special';

export interface FormulaFunction {
  readonly parameters: readonly string[];
  readonly typing: FunctionTyping;
  /** One line for completion and documentation. */
  readonly summary: string;
}

function real(parameters: string, summary: string): FormulaFunction {
  return { parameters: parameters.split(' '), typing: 'real', summary };
}

function rounding(summary: string): FormulaFunction {
  return { parameters: ['x'], typing: 'rounding', summary };
}

/** Every function but `if` and `length` is the scalar operation of its own name. */
type OwnName = ScalarOperation | 'if' | 'length';

const table = {
  exp: real('x', 'e to the x'),
  exp2: real('x', '2 to the x'),
  log: real('x', 'natural logarithm'),
  log2: real('x', 'logarithm to base 2'),
  log10: real('x', 'logarithm to base 10'),
  log1p: real('x', 'log(1 + x), exact for small x'),
  expm1: real('x', 'exp(x) - 1, exact for small x'),
  sqrt: real('x', 'square root'),
  cbrt: real('x', 'cube root, of negative numbers too'),
  hypot: real('x y', 'sqrt(x^2 + y^2) without overflow'),
  abs: real('x', 'absolute value; its derivative at 0 is 0'),
  sign: real('x', '-1, 0 or 1'),
  sin: real('x', 'sine; angles are in radians'),
  cos: real('x', 'cosine'),
  tan: real('x', 'tangent'),
  asin: real('x', 'inverse sine, -pi/2 to pi/2'),
  acos: real('x', 'inverse cosine, 0 to pi'),
  atan: real('x', 'inverse tangent, -pi/2 to pi/2'),
  atan2: real('y x', 'angle of the point (x, y), -pi to pi'),
  sinh: real('x', 'hyperbolic sine'),
  cosh: real('x', 'hyperbolic cosine'),
  tanh: real('x', 'hyperbolic tangent'),
  pow: real('x y', 'x to the y, the same as x^y'),
  min: { parameters: ['x', 'y'], typing: 'arithmetic', summary: 'the smaller of two; NaN if either is NaN; x on ties' },
  max: { parameters: ['x', 'y'], typing: 'arithmetic', summary: 'the larger of two; NaN if either is NaN; x on ties' },
  floor: rounding('the whole number at or below x'),
  ceil: rounding('the whole number at or above x'),
  round: rounding('the nearest whole number, half to even'),
  trunc: rounding('x without its fraction, toward 0'),
  mod: { parameters: ['x', 'y'], typing: 'arithmetic', summary: 'remainder x - y*floor(x/y), with the sign of y' },
  erf: real('x', 'error function'),
  erfc: real('x', '1 - erf(x), exact for large x'),
  lgamma: real('x', 'logarithm of |gamma(x)|'),
  digamma: real('x', 'derivative of lgamma'),
  polygamma: real('m x', 'm-th derivative of digamma, m = 0, 1, 2, …'),
  xlogy: real('x y', 'x*log(y), and 0 where x is 0'),
  logistic: real('x', '1/(1 + exp(-x))'),
  logaddexp: real('x y', 'log(exp(x) + exp(y)) without overflow'),
  clamp: real('x low high', 'x kept between low and high'),
  real: { parameters: ['x'], typing: 'special', summary: 'an int made real; of a truth value 1 or 0' },
  length: { parameters: ['x'], typing: 'special', summary: 'size of the input x along axis 0, an int' },
  if: {
    parameters: ['c', 'a', 'b'],
    typing: 'special',
    summary: 'a where c holds, else b; only the branch taken is evaluated and differentiated',
  },
} as const satisfies Partial<Record<OwnName, FormulaFunction>>;

export type FunctionName = keyof typeof table;

export const functionNames = Object.keys(table) as FunctionName[];

export const formulaFunctions: Readonly<Record<FunctionName, FormulaFunction>> = table;

/** Names may come from a document: `constructor` is no function. */
export function isFunctionName(name: string): name is FunctionName {
  return Object.hasOwn(table, name);
}

export function functionNamed(name: string): FormulaFunction | undefined {
  return isFunctionName(name) ? formulaFunctions[name] : undefined;
}

/** `atan2(y, x)` */
export function signature(name: FunctionName): string {
  return `${name}(${formulaFunctions[name].parameters.join(', ')})`;
}
