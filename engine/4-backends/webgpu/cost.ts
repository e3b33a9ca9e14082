/** Scalar operations of a function, weighed by what they take on a GPU next to an addition. */
import type { ScalarBlock, ScalarFunction } from '../../0-ir/scalar.ts';
import { operationInfo } from '../../0-ir/scalar-operations.ts';

/** Both branches count: the lanes of a subgroup run both. */
export function functionWork(fn: ScalarFunction | undefined): number {
  return fn ? blockWork(fn.body) : 0;
}

function blockWork(block: ScalarBlock): number {
  return block.statements.reduce(
    (sum, statement) =>
      sum +
      (statement.kind === 'if'
        ? blockWork(statement.then) + blockWork(statement.else)
        : operationInfo(statement.operation).signature === 'real'
          ? 20
          : 2),
    0,
  );
}
