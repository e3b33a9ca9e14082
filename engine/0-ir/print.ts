/**
 * Array programs as text for people, which parse.ts reads back exactly.
 *
 *     program (%0 x: real[n], %1 k: real) {
 *       %2: real[n] = map[n] (x0: real, x1: real) { x2 = x0 * x1; yield x2 } (%0, %1)
 *       %3: real = reduce[n] along 0 add (%2) @ "loss"
 *       yield loss = %3
 *     }
 *
 * Sizes are always in brackets; names and origins are quoted where they are no identifiers.
 */
import type { Operator } from './operators.ts';
import { printLiteral, printOperator, printScalarFunction } from './print-scalar.ts';
import type { Construct, ConstructKind, ConstructOf, Epilogue, Program, Statement, Value } from './program.ts';
import type { ScalarFunction } from './scalar.ts';
import { printShape, printType } from './types.ts';

type Print<C> = (construct: C, indent: string) => string;

const printers: { [K in ConstructKind]: Print<ConstructOf<K>> } = {
  literal: (c) => `literal ${printLiteral({ type: c.element, value: c.value })}`,
  map: (c, indent) => `map${printShape(c.shape)} ${printScalarFunction(c.function, indent)} ${list(c.inputs)}`,
  reduce: (c, indent) => `reduce${printShape(c.shape)} along ${c.axis} ${combining(c, indent)}`,
  scan: (c, indent) =>
    words(
      `scan${printShape(c.shape)} along ${c.axis}`,
      c.exclusive && 'exclusive',
      c.reverse && 'reverse',
      combining(c, indent),
      c.epilogue && epilogue(c.epilogue, indent),
    ),
  'segmented-scan': (c, indent) =>
    words(
      `segmented-scan${printShape(c.shape)} along ${c.axis}`,
      c.exclusive && 'exclusive',
      c.reverse && 'reverse',
      `flags ${printValue(c.flags)}`,
      combining(c, indent),
      c.epilogue && epilogue(c.epilogue, indent),
    ),
  histogram: (c, indent) =>
    words(
      `histogram${printShape(c.shape)} batch ${c.batch} bins [${c.bins}] keys ${printValue(c.keys)}`,
      c.initial && `initial ${list(c.initial)}`,
      combining(c, indent),
    ),
  'keyed-scan': (c, indent) =>
    words(
      `keyed-scan${printShape(c.shape)} batch ${c.batch} bins [${c.bins}]`,
      c.exclusive && 'exclusive',
      c.reverse && 'reverse',
      `keys ${printValue(c.keys)}`,
      c.initial && `initial ${list(c.initial)}`,
      combining(c, indent),
      c.epilogue && epilogue(c.epilogue, indent),
    ),
  recurrence: (c, indent) =>
    words(
      `recurrence${printShape(c.shape)} along ${c.axis}`,
      c.reverse && 'reverse',
      printScalarFunction(c.step, indent),
      `initial ${list(c.initial)} inputs ${list(c.inputs)} invariants ${list(c.invariants)}`,
    ),
  history: (c, indent) =>
    words(
      `history${printShape(c.shape)} along ${c.axis}`,
      c.backward && 'backward',
      `columns ${c.columns}`,
      printScalarFunction(c.step, indent),
      c.asked && `asked ${printScalarFunction(c.asked, indent)}`,
      `initial ${list(c.initial)} inputs ${list(c.inputs)} places ${list(c.places)} invariants ${list(c.invariants)}`,
    ),
  solve: (c, indent) =>
    words(
      `solve${printShape(c.shape)} in [${c.iterations}]`,
      c.linear && 'linear',
      printScalarFunction(c.residual, indent),
      `initial ${list(c.initial)} given ${list(c.given)}`,
    ),
  loop: (c, indent) =>
    `loop [${c.count}] ${printProgram(c.body, indent)} initial ${list(c.initial)} invariants ${list(c.invariants)}`,
  gather: (c) => `gather ${printValue(c.from)} at ${printValue(c.indices)} batch ${c.batch} outside ${c.outside}`,
  scatter: (c) =>
    words(
      `scatter ${printValue(c.values)} into ${printValue(c.into)} at ${printValue(c.indices)} batch ${c.batch}`,
      c.checked && 'checked',
    ),
  'sort-permutation': (c) =>
    words(`sort-permutation ${printValue(c.keys)}`, c.bound !== undefined && `bound [${c.bound}]`),
  iota: (c) => `iota [${c.length}]${c.missing ? ' missing' : ''}`,
  replicate: (c) => `replicate ${printValue(c.value)} to ${printShape(c.shape)}`,
  reverse: (c) => `reverse ${printValue(c.value)} along ${c.axis}`,
  transpose: (c) => `transpose ${printValue(c.value)} by ${printShape(c.permutation)}`,
  reshape: (c) => `reshape ${printValue(c.value)} to ${printShape(c.shape)}`,
  slice: (c) => `slice ${printValue(c.value)} along ${c.axis} from [${c.start}] length [${c.length}] step [${c.step}]`,
  concatenate: (c) => `concatenate ${list(c.values)} along ${c.axis}`,
  matmul: (c) => `matmul ${list([c.left, c.right])}`,
  call: (c, indent) => `call ${printProgram(c.program, indent)} ${list(c.inputs)}`,
};

export function printProgram(program: Program, indent = ''): string {
  const inner = `${indent}  `;
  const parameters = program.parameters.map(
    ({ name, value, missing }) =>
      `${printValue(value)} ${printName(name)}: ${printType(value.type)}${missing ? ' missing' : ''}`,
  );
  const results = program.results.map(({ name, value }) => `${printName(name)} = ${printValue(value)}`);
  const lines = [
    ...program.statements.map((statement) => printStatement(statement, inner)),
    `yield ${results.join(', ')}`.trimEnd(),
  ];
  return `program (${parameters.join(', ')}) {\n${lines.map((line) => `${inner}${line}\n`).join('')}${indent}}`;
}

function printStatement({ results, construct, origin }: Statement, indent: string): string {
  const targets = results.map((value) => `${printValue(value)}: ${printType(value.type)}`).join(', ');
  return words(
    `${targets} = ${printConstruct(construct, indent)}`.trimStart(),
    origin !== undefined && `@ ${JSON.stringify(origin)}`,
  );
}

/** One construct, without its results. */
export function printConstruct(construct: Construct, indent = ''): string {
  return (printers[construct.kind] as Print<Construct>)(construct, indent);
}

function combining(
  c: { readonly operator: Operator; readonly prologue?: ScalarFunction; readonly inputs: readonly Value[] },
  indent: string,
): string {
  return words(
    printOperator(c.operator, indent),
    c.prologue && `prologue ${printScalarFunction(c.prologue, indent)}`,
    list(c.inputs),
  );
}

function epilogue({ function: fn, inputs }: Epilogue, indent: string): string {
  return `epilogue ${printScalarFunction(fn, indent)} ${list(inputs)}`;
}

function printValue({ id }: Value): string {
  return `%${id}`;
}

function list(values: readonly Value[]): string {
  return `(${values.map(printValue).join(', ')})`;
}

function printName(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : JSON.stringify(name);
}

function words(...parts: (string | false | undefined)[]): string {
  return parts.filter(Boolean).join(' ');
}
