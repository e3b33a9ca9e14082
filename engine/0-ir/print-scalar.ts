/**
 * Scalar functions and operators as text, which parse-scalar.ts reads back exactly.
 *
 *     (x0: real, x1: real) { x2 = x0 * x1; x3 = sin(x2); yield x3 }
 */
import { builtinOperator, builtinOperators, type BuiltinOperator, type Operator } from './operators.ts';
import type { ScalarBlock, ScalarFunction, ScalarLiteral, ScalarOperand, ScalarStatement } from './scalar.ts';
import type { ScalarOperation } from './scalar-operations.ts';
import type { ElementType } from './types.ts';

/** Operations that are written between their operands. */
export const infixSymbols = {
  add: '+',
  sub: '-',
  mul: '*',
  div: '/',
  lt: '<',
  le: '<=',
  eq: '==',
  ne: '!=',
} as const satisfies Partial<Record<ScalarOperation, string>>;

/** Longer functions take several lines. */
const lineLimit = 100;

export function printScalarFunction(fn: ScalarFunction, indent = ''): string {
  const parameters = fn.parameters.map(({ id, type }) => `x${id}: ${type}`).join(', ');
  return `(${parameters}) ${printBlock(fn.body, indent)}`;
}

function printBlock(block: ScalarBlock, indent: string): string {
  const inner = `${indent}  `;
  const lines = block.statements.map((statement) => printStatement(statement, inner));
  lines.push(`yield ${block.results.map(printOperand).join(', ')}`.trimEnd());
  const short = `{ ${lines.join('; ')} }`;
  if (short.length <= lineLimit && !short.includes('\n')) return short;
  return `{\n${lines.map((line) => `${inner}${line}\n`).join('')}${indent}}`;
}

function printStatement(statement: ScalarStatement, indent: string): string {
  if (statement.kind === 'apply')
    return `${printOperand(statement.result)} = ${printApplication(statement.operation, statement.operands)}`;
  const { results, condition, then, else: otherwise } = statement;
  const targets = results.length > 0 ? `${results.map(printOperand).join(', ')} = ` : '';
  return `${targets}if ${printOperand(condition)} ${printBlock(then, indent)} else ${printBlock(otherwise, indent)}`;
}

function printApplication(operation: ScalarOperation, operands: readonly ScalarOperand[]): string {
  const texts = operands.map(printOperand);
  const infix = (infixSymbols as Partial<Record<ScalarOperation, string>>)[operation];
  return infix && texts.length === 2 ? texts.join(` ${infix} `) : `${operation}(${texts.join(', ')})`;
}

function printOperand(operand: ScalarOperand): string {
  return operand.kind === 'variable' ? `x${operand.id}` : printLiteral(operand);
}

/** `2.0` and `1e-7` are real, `2` is an int, `true` a bool. */
export function printLiteral({ type, value }: Pick<ScalarLiteral, 'type' | 'value'>): string {
  if (type === 'bool') return value === 0 ? 'false' : 'true';
  const text = Object.is(value, -0) ? '-0' : String(value);
  return type === 'real' && /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** By its name where it is exactly the built-in: `add`, on ints `add:int`. */
export function printOperator(operator: Operator, indent = ''): string {
  const name = builtinName(operator);
  if (name) return name;
  const types = operator.combine.parameters.map(({ type }) => type);
  const neutral = operator.neutral.map((value, i) => printLiteral({ type: types[i] ?? 'real', value }));
  const parts = [`operator neutral (${neutral.join(', ')})`];
  if (operator.commutative) parts.push('commutative');
  if (operator.confined) parts.push('confined');
  parts.push(printScalarFunction(operator.combine, indent));
  if (operator.inverse) parts.push(`inverse ${printScalarFunction(operator.inverse, indent)}`);
  if (operator.lift) {
    const { into, operator: lifted, back } = operator.lift;
    parts.push(`lift ${printScalarFunction(into, indent)} ${printOperator(lifted, indent)}`);
    parts.push(printScalarFunction(back, indent));
  }
  return parts.join(' ');
}

function builtinName(operator: Operator): string | undefined {
  const element: ElementType = operator.combine.parameters[0]?.type ?? 'real';
  if (element === 'bool' || operator.inverse || operator.lift || operator.confined) return undefined;
  for (const name of Object.keys(builtinOperators) as BuiltinOperator[]) {
    if (element === 'int' && name === 'logaddexp') continue;
    const builtin = builtinOperator(name, element);
    const same =
      operator.commutative === builtin.commutative &&
      operator.neutral.length === 1 &&
      Object.is(operator.neutral[0], builtin.neutral[0]) &&
      printScalarFunction(operator.combine) === printScalarFunction(builtin.combine);
    if (same) return element === 'int' ? `${name}:int` : name;
  }
  return undefined;
}
