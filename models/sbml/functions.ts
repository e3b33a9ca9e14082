/** The functions and operators of MathML that SBML knows, written with ours. */
import type { Expression } from '../formula/syntax.ts';
import { asTruth } from './coerce.ts';
import { binary, call, choose, fold, negate, not, number, truth } from './syntax.ts';

type Write = (...operands: Expression[]) => Expression;

const one = number(1);
const half = number(0.5);
const plus = (a: Expression, b: Expression): Expression => binary('+', a, b);
const minus = (a: Expression, b: Expression): Expression => binary('-', a, b);
const over = (a: Expression, b: Expression): Expression => binary('/', a, b);
const square = (x: Expression): Expression => binary('^', x, number(2));
const inverted =
  (fn: string): Write =>
  (x) =>
    over(one, call(fn, x));
const ofInverse =
  (write: Write): Write =>
  (x) =>
    write(over(one, x));
const plain =
  (fn: string): Write =>
  (x) =>
    call(fn, x);

/** log(u + √(u² + 1)) of u ≥ 0, with the digits of a small u. */
const rising: Write = (u) => call('log1p', plus(u, over(square(u), plus(one, call('sqrt', plus(square(u), one))))));
/** Odd; on either side of 0 with the slope that it has there, 1. */
const asinh: Write = (x) => choose(binary('<', x, number(0)), negate(rising(negate(x))), rising(x));
/** log(x + √(x² - 1)), with the digits of x - 1. */
const acosh: Write = (x) => call('log1p', plus(minus(x, one), call('sqrt', binary('*', minus(x, one), plus(x, one)))));
const atanh: Write = (x) => binary('*', half, minus(call('log1p', x), call('log1p', negate(x))));

/** Of pairs of neighbours: a < b < c is a < b and b < c. */
const compared =
  (operator: '<' | '<=' | '>' | '>=' | '=='): Write =>
  (...operands) => {
    const pairs = operands.slice(1).map((right, i) => binary(operator, operands[i]!, right));
    return fold('and', pairs, truth(true));
  };

const extreme =
  (fn: 'min' | 'max'): Write =>
  (...operands) =>
    operands.reduce((a, b) => call(fn, a, b));

interface MathFunction {
  readonly arity: readonly [least: number, most: number];
  readonly write: Write;
}

const of = (least: number, most: number, write: Write): MathFunction => ({ arity: [least, most], write });
const unary = (write: Write): MathFunction => of(1, 1, write);

/** By the names of MathML. `root` and `log` have a qualifier, which the reader hands over as the first operand. */
export const mathFunctions: ReadonlyMap<string, MathFunction> = new Map<string, MathFunction>([
  ['plus', of(0, Infinity, (...terms) => fold('+', terms, number(0)))],
  ['times', of(0, Infinity, (...factors) => fold('*', factors, number(1)))],
  ['minus', of(1, 2, (a, b) => (b ? minus(a, b) : negate(a)))],
  ['divide', of(2, 2, (a, b) => over(a, b))],
  ['power', of(2, 2, (a, b) => binary('^', a, b))],
  ['root', of(2, 2, (degree, x) => rootOf(degree, x))],
  ['log', of(2, 2, (base, x) => logarithm(base, x))],
  ['ln', unary(plain('log'))],
  ['exp', unary(plain('exp'))],
  ['abs', unary(plain('abs'))],
  ['floor', unary(plain('floor'))],
  ['ceiling', unary(plain('ceil'))],
  ['factorial', unary((x) => factorial(x))],
  ...['sin', 'cos', 'tan', 'sinh', 'cosh', 'tanh'].map((fn) => [fn, unary(plain(fn))] as const),
  ...['sin', 'cos', 'tan'].map((fn) => [`arc${fn}`, unary(plain(`a${fn}`))] as const),
  ['sec', unary(inverted('cos'))],
  ['csc', unary(inverted('sin'))],
  ['cot', unary(inverted('tan'))],
  ['sech', unary(inverted('cosh'))],
  ['csch', unary(inverted('sinh'))],
  ['coth', unary(inverted('tanh'))],
  ['arcsec', unary(ofInverse(plain('acos')))],
  ['arccsc', unary(ofInverse(plain('asin')))],
  ['arccot', unary(ofInverse(plain('atan')))],
  ['arcsinh', unary(asinh)],
  ['arccosh', unary(acosh)],
  ['arctanh', unary(atanh)],
  ['arcsech', unary(ofInverse(acosh))],
  ['arccsch', unary(ofInverse(asinh))],
  ['arccoth', unary(ofInverse(atanh))],
  ['min', of(1, Infinity, extreme('min'))],
  ['max', of(1, Infinity, extreme('max'))],
  ['quotient', of(2, 2, (a, b) => call('trunc', over(a, b)))],
  ['rem', of(2, 2, (a, b) => minus(a, binary('*', b, call('trunc', over(a, b)))))],
  ['lt', of(2, Infinity, compared('<'))],
  ['leq', of(2, Infinity, compared('<='))],
  ['gt', of(2, Infinity, compared('>'))],
  ['geq', of(2, Infinity, compared('>='))],
  ['eq', of(2, Infinity, compared('=='))],
  ['neq', of(2, 2, (a, b) => binary('!=', a, b))],
  ['and', of(0, Infinity, (...terms) => fold('and', terms, truth(true)))],
  ['or', of(0, Infinity, (...terms) => fold('or', terms, truth(false)))],
  ['xor', of(0, Infinity, (...terms) => fold('!=', terms.map(asTruth), truth(false)))],
  ['not', unary((x) => not(x))],
  ['implies', of(2, 2, (a, b) => binary('or', not(a), b))],
]);

/** Of a number in the text exactly. */
function factorial(x: Expression): Expression {
  if (x.kind === 'number' && Number.isInteger(x.value) && x.value <= 170)
    return number(Array.from({ length: x.value }, (_, i) => i + 1).reduce((product, factor) => product * factor, 1));
  return call('exp', call('lgamma', plus(x, one)));
}

function rootOf(degree: Expression, x: Expression): Expression {
  if (degree.kind !== 'number') return binary('^', x, over(one, degree));
  if (degree.value === 2) return call('sqrt', x);
  return degree.value === 3 ? call('cbrt', x) : binary('^', x, over(one, degree));
}

function logarithm(base: Expression, x: Expression): Expression {
  if (base.kind !== 'number') return over(call('log', x), call('log', base));
  if (base.value === 10) return call('log10', x);
  return base.value === 2 ? call('log2', x) : over(call('log', x), call('log', base));
}

/** The first piece whose condition holds; without an `otherwise` what is left is undefined. */
export function pieces(
  list: readonly (readonly [value: Expression, condition: Expression])[],
  otherwise: Expression | undefined,
): Expression {
  return list.reduceRight((rest, [value, condition]) => choose(condition, value, rest), otherwise ?? number(NaN));
}
