/** Evaluates a scalar function as it stands, statement by statement. */
import type { ScalarBlock, ScalarFunction, ScalarOperand } from '../../../0-ir/scalar.ts';
import { IrError } from '../../../0-ir/types.ts';
import { meaningOf } from './meaning.ts';

/** The function's results. Only the branch taken of an `if` is run. */
export function evaluateScalar(fn: ScalarFunction, args: readonly number[]): number[] {
  if (args.length !== fn.parameters.length)
    throw new IrError(`a function of ${fn.parameters.length} parameters got ${args.length} arguments`);
  const known = new Map<number, number>();
  fn.parameters.forEach((parameter, i) => known.set(parameter.id, args[i]!));
  return evaluateBlock(fn.body, known);
}

function evaluateBlock(block: ScalarBlock, known: Map<number, number>): number[] {
  const valueOf = (operand: ScalarOperand): number => {
    if (operand.kind === 'literal') return operand.value;
    const value = known.get(operand.id);
    if (value === undefined) throw new IrError(`scalar variable ${operand.id} is used before it is defined`);
    return value;
  };
  for (const statement of block.statements) {
    if (statement.kind === 'apply') {
      const { operation, operands, result } = statement;
      known.set(result.id, meaningOf(operation, operands[0]?.type ?? 'real')(...operands.map(valueOf)));
    } else {
      const taken = valueOf(statement.condition) !== 0 ? statement.then : statement.else;
      const results = evaluateBlock(taken, known);
      statement.results.forEach((result, i) => known.set(result.id, results[i]!));
    }
  }
  return block.results.map(valueOf);
}
