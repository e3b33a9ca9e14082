import fc from 'fast-check';
import { formulaFunctions, functionNames } from '../../../models/formula/functions.ts';
import { parseFormula } from '../../../models/formula/parse.ts';
import type { BinaryOperator, Expression, Formula } from '../../../models/formula/syntax.ts';

const nowhere = { from: 0, to: 0 };
const names = ['x', 'y', 'k_e', 'b1', '_', 'constructor', '__proto__', 'pi', 'index'];

/** Random expressions of any types: what the grammar takes, which is more than the compiler does. */
export const expressions: fc.Arbitrary<Expression> = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      fc.nat({ max: 99 }).map((value): Expression => ({ kind: 'number', value, whole: true, ...nowhere })),
      fc
        .double({ min: 0, noNaN: true, noDefaultInfinity: true })
        .map((value): Expression => ({ kind: 'number', value: Math.abs(value), whole: false, ...nowhere })),
      fc.constantFrom(...names).map((name): Expression => ({ kind: 'name', name, ...nowhere })),
      fc.boolean().map((value): Expression => ({ kind: 'boolean', value, ...nowhere })),
    ),
    fc
      .tuple(fc.constantFrom('-' as const, 'not' as const), tie('expression'))
      .map(([operator, operand]): Expression => ({ kind: 'unary', operator, operand, ...nowhere })),
    fc
      .tuple(
        fc.constantFrom<BinaryOperator>('+', '-', '*', '/', '^', '<', '<=', '>', '>=', '==', '!=', 'and', 'or'),
        tie('expression'),
        tie('expression'),
      )
      .map(([operator, left, right]): Expression => ({ kind: 'binary', operator, left, right, ...nowhere })),
    fc
      .tuple(fc.constantFrom(...functionNames), fc.array(tie('expression'), { minLength: 3, maxLength: 3 }))
      .map(([name, operands]): Expression => ({
        kind: 'call',
        name,
        operands: operands.slice(0, formulaFunctions[name].parameters.length),
        ...nowhere,
      })),
  ),
})).expression;

/** The same tree without its places in the text. */
export function withoutSpans(expression: Expression): unknown {
  return JSON.parse(JSON.stringify(expression, (key, value) => (key === 'from' || key === 'to' ? undefined : value)));
}

export function parsed(text: string): Formula {
  const result = parseFormula(text);
  if (!result.ok) throw new Error(`${text}: ${result.error.message}`);
  return result.formula;
}

/** Fully parenthesised, so that a test can say how operators bind. */
export function grouped(expression: Expression): string {
  switch (expression.kind) {
    case 'number':
    case 'boolean':
      return String(expression.value);
    case 'name':
      return expression.name;
    case 'element':
      return `${expression.name}[${JSON.stringify(expression.at)}]`;
    case 'call':
      return `${expression.name}(${expression.operands.map(grouped).join(', ')})`;
    case 'unary':
      return `(${expression.operator} ${grouped(expression.operand)})`;
    case 'binary':
      return `(${grouped(expression.left)} ${expression.operator} ${grouped(expression.right)})`;
  }
}
