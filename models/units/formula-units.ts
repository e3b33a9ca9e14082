/**
 * The unit of a formula from those of its names, and what does not go together on the way.
 *
 * What is not known stays unknown and is never complained of: a name without a unit, or a number, which may be in any.
 */
import { formulaConstants } from '../formula/constants.ts';
import { chainOf } from '../formula/syntax.ts';
import type { Expression, ExpressionOf, Formula, Span } from '../formula/syntax.ts';
import { dimensionless, multiply, power, printUnit, ratio, sameUnit, type Unit } from './unit.ts';

/** `number`: a literal, which takes the unit of what it is added to, and none in a product. */
type Found = Unit | 'unknown' | 'number';

export interface UnitFault extends Span {
  readonly message: string;
}

export interface FormulaUnit {
  /** Undefined where it is not known. */
  readonly unit: Unit | undefined;
  readonly faults: readonly UnitFault[];
}

/** Their operands, and their result, are in one unit. */
const alike = new Set(['min', 'max', 'hypot', 'clamp', 'mod']);
/** Their result is in the unit of their operand. */
const kept = new Set(['abs', 'floor', 'ceil', 'round', 'trunc', 'real']);
/** Of what is in units they make no sense. log is not among them: people take it of concentrations. */
const pure = new Set([
  'exp',
  'exp2',
  'expm1',
  'sin',
  'cos',
  'tan',
  'asin',
  'acos',
  'atan',
  'sinh',
  'cosh',
  'tanh',
  'erf',
  'erfc',
  'logistic',
]);

export function formulaUnit(formula: Formula, unitOf: (name: string) => Unit | undefined): FormulaUnit {
  const faults: UnitFault[] = [];
  const local = new Map<string, Found>();
  /** Of operations that are the left operand of what is read. */
  const within = new Map<Expression, Found>();

  const together = (expressions: readonly Expression[], where: Span): Found => {
    let common: Found = 'number';
    for (const found of expressions.map(of)) {
      if (found === 'number' || common === 'unknown') continue;
      if (found === 'unknown') common = 'unknown';
      else if (common === 'number') common = found;
      else if (!sameUnit(common, found)) {
        faults.push({ message: mismatch(common, found), from: where.from, to: where.to });
        return 'unknown';
      }
    }
    return common;
  };

  const product = (left: Found, right: Found, sign: 1 | -1): Found => {
    if (left === 'unknown' || right === 'unknown') return 'unknown';
    if (left === 'number' && right === 'number') return 'number';
    return multiply(left === 'number' ? dimensionless : left, right === 'number' ? dimensionless : power(right, sign));
  };

  const call = (name: string, operands: readonly Expression[], where: Span): Found => {
    if (name === 'if') {
      const [condition, ...branches] = operands;
      if (condition) of(condition);
      return together(branches, where);
    }
    if (alike.has(name)) return together(operands, where);
    const found = operands.map(of);
    const [first = 'unknown'] = found;
    if (kept.has(name)) return first;
    if (name === 'sqrt' || name === 'cbrt') return raised(first, name === 'sqrt' ? 1 / 2 : 1 / 3);
    const exponent = operands[1];
    if (name === 'pow' && exponent) return raised(first, literal(exponent));
    if (pure.has(name) && typeof first !== 'string' && ratio(first, dimensionless) === undefined)
      faults.push({ message: `${name} wants a number without a unit, and this is in ${printUnit(first)}`, ...where });
    // Of 2 it is a number, as in a half-life log(2)/k; of a concentration nobody can say what it is in.
    return first === 'unknown' || (name === 'log' && first !== 'number') ? 'unknown' : 'number';
  };

  const binary = (expression: ExpressionOf<'binary'>): Found => {
    const { operator, left, right } = expression;
    switch (operator) {
      case '*':
        return product(of(left), of(right), 1);
      case '/':
        return product(of(left), of(right), -1);
      case '^':
        return raised(of(left), literal(right));
      case '+':
      case '-':
        return together([left, right], expression);
      case 'and':
      case 'or':
        of(left);
        of(right);
        return 'unknown';
      default:
        together([left, right], expression);
        return 'unknown';
    }
  };

  const chain = (links: readonly ExpressionOf<'binary'>[]): Found => {
    let found: Found = 'unknown';
    for (const link of links) within.set(link, (found = binary(link)));
    return found;
  };

  function of(expression: Expression): Found {
    switch (expression.kind) {
      case 'number':
        return 'number';
      case 'boolean':
        return 'unknown';
      case 'name':
        if (Object.hasOwn(formulaConstants, expression.name)) return 'number';
        return local.get(expression.name) ?? unitOf(expression.name) ?? 'unknown';
      case 'element':
        return unitOf(expression.name) ?? 'unknown';
      case 'unary':
        return of(expression.operand);
      case 'binary':
        return within.get(expression) ?? chain(chainOf(expression));
      case 'call':
        return call(expression.name, expression.operands, { from: expression.from, to: expression.to });
    }
  }

  for (const { name, value } of formula.definitions) local.set(name, of(value));
  const found = of(formula.result);
  return { unit: typeof found === 'string' ? undefined : found, faults };
}

function raised(base: Found, exponent: number | undefined): Found {
  if (base === 'number' || base === 'unknown') return base;
  if (exponent !== undefined) return power(base, exponent);
  return base.size === 0 ? base : 'unknown';
}

/** The number that an exponent is, where it is written as one. */
function literal(expression: Expression): number | undefined {
  if (expression.kind === 'number') return expression.value;
  if (expression.kind === 'unary' && expression.operator === '-') {
    const value = literal(expression.operand);
    return value === undefined ? undefined : -value;
  }
  if (expression.kind !== 'binary' || expression.operator !== '/') return undefined;
  const [top, bottom] = [literal(expression.left), literal(expression.right)];
  return top === undefined || bottom === undefined ? undefined : top / bottom;
}

/** Whether its numbers are the factor from the one unit to the other: `100*part/whole` is in %, and `1000*U` of U in V in mV. */
export function isConversion({ result }: Formula, from: Unit, to: Unit): boolean {
  const times = ratio(from, to);
  return times !== undefined && Math.abs(writtenFactor(result) / times - 1) < 1e-9;
}

/** The product of the numbers that the whole is multiplied by, or divided. */
function writtenFactor(expression: Expression): number {
  if (expression.kind === 'number') return expression.value;
  if (expression.kind !== 'binary' || (expression.operator !== '*' && expression.operator !== '/')) return 1;
  return chainOf(expression).reduce((product, { operator, left, right }, i) => {
    const first = i === 0 ? writtenFactor(left) : product;
    if (operator === '*') return first * writtenFactor(right);
    return operator === '/' ? first / writtenFactor(right) : 1;
  }, 1);
}

/** In words, with the factor between two units of one kind. */
export function mismatch(left: Unit, right: Unit): string {
  const [a, b] = [printUnit(left), printUnit(right)];
  const times = ratio(left, right);
  return times === undefined
    ? `${a} and ${b} do not go together`
    : `${a} and ${b} do not go together: one ${a} is ${Number(times.toPrecision(6))} ${b}`;
}
