/**
 * Formula to LaTeX that KaTeX typesets: fractions, powers of e, roots, cases, subscripts.
 *
 * Nothing of the formula reaches the LaTeX but digits, letters and escaped names, so no formula can carry a command.
 */
import { binding, bindingsOf } from './print.ts';
import { chainOf } from './syntax.ts';
import type { BinaryOperator, Expression, ExpressionOf, Formula } from './syntax.ts';

const greek = new Set(
  (
    'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi rho sigma tau upsilon phi chi psi omega ' +
    'Gamma Delta Theta Lambda Xi Sigma Upsilon Phi Psi Omega pi'
  ).split(' '),
);

const symbols = new Map([
  ['*', '\\,'],
  ['/', '/'],
  ['<=', '\\le '],
  ['>=', '\\ge '],
  ['==', '='],
  ['!=', '\\ne '],
  ['and', '\\land '],
  ['or', '\\lor '],
]);

/** Functions that LaTeX has under a name of its own. */
const operators = new Map([
  ['log', '\\ln'],
  ['log2', '\\log_{2}'],
  ['log10', '\\log_{10}'],
  ['asin', '\\arcsin'],
  ['acos', '\\arccos'],
  ['atan', '\\arctan'],
  ['lgamma', '\\ln\\Gamma'],
  ['digamma', '\\psi'],
  ...['sin', 'cos', 'tan', 'sinh', 'cosh', 'tanh', 'min', 'max'].map((name): [string, string] => [name, `\\${name}`]),
]);

/** Characters beyond which a formula is no picture that anybody reads, and takes minutes to be typeset. */
export const longestTypeset = 10_000;

/** A formula with definitions is set in lines, one for each. */
export function formulaToTex({ definitions, result }: Formula): string {
  if (definitions.length === 0) return toTex(result);
  const lines = definitions.map(({ name, value }) => `${nameToTex(name)} &= ${toTex(value)}`);
  return `\\begin{aligned}${[...lines, `&\\phantom{=}\\ ${toTex(result)}`].join(' \\\\ ')}\\end{aligned}`;
}

export function toTex(expression: Expression): string {
  return set(expression, 0);
}

/** `k_e` and `b1` get subscripts, Greek letters their own, words stand upright. */
export function nameToTex(name: string): string {
  const [, base = name, digits = ''] = /^([A-Za-z]+?)(\d+)$/.exec(name) ?? [];
  const [head = '', ...tail] = (digits ? `${base}_${digits}` : name).split('_').filter((part) => part !== '');
  if (head === '') return '\\_'.repeat(name.length);
  return tail.length === 0 ? word(head) : `${word(head)}_{${tail.map(word).join(',')}}`;
}

function word(text: string): string {
  if (greek.has(text)) return `\\${text}`;
  return text.length === 1 || /^\d+$/.test(text) ? text : `\\mathrm{${text}}`;
}

/** `flat`: in an exponent, or in another fraction, a fraction would be too small to be read, and is written on the line. */
function set(expression: Expression, least: number, flat = false): string {
  const { own } = bindingsOf(expression);
  if (flat || !isFraction(expression)) {
    const text = bare(expression, flat);
    return own < least ? parenthesised(text) : text;
  }
  // The sign of a numerator stands before the bar, where nothing else does.
  const { above: left, below } = quotient(expression);
  const negative = left.kind === 'unary' && left.operator === '-' && least <= binding.sum;
  const [only] = below;
  const under =
    below.length === 1 && only
      ? set(only, 0, true)
      : below
          .map((each) => set(each, bindingsOf(expression).right, true))
          .reduce((product, each) => joined('*', product, each));
  const text = `${negative ? '-' : ''}\\frac{${set(negative ? left.operand : left, 0, true)}}{${under}}`;
  // A fraction is held together by its bar, but a power of one needs parentheses all the same.
  return least > binding.minus ? parenthesised(text) : text;
}

/** a/b/c has one bar, and b c below it. */
function quotient(expression: ExpressionOf<'binary'>): { readonly above: Expression; readonly below: Expression[] } {
  const below: Expression[] = [];
  let above: Expression = expression;
  while (isFraction(above)) {
    below.unshift(above.right);
    above = above.left;
  }
  return { above, below };
}

function bare(expression: Expression, flat: boolean): string {
  const { right } = bindingsOf(expression);
  switch (expression.kind) {
    case 'number':
      return numberToTex(expression.value);
    case 'boolean':
      return `\\mathrm{${expression.value}}`;
    case 'name':
      return expression.name === 'inf' ? '\\infty ' : nameToTex(expression.name);
    case 'element':
      return `{${nameToTex(expression.name)}}[\\mathrm{${labelToTex(String(expression.at))}}]`;
    case 'unary':
      return `${expression.operator === '-' ? '-' : '\\lnot '}${set(expression.operand, right, flat)}`;
    case 'binary':
      if (expression.operator === '^') return `${powerBase(expression.left, flat)}^{${set(expression.right, 0, true)}}`;
      return chain(expression, flat);
    case 'call':
      return callToTex(expression, flat);
  }
}

/** Letters, digits and what joins them as they are; nothing of a label is a command. */
const labelToTex = (label: string): string => label.replace(/[^\p{L}\p{N}.-]/gu, '\\ ').replaceAll('-', '\\text{-}');

/** a + b - c, in a loop as far as the operator binds alike. */
function chain(expression: ExpressionOf<'binary'>, flat: boolean): string {
  const { own } = bindingsOf(expression);
  const links = chainOf(expression);
  const start = links.findLastIndex((link) => bindingsOf(link).own !== own || (!flat && isFraction(link))) + 1;
  let text = '';
  for (const link of links.slice(start)) {
    const { left, right } = bindingsOf(link);
    const before = text === '' ? set(link.left, left, flat) : text;
    // a/b x on the line would be read as a/(b x).
    const isQuotient = flat && link.operator === '*' && isFraction(link.left);
    text = joined(link.operator, isQuotient ? parenthesised(before) : before, set(link.right, right, flat));
  }
  return text;
}

function isFraction(expression: Expression): expression is ExpressionOf<'binary'> {
  return expression.kind === 'binary' && expression.operator === '/';
}

/** A number on the right of a product needs a dot: 2·3, not 2 3. */
function joined(operator: BinaryOperator, left: string, right: string): string {
  const symbol = operator === '*' && /^\d/.test(right) ? ' \\cdot ' : (symbols.get(operator) ?? ` ${operator} `);
  return `${left}${symbol}${right}`;
}

/** What has an exponent of its own already, as e^x, is set apart before it gets another. */
function powerBase(base: Expression, flat: boolean): string {
  const raised =
    (base.kind === 'call' && ['exp', 'exp2', 'pow'].includes(base.name)) ||
    (base.kind === 'number' && String(base.value).includes('e'));
  return raised ? parenthesised(set(base, 0, flat)) : set(base, binding.atom, flat);
}

function callToTex({ name, operands }: ExpressionOf<'call'>, flat: boolean): string {
  const raised = name === 'exp' || name === 'exp2';
  const within = (operand: Expression): string => set(operand, 0, flat || raised);
  const [a = '', b = '', c = ''] = operands.map(within);
  switch (name) {
    case 'exp':
      return `e^{${a}}`;
    case 'exp2':
      return `2^{${a}}`;
    case 'sqrt':
      return `\\sqrt{${a}}`;
    case 'cbrt':
      return `\\sqrt[3]{${a}}`;
    case 'abs':
      return `\\left|${a}\\right|`;
    case 'floor':
      return `\\left\\lfloor ${a}\\right\\rfloor `;
    case 'ceil':
      return `\\left\\lceil ${a}\\right\\rceil `;
    case 'pow': {
      const [base, exponent] = operands;
      return base && exponent ? `${powerBase(base, flat)}^{${set(exponent, 0, true)}}` : named(name, a);
    }
    case 'if':
      return `\\begin{cases}${b} & \\text{if }${a} \\\\ ${c} & \\text{otherwise}\\end{cases}`;
    default:
      return named(name, operands.map(within).join(', '));
  }
}

function named(name: string, operands: string): string {
  const operator = operators.get(name) ?? `\\operatorname{${name.replaceAll('_', '\\_')}}`;
  return `${operator}\\left(${operands}\\right)`;
}

function numberToTex(value: number): string {
  const [mantissa = '', exponent] = String(value).split('e');
  return exponent === undefined ? mantissa : `${mantissa} \\cdot 10^{${exponent.replace('+', '')}}`;
}

function parenthesised(text: string): string {
  return `\\left(${text}\\right)`;
}
