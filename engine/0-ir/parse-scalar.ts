/** Reads what print-scalar.ts writes. */
import { builtinOperator, builtinOperators, type BuiltinOperator, type Operator } from './operators.ts';
import { infixSymbols } from './print-scalar.ts';
import type { ScalarBlock, ScalarFunction, ScalarLiteral, ScalarOperand, ScalarStatement } from './scalar.ts';
import { operationType, scalarOperations, type ScalarOperation } from './scalar-operations.ts';
import type { Scanner } from './scanner.ts';
import type { ElementType } from './types.ts';

type Known = Map<number, ScalarOperand & { kind: 'variable' }>;

const infixOperations = Object.entries(infixSymbols) as [ScalarOperation, string][];
const numberPattern = /-?(?:NaN|Infinity|\d+(?:\.\d+)?(?:e[+-]?\d+)?)/;

export function parseElementType(scanner: Scanner): ElementType {
  return scanner.wantMatch(/(?:real|int|bool)\b/, 'real, int or bool') as ElementType;
}

export function parseFunction(scanner: Scanner): ScalarFunction {
  const known: Known = new Map();
  scanner.want('(');
  const parameters = scanner.list(')', () => {
    const id = variableId(scanner);
    scanner.want(':');
    return define(id, parseElementType(scanner), known);
  });
  return { parameters, body: parseBlock(scanner, known) };
}

function parseBlock(scanner: Scanner, known: Known): ScalarBlock {
  const statements: ScalarStatement[] = [];
  scanner.want('{');
  while (!scanner.take('yield')) {
    statements.push(parseStatement(scanner, known));
    scanner.take(';');
  }
  return { statements, results: scanner.list('}', () => parseOperand(scanner, known)) };
}

function parseStatement(scanner: Scanner, known: Known): ScalarStatement {
  const targets: number[] = [];
  if (!scanner.is('if')) {
    do targets.push(variableId(scanner));
    while (scanner.take(','));
    scanner.want('=');
  }
  if (scanner.take('if')) return parseIf(scanner, targets, known);
  const { operation, operands } = parseApplication(scanner, known);
  const type = operationType(
    operation,
    operands.map((operand) => operand.type),
  );
  const [target] = targets;
  if (!type || target === undefined) scanner.refuse(`${operation} does not take these operands`);
  return { kind: 'apply', result: define(target, type, known), operation, operands };
}

function parseIf(scanner: Scanner, targets: readonly number[], known: Known): ScalarStatement {
  const condition = parseOperand(scanner, known);
  const then = parseBlock(scanner, new Map(known));
  scanner.want('else');
  const otherwise = parseBlock(scanner, new Map(known));
  if (then.results.length !== targets.length) scanner.refuse(`the branches do not give ${targets.length} results`);
  const results = targets.map((id, i) => define(id, then.results[i]!.type, known));
  return { kind: 'if', results, condition, then, else: otherwise };
}

function parseApplication(scanner: Scanner, known: Known): { operation: ScalarOperation; operands: ScalarOperand[] } {
  // Names of operations are words followed by a parenthesis; operands never are.
  const name = scanner.match(/[a-z][a-z0-9]*(?=\()/);
  if (name !== undefined) {
    if (!Object.hasOwn(scalarOperations, name)) scanner.refuse(`there is no scalar operation ${name}`);
    scanner.want('(');
    return { operation: name as ScalarOperation, operands: scanner.list(')', () => parseOperand(scanner, known)) };
  }
  const left = parseOperand(scanner, known);
  const symbol = scanner.wantMatch(/<=|==|!=|[-+*/<]/, 'an operator');
  const operation = infixOperations.find(([, text]) => text === symbol)?.[0];
  if (!operation) scanner.refuse(`there is no operator ${symbol}`);
  return { operation, operands: [left, parseOperand(scanner, known)] };
}

function parseOperand(scanner: Scanner, known: Known): ScalarOperand {
  if (scanner.match(/(?=x\d)/) === undefined) return parseLiteral(scanner);
  const id = variableId(scanner);
  return known.get(id) ?? scanner.refuse(`x${id} is used before it is defined`);
}

export function parseLiteral(scanner: Scanner): ScalarLiteral {
  if (scanner.take('true')) return { kind: 'literal', type: 'bool', value: 1 };
  if (scanner.take('false')) return { kind: 'literal', type: 'bool', value: 0 };
  const text = scanner.wantMatch(numberPattern, 'a variable or a literal');
  return { kind: 'literal', type: /^-?\d+$/.test(text) ? 'int' : 'real', value: Number(text) };
}

export function parseOperator(scanner: Scanner): Operator {
  if (!scanner.take('operator')) return parseBuiltin(scanner);
  scanner.want('neutral');
  scanner.want('(');
  const neutral = scanner.list(')', () => parseLiteral(scanner).value);
  const commutative = scanner.take('commutative');
  const confined = scanner.take('confined');
  const combine = parseFunction(scanner);
  const inverse = scanner.take('inverse') ? parseFunction(scanner) : undefined;
  const lift = scanner.take('lift')
    ? { into: parseFunction(scanner), operator: parseOperator(scanner), back: parseFunction(scanner) }
    : undefined;
  return {
    combine,
    neutral,
    commutative,
    ...(confined && { confined }),
    ...(inverse && { inverse }),
    ...(lift && { lift }),
  };
}

function parseBuiltin(scanner: Scanner): Operator {
  const name = scanner.wantMatch(/[a-z]+/, 'an operator');
  if (!Object.hasOwn(builtinOperators, name)) scanner.refuse(`there is no operator ${name}`);
  return builtinOperator(name as BuiltinOperator, scanner.take(':') ? parseElementType(scanner) : 'real');
}

function variableId(scanner: Scanner): number {
  return Number(scanner.wantMatch(/x\d+/, 'a variable').slice(1));
}

function define(id: number, type: ElementType, known: Known) {
  const variable = { kind: 'variable', id, type } as const;
  known.set(id, variable);
  return variable;
}
