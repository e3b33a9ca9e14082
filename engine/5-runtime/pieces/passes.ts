/**
 * A program over all rows as programs over pieces of them. A pass goes through all pieces and gives what each contributes
 * to some totals; their contributions are combined in the order of the rows, and the totals are inputs of the next pass.
 * What is left of the program when all totals are known reads no rows.
 */
import { withoutDeadCode } from '../../1-optimize/dead-code.ts';
import { operandsOf } from '../../0-ir/operands.ts';
import { builtinOperator } from '../../0-ir/operators.ts';
import type { Construct, Named, Program, Statement, Value } from '../../0-ir/program.ts';
import { scalarFunction } from '../../0-ir/scalar-builder.ts';
import { arrayType } from '../../0-ir/types.ts';
import { firstFreeId, inlineCalls } from '../../0-ir/walk.ts';
import { rowPlaces, type Total } from './row-places.ts';

/** The input of a pass that is the number of rows before its piece. */
export const rowsBefore = 'rows before the piece';

/** The size of the axis along which contributions of pieces are combined. */
export const piecesSymbol = 'pieces';

export interface Pass {
  /** Of a piece: its results are what the piece contributes to the totals. */
  readonly program: Program;
  /** Its inputs that have rows. */
  readonly columns: readonly string[];
  /** Its inputs that the program over all rows does not have. */
  readonly added: readonly string[];
  /** Of the contributions of all pieces, [pieces, …]: its results are the totals, by the same names. */
  readonly combine: Program;
}

export interface Passes {
  readonly passes: readonly Pass[];
  /** Of the totals: the results of the whole. */
  readonly last: Program;
}

/** Undefined where the program cannot be run in pieces of the rows whose number the symbol is. */
export function passesOver(whole: Program, symbol: string): Passes | undefined {
  const program = withoutDeadCode(inlineCalls(whole));
  const found = rowPlaces(program, symbol);
  if (!found || program.results.some(({ value }) => found.places.get(value.id)?.axis !== undefined)) return undefined;
  const { totals } = found;
  const count = Math.max(0, ...totals.map(({ pass }) => pass + 1));
  const cut = new Set(totals.map(({ statement }) => statement));
  const known = (pass: number): Named[] => named(totals.filter((total) => total.pass < pass));
  /** What computes the results from the inputs, totals and all else that is known in this pass. */
  const part = (pass: number, results: readonly Named[], kept: (statement: Statement) => boolean): Program => {
    const parameters = [...program.parameters, ...known(pass)];
    const statements = program.statements.filter((statement) => !cut.has(statement) || kept(statement));
    return onlyRead(withoutDeadCode({ parameters, statements, results }));
  };
  const passes = Array.from({ length: count }, (_, pass): Pass => {
    const own = totals.filter((total) => total.pass === pass);
    const statements = new Set(own.map(({ statement }) => statement));
    const pieces = counting(
      part(pass, named(own), (statement) => statements.has(statement)),
      symbol,
    );
    const columns = pieces.parameters.filter(({ value }) => value.type.shape[0] === symbol).map(({ name }) => name);
    const added = [...known(pass).map(({ name }) => name), rowsBefore];
    return { program: pieces, columns, added, combine: combining(own) };
  });
  return { passes, last: part(count, program.results, () => false) };
}

const named = (totals: readonly Total[]): Named[] =>
  totals.flatMap(({ statement }) => statement.results.map((value) => ({ name: `total ${value.id}`, value })));

/** Without the inputs that nothing reads: the last program has no rows. */
function onlyRead(program: Program): Program {
  const read = new Set(program.results.map(({ value }) => value.id));
  for (const { construct } of program.statements) for (const { id } of operandsOf(construct)) read.add(id);
  return { ...program, parameters: program.parameters.filter(({ value }) => read.has(value.id)) };
}

const sum = scalarFunction(['int', 'int'], (s, x, y) => [s.apply('add', x, y)]);

/** Rows count from the first of all, not of the piece. */
function counting(program: Program, symbol: string): Program {
  const counts = ({ construct }: Statement): boolean => construct.kind === 'iota' && construct.length === symbol;
  if (!program.statements.some(counts)) return program;
  let id = firstFreeId(program);
  const before: Value = { id: id++, type: arrayType('int') };
  const statements = program.statements.flatMap((statement): Statement[] => {
    if (!counts(statement)) return [statement];
    const own: Value = { id: id++, type: arrayType('int', [symbol]) };
    const shifted: Construct = { kind: 'map', function: sum, shape: [symbol], inputs: [own, before] };
    return [
      { ...statement, results: [own] },
      { ...statement, construct: shifted },
    ];
  });
  return { ...program, parameters: [...program.parameters, { name: rowsBefore, value: before }], statements };
}

function combining(totals: readonly Total[]): Program {
  let id = 0;
  const parameters: Named[] = [];
  const statements: Statement[] = [];
  const results: Named[] = [];
  for (const { statement } of totals) {
    const contributions = named([{ statement, pass: 0 }]).map(({ name, value: { type } }): Named => {
      const value = { id: id++, type: arrayType(type.element, [piecesSymbol, ...type.shape]) };
      return { name, value };
    });
    const combined = statement.results.map(({ type }) => ({ id: id++, type }));
    const { construct } = statement;
    const operator =
      construct.kind === 'reduce' || construct.kind === 'histogram' ? construct.operator : builtinOperator('add');
    const shape = contributions[0]!.value.type.shape;
    const inputs = contributions.map(({ value }) => value);
    statements.push({ construct: { kind: 'reduce', operator, shape, inputs, axis: 0 }, results: combined });
    parameters.push(...contributions);
    contributions.forEach(({ name }, i) => results.push({ name, value: combined[i] as Value }));
  }
  return { parameters, statements, results };
}
