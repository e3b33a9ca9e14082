/** Our formulas as MathML, as far as SBML's part of it goes. */
import type { BinaryOperator, Expression } from '../../formula/syntax.ts';
import { refuse } from '../refusal.ts';
import { binary, call, choose, isNumber, name, negate, number } from '../syntax.ts';

const operators: Readonly<Record<BinaryOperator, string>> = {
  '+': 'plus',
  '-': 'minus',
  '*': 'times',
  '/': 'divide',
  '^': 'power',
  '<': 'lt',
  '<=': 'leq',
  '>': 'gt',
  '>=': 'geq',
  '==': 'eq',
  '!=': 'neq',
  and: 'and',
  or: 'or',
};

/** Of the same name but for these. */
const functions: ReadonlyMap<string, string> = new Map([
  ...['exp', 'abs', 'floor', 'sin', 'cos', 'tan', 'sinh', 'cosh', 'tanh', 'min', 'max'].map((fn) => [fn, fn] as const),
  ...['sin', 'cos', 'tan'].map((fn) => [`a${fn}`, `arc${fn}`] as const),
  ['log', 'ln'],
  ['ceil', 'ceiling'],
  ['pow', 'power'],
]);

const one = number(1);
const zero = number(0);
const plus = (a: Expression, b: Expression): Expression => binary('+', a, b);
const square = (x: Expression): Expression => binary('^', x, number(2));
const floorOf = (x: Expression): Expression => call('floor', x);

/** What MathML has no name for, by what it has. */
const written: ReadonlyMap<string, (...operands: Expression[]) => Expression> = new Map<
  string,
  (...operands: Expression[]) => Expression
>([
  ['exp2', (x) => binary('^', number(2), x)],
  ['log1p', (x) => call('log', plus(one, x))],
  ['expm1', (x) => binary('-', call('exp', x), one)],
  ['hypot', (x, y) => call('sqrt', plus(square(x), square(y)))],
  ['sign', (x) => choose(binary('<', x, zero), negate(one), choose(binary('>', x, zero), one, zero))],
  ['trunc', (x) => choose(binary('<', x, zero), call('ceil', x), floorOf(x))],
  ['mod', (x, y) => binary('-', x, binary('*', y, floorOf(binary('/', x, y))))],
  ['xlogy', (x, y) => choose(binary('==', x, zero), zero, binary('*', x, call('log', y)))],
  ['logistic', (x) => binary('/', one, plus(one, call('exp', negate(x))))],
  [
    'logaddexp',
    (x, y) => plus(call('max', x, y), call('log', plus(one, call('exp', negate(call('abs', binary('-', x, y))))))),
  ],
  ['clamp', (x, low, high) => call('max', low, call('min', high, x))],
  ['cbrt', (x) => binary('*', call('sign', x), binary('^', call('abs', x), binary('/', one, number(3))))],
]);

const constants: ReadonlyMap<string, string> = new Map([
  ['pi', '<pi/>'],
  ['e', '<exponentiale/>'],
  ['inf', '<infinity/>'],
  ['nan', '<notanumber/>'],
  ['time', '<csymbol encoding="text" definitionURL="http://www.sbml.org/sbml/symbols/time">time</csymbol>'],
]);

const delaySymbol = '<csymbol encoding="text" definitionURL="http://www.sbml.org/sbml/symbols/delay">delay</csymbol>';

/** `idOf` gives the id of a name; it refuses what has none. */
export function mathOf(expression: Expression, idOf: (name: string) => string): string {
  return `<math xmlns="http://www.w3.org/1998/Math/MathML">${content(expression, idOf)}</math>`;
}

export const numberMath = (value: number): Expression => number(value);
export const nameMath = (text: string): Expression => name(text);

function content(node: Expression, idOf: (name: string) => string): string {
  const inner = (each: Expression): string => content(each, idOf);
  const apply = (head: string, ...operands: readonly Expression[]): string =>
    `<apply><${head}/>${operands.map(inner).join('')}</apply>`;
  switch (node.kind) {
    case 'number':
      return numberText(node.value);
    case 'boolean':
      return node.value ? '<true/>' : '<false/>';
    case 'name':
      return constants.get(node.name) ?? `<ci> ${idOf(node.name)} </ci>`;
    case 'element':
      return refuse(`a formula takes one element of "${node.name}", and SBML has no arrays`);
    case 'unary':
      return apply(node.operator === '-' ? 'minus' : 'not', node.operand);
    case 'binary':
      return apply(operators[node.operator], node.left, node.right);
    case 'call': {
      const { name: fn, operands } = node;
      const [a, b, c] = operands;
      if (fn === 'if' && a && b && c)
        return `<piecewise><piece>${inner(b)}${inner(a)}</piece><otherwise>${inner(c)}</otherwise></piecewise>`;
      if (fn === 'delay' && a && b) return `<apply>${delaySymbol}${inner(a)}${inner(b)}</apply>`;
      const counted = fn === 'exp' && a ? factorialIn(a) : undefined;
      if (counted) return apply('factorial', counted);
      if (fn === 'sqrt' && a) return `<apply><root/>${inner(a)}</apply>`;
      if ((fn === 'log2' || fn === 'log10') && a)
        return `<apply><log/><logbase>${numberText(fn === 'log2' ? 2 : 10)}</logbase>${inner(a)}</apply>`;
      if (fn === 'real' && a) return inner(a);
      const same = functions.get(fn);
      if (same !== undefined) return apply(same, ...operands);
      const by = written.get(fn);
      return by ? inner(by(...operands)) : refuse(`a formula uses ${fn}(), which SBML has not`);
    }
  }
}

/** x of log x!, as an import writes it: `lgamma(x + 1)`. */
function factorialIn(node: Expression): Expression | undefined {
  const [sum] = node.kind === 'call' && node.name === 'lgamma' ? node.operands : [];
  return sum?.kind === 'binary' && sum.operator === '+' && isNumber(sum.right, 1) ? sum.left : undefined;
}

/** With its exponent apart: SBML's readers take `1e-9` for no number. */
function numberText(value: number): string {
  const [mantissa = '', exponent] = String(value).split('e');
  return exponent === undefined
    ? `<cn> ${mantissa} </cn>`
    : `<cn type="e-notation"> ${mantissa} <sep/> ${exponent.replace('+', '')} </cn>`;
}
