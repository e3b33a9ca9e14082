/** Whether two operators are one: the same neutral element, to the sign of a zero, and the same code once it is simplified. */
import type { Operator } from '../../0-ir/operators.ts';
import { sameFunction } from './same-function.ts';
import { simplifyFunction } from './simplify-function.ts';

export function sameOperator(a: Operator, b: Operator): boolean {
  return (
    a.neutral.length === b.neutral.length &&
    a.neutral.every((neutral, i) => Object.is(neutral, b.neutral[i])) &&
    sameFunction(simplifyFunction(a.combine), simplifyFunction(b.combine))
  );
}
