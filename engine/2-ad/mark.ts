/**
 * Values and uses to differentiate by, given names of their own: each is handed on by a reshape to its own shape, which
 * unfusing and inlining leave as it is while ids and positions around it change. What is wanted is then a value's adjoint.
 */
import { mapOperands, operandsOf } from '../0-ir/operands.ts';
import type { Program, Statement, Value } from '../0-ir/program.ts';
import { IrError } from '../0-ir/types.ts';
import { definitionsOf, firstFreeId } from '../0-ir/walk.ts';

/** One use of a value: an operand (in the order of `operandsOf`) of a statement of the program. */
export interface Use {
  readonly statement: number;
  readonly operand: number;
}

export interface Marked {
  readonly program: Program;
  /** For each target, what stands for it. */
  readonly values: readonly Value[];
}

/** The program in which all reads of a value, or the one use of it, go through a value that stands for it alone. */
export function markTargets(source: Program, targets: readonly (Value | Use)[]): Marked {
  let next = firstFreeId(source);
  const fresh = ({ type }: Value): Value => ({ id: next++, type });
  const whole = new Map<number, Value>();
  const uses = new Map<string, Value>();
  const values = targets.map((target): Value => {
    const value = 'id' in target ? known(source, target) : usedBy(source, target);
    const stand = 'id' in target ? whole.get(value.id) : uses.get(keyOf(target));
    if (stand) return stand;
    const marked = fresh(value);
    if ('id' in target) whole.set(value.id, marked);
    else uses.set(keyOf(target), marked);
    return marked;
  });
  if (whole.size === 0 && uses.size === 0) return { program: source, values };

  const now = (value: Value): Value => whole.get(value.id) ?? value;
  const handOn = (value: Value, as: Value): Statement => ({
    results: [as],
    construct: { kind: 'reshape', value, shape: value.type.shape },
  });
  const marksOf = (defined: readonly Value[]): Statement[] =>
    defined.flatMap((value) => {
      const as = whole.get(value.id);
      return as ? [handOn(value, as)] : [];
    });
  const statements = source.statements.flatMap((statement, index): Statement[] => {
    const before: Statement[] = [];
    let operand = 0;
    const construct = mapOperands(statement.construct, (value) => {
      const as = uses.get(keyOf({ statement: index, operand: operand++ }));
      if (!as) return now(value);
      before.push(handOn(now(value), as));
      return as;
    });
    return [...before, { ...statement, construct }, ...marksOf(statement.results)];
  });
  return {
    program: {
      parameters: source.parameters,
      statements: [...marksOf(source.parameters.map(({ value }) => value)), ...statements],
      results: source.results.map(({ name, value }) => ({ name, value: now(value) })),
    },
    values,
  };
}

const keyOf = ({ statement, operand }: Use): string => `${statement}.${operand}`;

function known(program: Program, value: Value): Value {
  const isParameter = program.parameters.some((parameter) => parameter.value.id === value.id);
  if (!isParameter && !definitionsOf(program).has(value.id)) throw new IrError(`there is no value %${value.id}`);
  return value;
}

function usedBy(program: Program, use: Use): Value {
  const statement = program.statements[use.statement];
  const value = statement && operandsOf(statement.construct)[use.operand];
  if (!value) throw new IrError(`there is no use ${keyOf(use)}`);
  return value;
}
