/**
 * What a formula means, read straight off its tree: slow, obvious, and without the compiler's types and definitions.
 */
import fc from 'fast-check';
import type { Expression, Formula } from '../../../models/formula/syntax.ts';

export interface Held {
  readonly type: 'real' | 'int' | 'bool' | 'whole';
  readonly value: number;
}

const unary: Record<string, (x: number) => number> = {
  exp: Math.exp,
  abs: Math.abs,
  sin: Math.sin,
  log: Math.log,
  floor: Math.floor,
  ceil: Math.ceil,
  trunc: Math.trunc,
};

export function evaluateSyntax(formula: Formula, inputs: ReadonlyMap<string, Held>): Held {
  const known = new Map(inputs);
  // Every definition is evaluated, at once: without side effects nobody can tell.
  for (const { name, value } of formula.definitions) known.set(name, evaluate(value, known));
  return evaluate(formula.result, known);
}

function evaluate(expression: Expression, known: ReadonlyMap<string, Held>): Held {
  const of = (part: Expression) => evaluate(part, known);
  switch (expression.kind) {
    case 'number':
      return { type: expression.whole ? 'whole' : 'real', value: expression.value };
    case 'boolean':
      return bool(expression.value);
    case 'name':
      return known.get(expression.name)!;
    case 'element':
      throw new Error('no formula that is drawn names an element');
    case 'unary': {
      const operand = of(expression.operand);
      if (expression.operator === 'not') return bool(operand.value === 0);
      return operand.type === 'int'
        ? { type: 'int', value: -operand.value | 0 }
        : { ...operand, value: -operand.value };
    }
    case 'binary':
      return binary(expression.operator, of(expression.left), of(expression.right));
    case 'call': {
      const operands = expression.operands.map(of);
      const [a, b, c] = operands as [Held, Held, Held];
      if (expression.name === 'if') {
        const taken = a.value !== 0 ? b : c;
        return b.type === 'bool' ? taken : { type: meet(b, c), value: taken.value };
      }
      if (expression.name === 'real') return { type: 'real', value: a.value };
      const [x, y] = operands.map((operand) => operand.value) as [number, number];
      // Of two whole literals 0 or NaN, as the context makes them ints or reals.
      if (expression.name === 'mod') fc.pre(meet(a, b) !== 'whole' || y !== 0);
      if (expression.name === 'mod')
        return arithmetic(a, b, meet(a, b) === 'int' && y === 0 ? 0 : x - y * Math.floor(x / y));
      if (expression.name === 'min') return arithmetic(a, b, Number.isNaN(y) || y < x ? y : x);
      if (expression.name === 'max') return arithmetic(a, b, Number.isNaN(y) || y > x ? y : x);
      return { type: 'real', value: unary[expression.name]!(x) };
    }
  }
}

function binary(operator: string, a: Held, b: Held): Held {
  const [x, y] = [a.value, b.value];
  switch (operator) {
    case '+':
      return arithmetic(a, b, x + y);
    case '-':
      return arithmetic(a, b, x - y);
    case '*':
      return arithmetic(a, b, meet(a, b) === 'int' ? Math.imul(x, y) : x * y);
    case '/':
      return { type: 'real', value: x / y };
    case '^':
      return { type: 'real', value: x ** y };
    case '<':
      return bool(x < y);
    case '<=':
      return bool(x <= y);
    case '>':
      return bool(x > y);
    case '>=':
      return bool(x >= y);
    case '==':
      return bool(x === y);
    case '!=':
      return bool(x !== y);
    case 'and':
      return bool(x !== 0 && y !== 0);
    default:
      return bool(x !== 0 || y !== 0);
  }
}

function meet(a: Held, b: Held): 'real' | 'int' | 'whole' {
  if (a.type === 'real' || b.type === 'real') return 'real';
  return a.type === 'int' || b.type === 'int' ? 'int' : 'whole';
}

function arithmetic(a: Held, b: Held, value: number): Held {
  const type = meet(a, b);
  return { type, value: type === 'int' ? value | 0 : value };
}

function bool(value: boolean): Held {
  return { type: 'bool', value: Number(value) };
}
