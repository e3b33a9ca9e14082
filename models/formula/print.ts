/**
 * Formula to its canonical text: one blank around operators that join, no parenthesis that the grammar does not need.
 */
import { elementText } from './names.ts';
import { chainOf } from './syntax.ts';
import type { BinaryOperator, Expression, ExpressionOf, Formula } from './syntax.ts';

/** How tightly an expression binds, in the order of the grammar. */
export const binding = {
  or: 1,
  and: 2,
  not: 3,
  comparison: 4,
  sum: 5,
  product: 6,
  minus: 7,
  power: 8,
  atom: 9,
} as const;

const bindingOf: Record<BinaryOperator, number> = {
  or: binding.or,
  and: binding.and,
  '<': binding.comparison,
  '<=': binding.comparison,
  '>': binding.comparison,
  '>=': binding.comparison,
  '==': binding.comparison,
  '!=': binding.comparison,
  '+': binding.sum,
  '-': binding.sum,
  '*': binding.product,
  '/': binding.product,
  '^': binding.power,
};

export function printFormula({ definitions, result }: Formula): string {
  const lines = definitions.map(({ name, value }) => `${name} = ${printExpression(value)}`);
  return [...lines, printExpression(result)].join('\n');
}

export function printExpression(expression: Expression): string {
  return print(expression, 0);
}

/** How tightly an expression binds, and how tightly its operands must. */
export function bindingsOf(expression: Expression): { own: number; left: number; right: number } {
  if (expression.kind === 'unary') {
    const own = expression.operator === '-' ? binding.minus : binding.not;
    return { own, left: own, right: own };
  }
  if (expression.kind !== 'binary') return { own: binding.atom, left: 0, right: 0 };
  const own = bindingOf[expression.operator];
  if (own === binding.comparison) return { own, left: own + 1, right: own + 1 };
  // The exponent may be a minus (2^-1) or another power.
  if (own === binding.power) return { own, left: own + 1, right: binding.minus };
  return { own, left: own, right: own + 1 };
}

function print(expression: Expression, least: number): string {
  const { own, right } = bindingsOf(expression);
  const text = bare(expression, right);
  return own < least ? `(${text})` : text;
}

function bare(expression: Expression, right: number): string {
  switch (expression.kind) {
    case 'number':
      return printNumber(expression.value, expression.whole);
    case 'boolean':
      return String(expression.value);
    case 'name':
      return expression.name;
    case 'element':
      return elementText(expression);
    case 'call':
      return `${expression.name}(${expression.operands.map((operand) => print(operand, 0)).join(', ')})`;
    case 'unary':
      return `${expression.operator === '-' ? '-' : 'not '}${print(expression.operand, right)}`;
    case 'binary':
      return chain(chainOf(expression));
  }
}

function chain(links: readonly ExpressionOf<'binary'>[]): string {
  let text = '';
  let within = Infinity;
  for (const link of links) {
    const { own, left, right } = bindingsOf(link);
    const before = text === '' ? print(link.left, left) : within < left ? `(${text})` : text;
    text = `${before}${joint(link.operator)}${print(link.right, right)}`;
    within = own;
  }
  return text;
}

function joint(operator: BinaryOperator): string {
  return ['^', '*', '/'].includes(operator) ? operator : ` ${operator} `;
}

/** Digits alone where the number may be an int, else a point or an exponent. */
function printNumber(value: number, whole: boolean): string {
  const digits = String(value);
  return whole || !/^\d+$/.test(digits) ? digits : `${digits}.0`;
}
