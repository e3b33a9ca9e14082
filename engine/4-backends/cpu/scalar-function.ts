/** Scalar functions as straight-line code with structured `if`, written into the kernel at hand. */
import type { ScalarBlock, ScalarFunction, ScalarOperand } from '../../0-ir/scalar.ts';
import type { ScalarOperation } from '../../0-ir/scalar-operations.ts';
import type { Kernel } from './kernel.ts';
import { constant, stackType } from './representation.ts';
import { emitOperation, isHostOperation } from './scalar.ts';
import { get, type Expression } from './wasm/expression.ts';

/** The function's results on these arguments: constants or locals, valid until the kernel sets those again. */
export function emitFunction(k: Kernel, fn: ScalarFunction, args: readonly Expression[]): Expression[] {
  const known = new Map<number, Expression>();
  fn.parameters.forEach((parameter, i) => known.set(parameter.id, get(k.f.keep(args[i] as Expression))));
  return emitBlock(k, fn.body, known);
}

function emitBlock(k: Kernel, block: ScalarBlock, known: Map<number, Expression>): Expression[] {
  const valueOf = (operand: ScalarOperand): Expression => {
    if (operand.kind === 'literal') return constant(k.precision, operand);
    const value = known.get(operand.id);
    if (!value) throw new Error(`scalar variable ${operand.id} is used before it is defined`);
    return value;
  };
  for (const statement of block.statements) {
    if (statement.kind === 'apply') {
      const { operation, operands, result } = statement;
      const value = emitOperation(k, operation, operands[0]?.type ?? 'real', operands.map(valueOf));
      known.set(result.id, get(k.f.keep(value)));
    } else {
      const results = statement.results.map(({ type }) => k.f.local(stackType(k.precision, type)));
      const branch = (taken: ScalarBlock) => () => {
        const values = emitBlock(k, taken, known);
        results.forEach((local, i) => k.f.set(local, values[i] as Expression));
      };
      k.f.if(valueOf(statement.condition), branch(statement.then), branch(statement.else));
      statement.results.forEach(({ id }, i) => known.set(id, get(results[i] as (typeof results)[number])));
    }
  }
  return block.results.map(valueOf);
}

/** The operations of a function that are calls to the host. */
export function hostOperations(fn: ScalarFunction): ScalarOperation[] {
  const ofBlock = (block: ScalarBlock): ScalarOperation[] =>
    block.statements.flatMap((statement) => {
      if (statement.kind === 'if') return [...ofBlock(statement.then), ...ofBlock(statement.else)];
      return isHostOperation(statement.operation) ? [statement.operation] : [];
    });
  return ofBlock(fn.body);
}

/** Statements, a call to the host for ten: the order of what one evaluation costs. */
export function functionWork(fn: ScalarFunction): number {
  const ofBlock = (block: ScalarBlock): number =>
    block.statements.reduce((work, statement) => {
      if (statement.kind === 'if') return work + 1 + ofBlock(statement.then) + ofBlock(statement.else);
      return work + (isHostOperation(statement.operation) ? 10 : 1);
    }, 0);
  return ofBlock(fn.body);
}
