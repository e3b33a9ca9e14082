/** Scalar functions as straight-line code with structured `if`, written into the kernel at hand. */
import type { ScalarBlock, ScalarFunction, ScalarOperand } from '../../../0-ir/scalar.ts';
import type { ScalarOperation } from '../../../0-ir/scalar-operations.ts';
import { readsOf } from '../../../0-ir/scalar-reads.ts';
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

/** What is one instruction that takes each operand once, from the stack: it may stand within another. */
const nestable: ReadonlySet<ScalarOperation> = new Set(['add', 'sub', 'mul', 'div', 'neg', 'sqrt']);

/** Not further on than so many statements: what a value is made of is kept until then, and has to lie somewhere. */
const furthestNest = 24;

/** Values by the variable's id, how often each is read, and the locals that are ours to use again. */
interface Known {
  readonly values: Map<number, Expression>;
  readonly reads: ReadonlyMap<number, number>;
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
    reads: readsOf(fn.body),
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
  const writtenIn = nested(block, known.reads);
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
  const ends = owned && lastReads(block, writtenIn);
  block.statements.forEach((statement, i) => {
    if (statement.kind === 'apply') {
      const { operation, operands, result } = statement;
      // A test of a range reads what its operands were made of, which may be released by now.
      const range = lanes === onePoint && !owned ? rangeTest(k.precision, statement, definition) : undefined;
      const value = range
        ? isInRange(k.precision, valueOf(range.of), range)
        : lanes.operation(k, operation, operands[0]?.type ?? 'real', operands.map(valueOf));
      if (writtenIn[i] === i) define(k, known, result.id, value);
      else values.set(result.id, value);
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
 * By statement, the one whose code it is written in: its own, or that of the only reader of its value, where that is near
 * and both are instructions on reals. Such a value needs no local.
 */
function nested({ statements }: ScalarBlock, reads: ReadonlyMap<number, number>): number[] {
  const writtenIn = statements.map((_, i) => i);
  const definedAt = new Map<number, number>();
  statements.forEach((statement, i) => {
    if (statement.kind !== 'apply' || statement.result.type !== 'real' || !nestable.has(statement.operation)) return;
    if (reads.get(statement.result.id) === 1) definedAt.set(statement.result.id, i);
  });
  for (let i = statements.length - 1; i >= 0; i--) {
    const statement = statements[i]!;
    if (statement.kind !== 'apply' || !nestable.has(statement.operation)) continue;
    for (const operand of statement.operands) {
      const at = operand.kind === 'variable' ? definedAt.get(operand.id) : undefined;
      if (at !== undefined && writtenIn[i]! - at <= furthestNest) writtenIn[at] = writtenIn[i]!;
    }
  }
  return writtenIn;
}

/**
 * By statement, the variables that it reads last of all in this block: those that the block defines, and of blocks inside
 * its `if`s those that they give. What comes from outside is for the block outside to release. `writtenIn`: as `nested` has
 * it.
 */
function lastReads(block: ScalarBlock, writtenIn: readonly number[]): number[][] {
  const reader = new Map<number, number>();
  const read = (operand: ScalarOperand, at: number): void => {
    const last = operand.kind === 'variable' ? reader.get(operand.id) : undefined;
    if (operand.kind === 'variable' && last !== undefined) reader.set(operand.id, Math.max(last, at));
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
      for (const operand of statement.operands) read(operand, writtenIn[at]!);
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
