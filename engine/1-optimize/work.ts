/** How much a scalar function computes: what decides whether computing twice is better than keeping. */
import type { ScalarBlock, ScalarFunction } from '../0-ir/scalar.ts';
import type { ScalarOperation } from '../0-ir/scalar-operations.ts';

const oneInstruction: ReadonlySet<ScalarOperation> = new Set([
  ...(['neg', 'abs', 'sign', 'add', 'sub', 'mul', 'min', 'max', 'clamp', 'floor', 'ceil', 'round', 'trunc'] as const),
  ...(['lt', 'le', 'eq', 'ne', 'and', 'or', 'not', 'isnan', 'real', 'int'] as const),
]);
const slowInstruction: ReadonlySet<ScalarOperation> = new Set(['div', 'sqrt', 'mod', 'mantissa', 'exponent', 'scale']);

/** Worth a place in memory: an elementary function (exp, log, …), or as much as one. */
export const expensive = 20;

/** Less than the load that would replace it. */
export const cheap = 2;

const known = new WeakMap<ScalarBlock, number>();

export function workOf(fn: ScalarFunction): number {
  return workOfBlock(fn.body);
}

/** In units of an addition. */
export function workOfOperation(operation: ScalarOperation): number {
  if (oneInstruction.has(operation)) return 1;
  return slowInstruction.has(operation) ? 5 : expensive;
}

function workOfBlock(block: ScalarBlock): number {
  const before = known.get(block);
  if (before !== undefined) return before;
  let work = 0;
  for (const statement of block.statements)
    work +=
      statement.kind === 'apply'
        ? workOfOperation(statement.operation)
        : 1 + Math.max(workOfBlock(statement.then), workOfBlock(statement.else));
  known.set(block, work);
  return work;
}
