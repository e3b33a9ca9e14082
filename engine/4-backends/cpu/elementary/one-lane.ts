/** Functions with branches and loops: written for one f64, and in the other shapes called for each lane. */
import { get, type Expression } from '../wasm/expression.ts';
import type { Algebra } from './algebra.ts';
import type { ElementaryOperation } from './operation.ts';

type Body = (A: Algebra, ...operands: Expression[]) => Expression;

export function oneLane(operation: ElementaryOperation, write: Body): Body {
  return (A, ...operands) => {
    if (A.shape === 'f64') return write(A, ...operands);
    if (!A.double) return A.throughDouble((double, ...own) => double.call(operation, ...own), ...operands);
    return A.eachLane((lane, ...own) => lane.call(operation, ...own), ...operands);
  };
}

/** The value of one of two branches, of which only that is run. */
export function choose(
  A: Algebra,
  condition: Expression,
  then: () => Expression,
  otherwise: () => Expression,
): Expression {
  const result = A.f.local('f64');
  A.f.if(
    condition,
    () => A.set(result, then()),
    () => A.set(result, otherwise()),
  );
  return get(result);
}
