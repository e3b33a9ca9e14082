/** Scalar operations of a function, elementary functions counted as a hundred: the unit of `Cost.operations`. */
import type { ScalarBlock, ScalarFunction } from '../0-ir/scalar.ts';
import type { ScalarOperation } from '../0-ir/scalar-operations.ts';

const cheap: ReadonlySet<ScalarOperation> = new Set([
  'neg',
  'abs',
  'sign',
  'add',
  'sub',
  'mul',
  'div',
  'min',
  'max',
  'clamp',
  'sqrt',
  'floor',
  'ceil',
  'round',
  'trunc',
  'mantissa',
  'exponent',
  'scale',
  'lt',
  'le',
  'eq',
  'ne',
  'and',
  'or',
  'not',
  'isnan',
  'real',
  'int',
]);

const elementary = 100;

export function operationCount(fn: ScalarFunction): number {
  return blockCount(fn.body);
}

function blockCount(block: ScalarBlock): number {
  let total = 0;
  for (const statement of block.statements)
    total +=
      statement.kind === 'apply'
        ? cheap.has(statement.operation)
          ? 1
          : elementary
        : 1 + Math.max(blockCount(statement.then), blockCount(statement.else));
  return total;
}
