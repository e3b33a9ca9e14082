/**
 * ∂(l ⊙ a ⊙ r)/∂a · ȳ: what the general rules of reduce and histogram share. Equation "red-adj" of the paper.
 * Where there is nothing to the left or right, the neutral element is left out rather than combined.
 */
import { combine, componentTypes, type Operator } from '../../../0-ir/operators.ts';
import type { ScalarFunction } from '../../../0-ir/scalar.ts';
import { scalarFunction } from '../../../0-ir/scalar-builder.ts';
import { isSmooth } from '../../jvp/dual-operator.ts';
import { vjpFunction } from '../../scalar/vjp-function.ts';

/**
 * min(a + b, 3) is associative where nothing is negative. Of 0, 2 and 2 the last two make 3, and 0 ⊙ 3 is a tie, at the edge of
 * the domain, though 0 + 2 is none: what is to the right of an element may be put together beforehand only where no edge
 * decides.
 */
export const takesBetween = (operator: Operator): boolean => !operator.confined || isSmooth(operator);

/**
 * (hasLeft, hasRight, l…, a…, r…, ȳ of the seeded components…) ↦ ā of the real components…
 */
export function betweenFunction(operator: Operator, seeded: readonly boolean[]): ScalarFunction {
  const types = componentTypes(operator);
  const d = types.length;
  const real = types.map((type) => type === 'real');
  const whole = scalarFunction(['bool', 'bool', ...types, ...types, ...types], (s, hasLeft, hasRight, ...operands) => {
    const l = operands.slice(0, d);
    const a = operands.slice(d, 2 * d);
    const r = operands.slice(2 * d);
    const left = s.branch(
      hasLeft,
      () => combine(s, operator, l, a),
      () => a,
    );
    return s.branch(
      hasRight,
      () => combine(s, operator, left, r),
      () => left,
    );
  });
  const none = types.map(() => false);
  return vjpFunction(whole, seeded, [false, false, ...none, ...real, ...none]);
}
