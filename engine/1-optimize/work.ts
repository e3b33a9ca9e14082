/**
 * How much a scalar function computes, in additions: what decides whether computing twice is better than keeping, and
 * what a rule of differentiation is said to cost.
 */
import type { ScalarBlock, ScalarFunction } from '../0-ir/scalar.ts';
import type { ScalarOperation } from '../0-ir/scalar-operations.ts';

const oneInstruction: ReadonlySet<ScalarOperation> = new Set([
  ...([
    'neg',
    'abs',
    'sign',
    'add',
    'sub',
    'mul',
    'min',
    'max',
    'clamp',
    'floor',
    'ceil',
    'round',
    'trunc',
    'detach',
  ] as const),
  ...(['lt', 'le', 'eq', 'ne', 'and', 'or', 'not', 'isnan', 'real', 'int'] as const),
]);
const slowInstruction: ReadonlySet<ScalarOperation> = new Set(['div', 'sqrt', 'mod', 'mantissa', 'exponent', 'scale']);

/** An elementary function (exp, log, …): some twenty instructions of a polynomial and its range reduction. */
const elementary = 20;

/** Less than the load that would replace it. */
export const cheap = 3;

const known = new WeakMap<ScalarBlock, number>();

export function workOf(fn: ScalarFunction): number {
  return workOfBlock(fn.body);
}

export function workOfOperation(operation: ScalarOperation): number {
  if (oneInstruction.has(operation)) return 1;
  return slowInstruction.has(operation) ? 5 : elementary;
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
