/** Mathematics that is linear in a symbol: a·x + b = 0 solved for x. Terms are kept apart, so that x = (…)/a reads as it was written. */
import type { Expression } from '../formula/syntax.ts';
import { binary, isNumber, negate, number, over, symbolOf, times } from './syntax.ts';

interface Term {
  readonly sign: 1 | -1;
  readonly of: Expression;
}

/** a and b as sums of terms. */
interface Linear {
  readonly factor: readonly Term[];
  readonly rest: readonly Term[];
}

/** The ids of the file's symbols that stand in it. */
export function symbolsIn(expression: Expression, found = new Set<string>()): Set<string> {
  const id = symbolOf(expression);
  if (id !== undefined) found.add(id);
  if (expression.kind === 'unary') symbolsIn(expression.operand, found);
  if (expression.kind === 'binary') for (const side of [expression.left, expression.right]) symbolsIn(side, found);
  if (expression.kind === 'call') for (const operand of expression.operands) symbolsIn(operand, found);
  return found;
}

/** x with expression = 0; `isCertain` where its factor is a number other than 0. Undefined where it is not linear in x. */
export function solvedFor(
  id: string,
  expression: Expression,
): { readonly value: Expression; readonly isCertain: boolean } | undefined {
  const linear = linearIn(id, expression);
  if (!linear || linear.factor.length === 0) return undefined;
  const known = linear.factor.map(({ sign, of }) => (of.kind === 'number' ? sign * of.value : NaN));
  const factor = known.reduce((sum, each) => sum + each, 0);
  if (factor === 0) return undefined;
  if (Number.isNaN(factor)) return { value: over(sum(turned(linear.rest, -1)), sum(linear.factor)), isCertain: false };
  const sign = factor < 0 ? 1 : -1;
  return { value: over(sum(turned(linear.rest, sign)), number(Math.abs(factor))), isCertain: true };
}

const turned = (terms: readonly Term[], by: number): Term[] =>
  terms.map(({ sign, of }) => ({ sign: sign * by < 0 ? -1 : 1, of }));

/** Positive terms first, so that none begins with a minus that need not. */
function sum(terms: readonly Term[]): Expression {
  const [first, ...others] = [...terms].sort((a, b) => b.sign - a.sign);
  if (!first) return number(0);
  const start = first.sign < 0 ? negate(first.of) : first.of;
  return others.reduce((all, { sign, of }) => binary(sign < 0 ? '-' : '+', all, of), start);
}

function linearIn(id: string, node: Expression): Linear | undefined {
  if (symbolOf(node) === id) return { factor: [{ sign: 1, of: number(1) }], rest: [] };
  if (!symbolsIn(node).has(id)) return { factor: [], rest: isNumber(node, 0) ? [] : termsOf(node) };
  const inner = (each: Expression): Linear | undefined => linearIn(id, each);
  if (node.kind === 'unary' && node.operator === '-') return scaled(inner(node.operand), (of) => of, -1);
  if (node.kind !== 'binary') return undefined;
  const { operator, left, right } = node;
  if (operator === '+' || operator === '-') {
    const [a, b] = [inner(left), inner(right)];
    const second = operator === '-' ? scaled(b, (of) => of, -1) : b;
    return a && second && { factor: [...a.factor, ...second.factor], rest: [...a.rest, ...second.rest] };
  }
  const inLeft = symbolsIn(left).has(id);
  if (operator === '/' && !symbolsIn(right).has(id)) return scaled(inner(left), (of) => over(of, right));
  if (operator !== '*' || (inLeft && symbolsIn(right).has(id))) return undefined;
  const [by, of] = inLeft ? [right, inner(left)] : [left, inner(right)];
  const [factor] = termsOf(by);
  const plain = by.kind === 'unary' && factor ? factor : { sign: 1 as const, of: by };
  return scaled(of, (each) => (inLeft ? times(each, plain.of) : times(plain.of, each)), plain.sign);
}

const scaled = (linear: Linear | undefined, by: (of: Expression) => Expression, sign = 1): Linear | undefined =>
  linear && {
    factor: turned(linear.factor, sign).map((term) => ({ ...term, of: by(term.of) })),
    rest: turned(linear.rest, sign).map((term) => ({ ...term, of: by(term.of) })),
  };

/** Without x: its terms, a minus before a product taken out of it. */
function termsOf(node: Expression): Term[] {
  if (node.kind === 'unary' && node.operator === '-') return turned(termsOf(node.operand), -1);
  if (node.kind === 'binary' && (node.operator === '+' || node.operator === '-'))
    return [...termsOf(node.left), ...turned(termsOf(node.right), node.operator === '-' ? -1 : 1)];
  if (node.kind === 'binary' && (node.operator === '*' || node.operator === '/')) {
    const { left, right, operator } = node;
    if (left.kind === 'unary' && left.operator === '-') {
      const of = operator === '*' ? times(left.operand, right) : over(left.operand, right);
      return [{ sign: -1, of }];
    }
  }
  return [{ sign: 1, of: node }];
}
