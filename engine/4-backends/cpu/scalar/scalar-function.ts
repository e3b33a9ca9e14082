/** Scalar functions as straight-line code with structured `if`, written into the kernel at hand. */
import type { ScalarBlock, ScalarFunction, ScalarOperand } from '../../../0-ir/scalar.ts';
import { isElementary } from '../elementary/table.ts';
import type { Kernel } from '../kernel.ts';
import { onePoint, type Branch, type Lanes } from './lanes.ts';
import { isInRange, rangeTest } from './range-test.ts';
import { get, type Expression, type Local } from '../wasm/expression.ts';

/**
 * From so many statements on, a local is used again once nobody reads its value: an engine takes 50,000 locals at the
 * most, and a step of a stiff solver over many states has more values than that.
 */
const manyStatements = 4000;

/** Values by the variable's id, and the locals that are ours to use again. */
interface Known {
  readonly values: Map<number, Expression>;
  readonly owned: Map<number, Local> | undefined;
}

/** The function's results on these arguments: constants or locals, valid until the kernel sets those again. */
export function emitFunction(
  k: Kernel,
  fn: ScalarFunction,
  args: readonly Expression[],
  lanes: Lanes = onePoint,
): Expression[] {
  const known: Known = {
    values: new Map(),
    owned: functionWork(fn) > manyStatements ? new Map<number, Local>() : undefined,
  };
  fn.parameters.forEach((parameter, i) => define(k, known, parameter.id, args[i]!));
  return emitBlock(k, fn.body, known, lanes);
}

function define(k: Kernel, { values, owned }: Known, id: number, value: Expression): void {
  const local = k.f.keep(value);
  values.set(id, get(local));
  owned?.set(id, local);
}

function emitBlock(k: Kernel, block: ScalarBlock, known: Known, lanes: Lanes): Expression[] {
  const { values, owned } = known;
  const valueOf = (operand: ScalarOperand): Expression => {
    if (operand.kind === 'literal') return lanes.constant(k, operand);
    const value = values.get(operand.id);
    if (!value) throw new Error(`scalar variable ${operand.id} is used before it is defined`);
    return value;
  };
  const branch = (taken: ScalarBlock): Branch => ({
    work: blockWork(taken),
    emit: () => emitBlock(k, taken, known, lanes),
  });
  const definition = (id: number) => block.statements.find((one) => one.kind === 'apply' && one.result.id === id);
  const ends = owned && lastReads(block);
  block.statements.forEach((statement, i) => {
    if (statement.kind === 'apply') {
      const { operation, operands, result } = statement;
      // A test of a range reads what its operands were made of, which may be released by now.
      const range = lanes === onePoint && !owned ? rangeTest(k.precision, statement, definition) : undefined;
      const value = range
        ? isInRange(k.precision, valueOf(range.of), range)
        : lanes.operation(k, operation, operands[0]?.type ?? 'real', operands.map(valueOf));
      define(k, known, result.id, value);
    } else {
      const types = statement.results.map(({ type }) => type);
      const condition = valueOf(statement.condition);
      const results = lanes.branch(k, condition, types, branch(statement.then), branch(statement.else));
      statement.results.forEach(({ id }, at) => values.set(id, results[at]!));
    }
    for (const id of ends?.[i] ?? []) {
      const local = owned?.get(id);
      if (!local) continue;
      owned?.delete(id);
      k.f.release(local);
    }
  });
  return block.results.map(valueOf);
}

/**
 * By statement, the variables that it reads last of all in this block: those that the block defines, and of blocks inside
 * its `if`s those that they give. What comes from outside is for the block outside to release.
 */
function lastReads(block: ScalarBlock): number[][] {
  const reader = new Map<number, number>();
  const read = (operand: ScalarOperand, at: number): void => {
    if (operand.kind === 'variable' && reader.has(operand.id)) reader.set(operand.id, at);
  };
  const readAll = (inner: ScalarBlock, at: number): void => {
    for (const statement of inner.statements) {
      if (statement.kind === 'apply') for (const operand of statement.operands) read(operand, at);
      else {
        read(statement.condition, at);
        readAll(statement.then, at);
        readAll(statement.else, at);
      }
    }
    for (const operand of inner.results) read(operand, at);
  };
  block.statements.forEach((statement, at) => {
    if (statement.kind === 'apply') {
      for (const operand of statement.operands) read(operand, at);
      reader.set(statement.result.id, at);
      return;
    }
    read(statement.condition, at);
    for (const inner of [statement.then, statement.else]) {
      readAll(inner, at);
      const own = new Set(inner.statements.flatMap((one) => (one.kind === 'apply' ? [one.result.id] : [])));
      for (const operand of inner.results)
        if (operand.kind === 'variable' && own.has(operand.id)) reader.set(operand.id, at);
    }
  });
  for (const operand of block.results) if (operand.kind === 'variable') reader.delete(operand.id);
  const ends = block.statements.map((): number[] => []);
  for (const [id, at] of reader) ends[at]?.push(id);
  return ends;
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
