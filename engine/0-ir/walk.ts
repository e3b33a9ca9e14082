/** Walkers over array programs: uses, symbols, fresh ids, substitution, inlining. Programs are data; all give new ones. */
import type { ProgramBuilder } from './builder.ts';
import { mapNestedPrograms, nestedPrograms, sizesOf } from './construct-parts.ts';
import { mapOperands, operandsOf } from './operands.ts';
import type { Program, Statement, Value } from './program.ts';
import { sizeSymbols, type Size } from './sizes.ts';
import { IrError, sameType, type ArrayType } from './types.ts';

/** Where a value is read: as the `operand`-th operand (in the order of `operandsOf`) of a statement, or as a result. */
export type Use =
  | { readonly kind: 'operand'; readonly statement: number; readonly operand: number }
  | { readonly kind: 'result'; readonly result: number };

/** Every value's uses in the order of the program, by id. A value that nobody reads has none and is absent. */
export function usesOf(program: Program): Map<number, Use[]> {
  const uses = new Map<number, Use[]>();
  const add = (value: Value, use: Use) => {
    const known = uses.get(value.id);
    if (known) known.push(use);
    else uses.set(value.id, [use]);
  };
  program.statements.forEach(({ construct }, statement) =>
    operandsOf(construct).forEach((value, operand) => add(value, { kind: 'operand', statement, operand })),
  );
  program.results.forEach(({ value }, result) => add(value, { kind: 'result', result }));
  return uses;
}

/** The statement that defines each value, by id; parameters are absent. */
export function definitionsOf(program: Program): Map<number, Statement> {
  const definitions = new Map<number, Statement>();
  for (const statement of program.statements)
    for (const result of statement.results) definitions.set(result.id, statement);
  return definitions;
}

/** An id above all of the program's (of its own, not of loop bodies, which number theirs apart). */
export function firstFreeId(program: Program): number {
  let free = 0;
  for (const { value } of program.parameters) free = Math.max(free, value.id + 1);
  for (const { results } of program.statements) for (const { id } of results) free = Math.max(free, id + 1);
  return free;
}

/** Every read of a value in the map reads its replacement instead; definitions stay. */
export function substituteValues(program: Program, replacements: ReadonlyMap<number, Value>): Program {
  const replace = (value: Value) => replacements.get(value.id) ?? value;
  return {
    parameters: program.parameters,
    statements: program.statements.map((statement) => ({
      ...statement,
      construct: mapOperands(statement.construct, replace),
    })),
    results: program.results.map(({ name, value }) => ({ name, value: replace(value) })),
  };
}

/** The same program with ids 0, 1, … in the order of definition, and bodies of loops and callees likewise. */
export function renumber(program: Program): Program {
  const known = new Map<number, Value>();
  const fresh = (value: Value): Value => {
    const renumbered = { id: known.size, type: value.type };
    known.set(value.id, renumbered);
    return renumbered;
  };
  return {
    parameters: program.parameters.map((parameter) => ({ ...parameter, value: fresh(parameter.value) })),
    statements: program.statements.map((statement) => {
      const construct = mapNestedPrograms(mapOperands(statement.construct, resolver(known)), renumber);
      return { ...statement, results: statement.results.map(fresh), construct };
    }),
    results: program.results.map(({ name, value }) => ({ name, value: resolver(known)(value) })),
  };
}

/** The program's parameters in one under construction, with what is known of their data. */
export function sameParameters(builder: ProgramBuilder, { parameters }: Pick<Program, 'parameters'>): Value[] {
  return parameters.map(({ name, value, ...facts }) => builder.parameter(name, value.type, facts));
}

/** Copies a program's body into one under construction, on these arguments. What its results are there. */
export function inlineProgram(builder: ProgramBuilder, program: Program, args: readonly Value[]): Value[] {
  const known = bindArguments(program, args);
  copyStatements(
    program,
    known,
    (type) => builder.value(type),
    (statement) =>
      builder.append(
        statement.origin === undefined && builder.origin !== undefined
          ? { ...statement, origin: builder.origin }
          : statement,
      ),
  );
  return program.results.map(({ value }) => resolver(known)(value));
}

/** The program without calls, in the bodies of loops too. What is not a call keeps its ids. */
export function inlineCalls(program: Program): Program {
  const statements: Statement[] = [];
  const known = new Map<number, Value>();
  let next = firstFreeId(program);
  const resolve = (value: Value) => known.get(value.id) ?? value;
  for (const statement of program.statements) {
    const construct = mapOperands(statement.construct, resolve);
    if (construct.kind !== 'call') {
      statements.push({ ...statement, construct: mapNestedPrograms(construct, inlineCalls) });
      continue;
    }
    const callee = inlineCalls(construct.program);
    const inside = bindArguments(callee, construct.inputs);
    copyStatements(
      callee,
      inside,
      (type) => ({ id: next++, type }),
      (copy) =>
        statements.push(
          copy.origin === undefined && statement.origin !== undefined ? { ...copy, origin: statement.origin } : copy,
        ),
    );
    statement.results.forEach((result, i) =>
      known.set(result.id, resolver(inside)((callee.results[i] as { value: Value }).value)),
    );
  }
  return {
    parameters: program.parameters,
    statements,
    results: program.results.map(({ name, value }) => ({ name, value: resolve(value) })),
  };
}

/** The symbols of all sizes in a program, its loops' bodies and its callees, each once, in the order of occurrence. */
export function programSymbols(program: Program): string[] {
  const symbols = new Set<string>();
  const addSizes = (sizes: readonly Size[]) => {
    for (const size of sizes) for (const symbol of sizeSymbols(size)) symbols.add(symbol);
  };
  for (const { value } of program.parameters) addSizes(value.type.shape);
  for (const { results, construct } of program.statements) {
    addSizes(sizesOf(construct));
    for (const { type } of results) addSizes(type.shape);
    for (const nested of nestedPrograms(construct)) for (const symbol of programSymbols(nested)) symbols.add(symbol);
  }
  return [...symbols];
}

function bindArguments(program: Program, args: readonly Value[]): Map<number, Value> {
  if (args.length !== program.parameters.length)
    throw new IrError(`a program of ${program.parameters.length} parameters got ${args.length} arguments`);
  const known = new Map<number, Value>();
  program.parameters.forEach(({ name, value }, i) => {
    const argument = args[i]!;
    if (!sameType(argument.type, value.type)) throw new IrError(`the argument for ${name} is of another type`);
    known.set(value.id, argument);
  });
  return known;
}

function copyStatements(
  program: Program,
  known: Map<number, Value>,
  fresh: (type: ArrayType) => Value,
  append: (statement: Statement) => void,
): void {
  for (const statement of program.statements) {
    const construct = mapOperands(statement.construct, resolver(known));
    const results = statement.results.map((result) => {
      const copy = fresh(result.type);
      known.set(result.id, copy);
      return copy;
    });
    append({ ...statement, results, construct });
  }
}

function resolver(known: ReadonlyMap<number, Value>): (value: Value) => Value {
  return (value) => {
    const found = known.get(value.id);
    if (!found) throw new IrError(`value ${value.id} is used before it is defined`);
    return found;
  };
}
