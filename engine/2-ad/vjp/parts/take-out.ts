/** What the rules for invertible operators share (paper, section 3.3): b = y ⊙⁻¹ a,  ā = ∂(b ⊙ a)/∂a · ȳ. */
import { componentTypes, type Operator } from '../../../0-ir/operators.ts';
import type { ScalarFunction } from '../../../0-ir/scalar.ts';
import { scalarFunction } from '../../../0-ir/scalar-builder.ts';
import { workOf } from '../../../1-optimize/work.ts';
import type { Cost } from '../../cost.ts';
import { vjpFunction } from '../../scalar/vjp-function.ts';

/** The inverse takes an element out of a total wherever it stood, so ⊙ must commute. */
export function isInvertible({ inverse, commutative }: Operator): boolean {
  return inverse !== undefined && commutative;
}

/** (y…, a…, ȳ of the seeded components…) ↦ ā of the real components. */
export function takeOutFunction(operator: Operator, seeded: readonly boolean[]): ScalarFunction {
  const { combine, inverse } = operator;
  if (!inverse) throw new TypeError('an operator without an inverse');
  const types = componentTypes(operator);
  const d = types.length;
  const pull = vjpFunction(combine, seeded, [...types.map(() => false), ...types.map((type) => type === 'real')]);
  const seeds = seeded.filter(Boolean).map(() => 'real' as const);
  return scalarFunction([...types, ...types, ...seeds], (s, ...operands) => {
    const others = s.inline(inverse, operands.slice(0, 2 * d));
    return s.inline(pull, [...others, ...operands.slice(d)]);
  });
}

/** Of primal and return sweep together. */
export function takeOutCost(operator: Operator): Cost {
  const types = componentTypes(operator);
  const takeOut = takeOutFunction(
    operator,
    types.map((type) => type === 'real'),
  );
  return {
    traffic: 3 * types.length,
    operations: workOf(operator.combine) + workOf(takeOut),
    passes: 2,
  };
}
