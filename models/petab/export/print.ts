/** Formulas as PEtab's tables have them: what its mathematics lacks is written by what it has. */
import type { BinaryOperator, Expression } from '../../formula/syntax.ts';
import { refuse } from '../../sbml/refusal.ts';
import { binary, call, negate, number } from '../../sbml/syntax.ts';
import { numeral } from './fold.ts';

const one = number(1);

const same = new Set([
  ...['exp', 'abs', 'min', 'max', 'floor', 'sqrt', 'log2', 'log10', 'sign'],
  ...['sin', 'cos', 'tan', 'sinh', 'cosh', 'tanh'],
]);

const renamed: ReadonlyMap<string, string> = new Map([
  ['log', 'ln'],
  ['ceil', 'ceiling'],
  ['asin', 'arcsin'],
  ['acos', 'arccos'],
  ['atan', 'arctan'],
  ['pow', 'pow'],
]);

const written: ReadonlyMap<string, (...operands: Expression[]) => Expression> = new Map<
  string,
  (...operands: Expression[]) => Expression
>([
  ['exp2', (x) => binary('^', number(2), x)],
  ['log1p', (x) => call('log', binary('+', one, x))],
  ['expm1', (x) => binary('-', call('exp', x), one)],
  ['logistic', (x) => binary('/', one, binary('+', one, call('exp', negate(x))))],
  ['clamp', (x, low, high) => call('max', low, call('min', high, x))],
]);

const signs: Partial<Record<BinaryOperator, string>> = { and: '&&', or: '||' };

const constantText: ReadonlyMap<string, string> = new Map([
  ['pi', String(Math.PI)],
  ['e', 'exp(1)'],
  ['inf', 'inf'],
]);

/** `idOf` is what a name is called in the tables. Throws a refusal. */
export function printMath(expression: Expression, idOf: (name: string) => string): string {
  const print = (node: Expression): string => printMath(node, idOf);
  // Every operand that is an operation stands in brackets: no reader's order of operations matters.
  const inner = (node: Expression): string =>
    node.kind === 'binary' || node.kind === 'unary' || (numeral(node) ?? 0) < 0 ? `(${print(node)})` : print(node);
  switch (expression.kind) {
    case 'number':
      return printNumber(expression.value);
    case 'boolean':
      return expression.value ? 'true' : 'false';
    case 'name':
      return constantText.get(expression.name) ?? (expression.name === 'nan' ? refuseNaN() : idOf(expression.name));
    case 'element':
      return refuse(`a formula takes one element of "${expression.name}", and PEtab has no arrays`);
    case 'unary':
      return `${expression.operator === 'not' ? '!' : '-'}${inner(expression.operand)}`;
    case 'binary':
      return `${inner(expression.left)} ${signs[expression.operator] ?? expression.operator} ${inner(expression.right)}`;
    case 'call': {
      const { name: fn, operands } = expression;
      const arguments_ = (): string => operands.map(print).join(', ');
      if (fn === 'if') {
        const [condition, then, otherwise] = operands.map(print);
        return `piecewise(${then}, ${condition}, ${otherwise})`;
      }
      if (same.has(fn)) return `${fn}(${arguments_()})`;
      const other = renamed.get(fn);
      if (other !== undefined) return `${other}(${arguments_()})`;
      const by = written.get(fn);
      return by ? print(by(...operands)) : refuse(`"${fn}" is no function of PEtab's mathematics`);
    }
  }
}

const refuseNaN = (): never => refuse('a formula has NaN in it, which PEtab does not have');

export function printNumber(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  return Number.isFinite(value) ? String(value) : value > 0 ? 'inf' : '-inf';
}

/** Every node replaced from the root down, where `change` gives something. */
export function replaced(expression: Expression, change: (node: Expression) => Expression | undefined): Expression {
  const found = change(expression);
  if (found) return found;
  const again = (node: Expression): Expression => replaced(node, change);
  switch (expression.kind) {
    case 'call':
      return { ...expression, operands: expression.operands.map(again) };
    case 'unary':
      return { ...expression, operand: again(expression.operand) };
    case 'binary':
      return { ...expression, left: again(expression.left), right: again(expression.right) };
    default:
      return expression;
  }
}
