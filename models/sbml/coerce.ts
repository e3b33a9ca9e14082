/**
 * Truth values and numbers as our formulas want them apart: Level 3 Version 2 lets one stand for the other, 1 and 0 for
 * true and false, and every number but 0 for true.
 */
import type { Expression } from '../formula/syntax.ts';
import { binary, call, number } from './syntax.ts';

const comparisons = new Set(['<', '<=', '>', '>=', '==', '!=']);

function isTruth(expression: Expression): boolean {
  switch (expression.kind) {
    case 'boolean':
      return true;
    case 'unary':
      return expression.operator === 'not';
    case 'binary':
      return expression.operator === 'and' || expression.operator === 'or' || comparisons.has(expression.operator);
    case 'call':
      return expression.name === 'if' && expression.operands.slice(1).every(isTruth);
    default:
      return false;
  }
}

export function asNumber(expression: Expression): Expression {
  const inner = inside(expression);
  return isTruth(inner) ? call('real', inner) : inner;
}

export function asTruth(expression: Expression): Expression {
  const inner = inside(expression);
  return isTruth(inner) ? inner : binary('!=', inner, number(0));
}

/** What is inside as its place wants it. */
function inside(expression: Expression): Expression {
  switch (expression.kind) {
    case 'unary':
      return {
        ...expression,
        operand: expression.operator === 'not' ? asTruth(expression.operand) : asNumber(expression.operand),
      };
    case 'binary': {
      const { operator, left, right } = expression;
      const logical =
        operator === 'and' ||
        operator === 'or' ||
        ((operator === '==' || operator === '!=') && isTruth(left) && isTruth(right));
      const as = logical ? asTruth : asNumber;
      return { ...expression, left: as(left), right: as(right) };
    }
    case 'call': {
      if (expression.name !== 'if') return { ...expression, operands: expression.operands.map(asNumber) };
      const [condition, ...branches] = expression.operands as [Expression, Expression, Expression];
      const as = branches.every(isTruth) ? asTruth : asNumber;
      return { ...expression, operands: [asTruth(condition), ...branches.map(as)] };
    }
    default:
      return expression;
  }
}
