/** Scalar functions as straight-line code with structured `if`, written into the kernel at hand. */
import type { ScalarBlock, ScalarFunction, ScalarOperand } from '../../0-ir/scalar.ts';
import { isElementary } from './elementary/table.ts';
import type { Kernel } from './kernel.ts';
import { onePoint, type Branch, type Lanes } from './lanes.ts';
import { isInRange, rangeTest } from './range-test.ts';
import { get, type Expression } from './wasm/expression.ts';

/** The function's results on these arguments: constants or locals, valid until the kernel sets those again. */
export function emitFunction(
  k: Kernel,
  fn: ScalarFunction,
  args: readonly Expression[],
  lanes: Lanes = onePoint,
): Expression[] {
  const known = new Map<number, Expression>();
  fn.parameters.forEach((parameter, i) => known.set(parameter.id, get(k.f.keep(args[i] as Expression))));
  return emitBlock(k, fn.body, known, lanes);
}

function emitBlock(k: Kernel, block: ScalarBlock, known: Map<number, Expression>, lanes: Lanes): Expression[] {
  const valueOf = (operand: ScalarOperand): Expression => {
    if (operand.kind === 'literal') return lanes.constant(k, operand);
    const value = known.get(operand.id);
    if (!value) throw new Error(`scalar variable ${operand.id} is used before it is defined`);
    return value;
  };
  const branch = (taken: ScalarBlock): Branch => ({
    work: blockWork(taken),
    emit: () => emitBlock(k, taken, known, lanes),
  });
  const definition = (id: number) => block.statements.find((one) => one.kind === 'apply' && one.result.id === id);
  for (const statement of block.statements) {
    if (statement.kind === 'apply') {
      const { operation, operands, result } = statement;
      const range = lanes === onePoint ? rangeTest(k.precision, statement, definition) : undefined;
      const value = range
        ? isInRange(k.precision, valueOf(range.of), range)
        : lanes.operation(k, operation, operands[0]?.type ?? 'real', operands.map(valueOf));
      known.set(result.id, get(k.f.keep(value)));
    } else {
      const types = statement.results.map(({ type }) => type);
      const condition = valueOf(statement.condition);
      const results = lanes.branch(k, condition, types, branch(statement.then), branch(statement.else));
      statement.results.forEach(({ id }, i) => known.set(id, results[i] as Expression));
    }
  }
  return block.results.map(valueOf);
}

/** Statements, an elementary function for ten: the order of what one evaluation costs. */
export function functionWork(fn: ScalarFunction): number {
  return blockWork(fn.body);
}

export function blockWork(block: ScalarBlock): number {
  return block.statements.reduce((work, statement) => {
    if (statement.kind === 'if') return work + 1 + blockWork(statement.then) + blockWork(statement.else);
    return work + (isElementary(statement.operation) ? 10 : 1);
  }, 0);
}
