/**
 * Mathematics of a file as trees of our formulas. A symbol of the file is a name that begins with `$`, so that it is none
 * of ours (`$pi` is a parameter, `pi` is π); `$R.k` is a parameter of the reaction R alone.
 */
import { walk, type BinaryOperator, type Expression } from '../formula/syntax.ts';

const nowhere = { from: 0, to: 0 };

export const number = (value: number): Expression => {
  if (Number.isNaN(value)) return name('nan');
  if (value < 0 || Object.is(value, -0)) return negate(number(-value));
  if (value === Infinity) return name('inf');
  return { kind: 'number', value, whole: Number.isInteger(value) && value < 2 ** 31, ...nowhere };
};
export const truth = (value: boolean): Expression => ({ kind: 'boolean', value, ...nowhere });
export const name = (text: string): Expression => ({ kind: 'name', name: text, ...nowhere });
export const symbol = (id: string): Expression => name(`$${id}`);
export const call = (fn: string, ...operands: Expression[]): Expression => ({
  kind: 'call',
  name: fn,
  operands,
  ...nowhere,
});
export const negate = (operand: Expression): Expression => ({ kind: 'unary', operator: '-', operand, ...nowhere });
export const not = (operand: Expression): Expression => ({ kind: 'unary', operator: 'not', operand, ...nowhere });
export const binary = (operator: BinaryOperator, left: Expression, right: Expression): Expression => ({
  kind: 'binary',
  operator,
  left,
  right,
  ...nowhere,
});
export const choose = (condition: Expression, then: Expression, otherwise: Expression): Expression =>
  call('if', condition, then, otherwise);

/** The rate of change of a symbol. */
const rateMark = '$rateOf ';
export const rateSymbol = (id: string): Expression => name(rateMark + id);
export const rateSymbolOf = (expression: Expression): string | undefined =>
  expression.kind === 'name' && expression.name.startsWith(rateMark)
    ? expression.name.slice(rateMark.length)
    : undefined;

/** a ∘ b ∘ c …; `empty` where there is none. */
export const fold = (operator: BinaryOperator, operands: readonly Expression[], empty: Expression): Expression =>
  operands.length === 0 ? empty : operands.reduce((a, b) => binary(operator, a, b));

export const isNumber = (expression: Expression, value: number): boolean =>
  expression.kind === 'number' && expression.value === value;

/** The id of a symbol of the file; undefined of anything else. */
export function symbolOf(expression: Expression): string | undefined {
  return expression.kind === 'name' && expression.name.startsWith('$') && !expression.name.startsWith(rateMark)
    ? expression.name.slice(1)
    : undefined;
}

export const usesTime = (expression: Expression): boolean =>
  [...walk(expression)].some((node) => node.kind === 'name' && node.name === 'time');

/** The expression with each node replaced, from the leaves up. */
export function rewrite(expression: Expression, change: (node: Expression) => Expression): Expression {
  return change(within(expression, (node) => rewrite(node, change)));
}

/** The expression with each of its operands replaced. */
export function within(expression: Expression, change: (node: Expression) => Expression): Expression {
  switch (expression.kind) {
    case 'call':
      return { ...expression, operands: expression.operands.map(change) };
    case 'unary':
      return { ...expression, operand: change(expression.operand) };
    case 'binary':
      return { ...expression, left: change(expression.left), right: change(expression.right) };
    default:
      return expression;
  }
}

/** a·b, a/b and a + b without what changes nothing. */
export function times(a: Expression, b: Expression): Expression {
  if (isNumber(a, 1)) return b;
  return isNumber(b, 1) ? a : binary('*', a, b);
}

export function over(a: Expression, b: Expression): Expression {
  return isNumber(b, 1) ? a : binary('/', a, b);
}
