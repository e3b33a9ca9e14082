/** The rules that every array program keeps, checked after each rewrite in tests. */
import { nestedPrograms, sizesOf } from './construct-parts.ts';
import { inferTypes } from './infer.ts';
import { operandsOf } from './operands.ts';
import { printConstruct } from './print.ts';
import type { Construct, Program, Statement, Value } from './program.ts';
import { sizeAdd, sizeMultiply, sizeSymbols, sizeValue, type Size } from './sizes.ts';
import { IrError, printType, sameType, type ArrayType } from './types.ts';
import { verifyLiteral, verifyOperator, verifyScalarFunction } from './verify-scalar.ts';

/**
 * Throws an `IrError` that says where, unless ids are unique, every value is defined above its uses and used in its
 * type, types are those that `inferTypes` gives, scalar functions and operators are well formed, sizes are canonical,
 * and the names of parameters, and of results, are different. Bodies of loops and callees too.
 */
export function verify(program: Program): void {
  const known = new Map<number, ArrayType>();
  wantDifferent(
    program.parameters.map(({ name }) => name),
    'parameters',
  );
  wantDifferent(
    program.results.map(({ name }) => name),
    'results',
  );
  for (const { name, value } of program.parameters) define(value, known, `parameter ${name}`);
  for (const statement of program.statements) verifyStatement(statement, known);
  for (const { name, value } of program.results) wantKnown(value, known, `result ${name}`);
}

function verifyStatement({ construct, results, origin }: Statement, known: Map<number, ArrayType>): void {
  const where = `${results.map(({ id }) => `%${id}`).join(', ')} = ${construct.kind}`;
  try {
    for (const operand of operandsOf(construct)) wantKnown(operand, known, 'operand');
    verifyParts(construct);
    const types = inferTypes(construct);
    if (types.length !== results.length)
      throw new IrError(`it has ${types.length} results, and ${results.length} are named`);
    results.forEach((result, i) => {
      const type = types[i]!;
      if (!sameType(result.type, type))
        throw new IrError(`%${result.id} is ${printType(type)}, and declared as ${printType(result.type)}`);
      define(result, known, 'result');
    });
  } catch (error) {
    if (!(error instanceof IrError)) throw error;
    const block = origin === undefined ? '' : ` (of ${origin})`;
    throw new IrError(`${where}${block}: ${error.message}, in ${printConstruct(construct)}`, { cause: error });
  }
}

function verifyParts(construct: Construct): void {
  for (const size of sizesOf(construct)) verifySize(size);
  for (const nested of nestedPrograms(construct)) verify(nested);
  if (construct.kind === 'literal')
    verifyLiteral({ kind: 'literal', type: construct.element, value: construct.value }, 'literal');
  if (construct.kind === 'map') verifyScalarFunction(construct.function, 'function');
  if (construct.kind === 'recurrence') verifyScalarFunction(construct.step, 'step');
  if (construct.kind === 'history') {
    verifyScalarFunction(construct.step, 'step');
    if (construct.asked) verifyScalarFunction(construct.asked, 'asked');
  }
  if (construct.kind === 'solve') verifyScalarFunction(construct.residual, 'residual');
  if ('operator' in construct) {
    verifyOperator(construct.operator);
    if (construct.prologue) verifyScalarFunction(construct.prologue, 'prologue');
    if ('epilogue' in construct && construct.epilogue) verifyScalarFunction(construct.epilogue.function, 'epilogue');
  }
}

/** Sizes are whole numbers, or the canonical text of an expression that is not a number. */
function verifySize(size: Size): void {
  if (typeof size === 'number') {
    if (!Number.isInteger(size)) throw new IrError(`the size ${size} is not a whole number`);
    return;
  }
  // Adding nothing rewrites a size canonically; the trick needs no parser of its own.
  const canonical = sizeAdd(sizeMultiply(1, size), 0);
  if (canonical !== size) throw new IrError(`the size ${size} is not canonical, which would be ${canonical}`);
  if (sizeSymbols(size).length === 0) throw new IrError(`the size ${size} has no symbols: ${sizeValue(size, {})}`);
}

function define(value: Value, known: Map<number, ArrayType>, what: string): void {
  if (known.has(value.id)) throw new IrError(`${what}: %${value.id} is defined twice`);
  value.type.shape.forEach(verifySize);
  // Only a shape's: the start of an empty slice may be -1.
  const negative = value.type.shape.find((size) => typeof size === 'number' && size < 0);
  if (negative !== undefined) throw new IrError(`${what}: %${value.id} has an axis of ${negative} elements`);
  known.set(value.id, value.type);
}

function wantKnown(value: Value, known: ReadonlyMap<number, ArrayType>, what: string): void {
  const type = known.get(value.id);
  if (!type) throw new IrError(`${what}: %${value.id} is used before it is defined`);
  if (!sameType(type, value.type))
    throw new IrError(`${what}: %${value.id} is ${printType(type)}, and used as ${printType(value.type)}`);
}

function wantDifferent(names: readonly string[], what: string): void {
  const repeated = names.find((name, i) => names.indexOf(name) !== i);
  if (repeated !== undefined) throw new IrError(`two ${what} are named ${repeated}`);
}
