/** Mathematics that is a polynomial in a symbol: p₀ + p₁·x + p₂·x² …, each coefficient free of x. */
import type { Expression } from '../formula/syntax.ts';
import { symbolsIn } from './linear.ts';
import { binary, isNumber, negate, number, over, symbolOf, times } from './syntax.ts';

/** By powers; a coefficient that is 0 is the number 0. */
export type Polynomial = readonly Expression[];

/** Undefined where it is none, or one of a higher degree than `most`. */
export function polynomialIn(id: string, node: Expression, most: number): Polynomial | undefined {
  if (symbolOf(node) === id) return [number(0), number(1)];
  if (!symbolsIn(node).has(id)) return [node];
  const inner = (each: Expression): Polynomial | undefined => polynomialIn(id, each, most);
  if (node.kind === 'unary' && node.operator === '-') return inner(node.operand)?.map(turned);
  if (node.kind !== 'binary') return undefined;
  const { operator, left, right } = node;
  if (operator === '^') return isNumber(right, 2) ? product(inner(left), inner(left), most) : undefined;
  if (operator === '/' && symbolsIn(right).has(id)) return undefined;
  const [a, b] = [inner(left), inner(right)];
  if (!a || !b) return undefined;
  switch (operator) {
    case '/':
      return a.map((each) => (isZero(each) ? each : over(each, right)));
    case '*':
      return product(a, b, most);
    case '+':
      return sum(a, b);
    case '-':
      return sum(a, b.map(turned));
    default:
      return undefined;
  }
}

const isZero = (expression: Expression): boolean => isNumber(expression, 0);

function turned(expression: Expression): Expression {
  if (isZero(expression)) return expression;
  return expression.kind === 'unary' && expression.operator === '-' ? expression.operand : negate(expression);
}

function plus(a: Expression, b: Expression): Expression {
  if (isZero(a)) return b;
  if (isZero(b)) return a;
  return b.kind === 'unary' && b.operator === '-' ? binary('-', a, b.operand) : binary('+', a, b);
}

function multiplied(a: Expression, b: Expression): Expression {
  if (isZero(a) || isZero(b)) return number(0);
  if (a.kind === 'unary' && a.operator === '-') return turned(multiplied(a.operand, b));
  if (b.kind === 'unary' && b.operator === '-') return turned(multiplied(a, b.operand));
  return times(a, b);
}

function sum(a: Polynomial, b: Polynomial): Polynomial {
  const length = Math.max(a.length, b.length);
  return Array.from({ length }, (_, power) => plus(a[power] ?? number(0), b[power] ?? number(0)));
}

function product(a: Polynomial | undefined, b: Polynomial | undefined, most: number): Polynomial | undefined {
  if (!a || !b || a.length + b.length - 2 > most) return undefined;
  return Array.from({ length: a.length + b.length - 1 }, (_, power) =>
    a.reduce((all, each, i) => plus(all, multiplied(each, b[power - i] ?? number(0))), number(0)),
  );
}
