/** An operation on numbers alone as what it gives: choices and comparisons that data decide are decided. */
import type { BinaryOperator, Expression } from '../../formula/syntax.ts';
import { number, truth } from '../../sbml/syntax.ts';

const compare: Partial<Record<BinaryOperator, (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
};

const compute: Partial<Record<BinaryOperator, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};

/** `node`'s operands have been folded already. */
export function folded(node: Expression): Expression {
  if (node.kind === 'call' && node.name === 'if') {
    const [condition, then, otherwise] = node.operands;
    if (condition?.kind === 'boolean' && then && otherwise) return condition.value ? then : otherwise;
  }
  if (node.kind !== 'binary') return node;
  const [a, b] = [numeral(node.left), numeral(node.right)];
  if (a === undefined || b === undefined) return node;
  const decided = compare[node.operator]?.(a, b);
  if (decided !== undefined) return truth(decided);
  const value = compute[node.operator]?.(a, b);
  return value === undefined || !Number.isFinite(value) ? node : number(value);
}

/** The number that it is, below zero too. */
export function numeral(node: Expression): number | undefined {
  if (node.kind === 'number') return node.value;
  if (node.kind !== 'unary' || node.operator !== '-') return undefined;
  const inner = numeral(node.operand);
  return inner === undefined ? undefined : -inner;
}
