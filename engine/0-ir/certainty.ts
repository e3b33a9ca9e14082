/**
 * Where parts of a reduction or scan meet, (x₀ ⊙ … ⊙ xₖ) ⊙ (xₖ₊₁ ⊙ … ⊙ xₙ) is the sequential result but for rounding, and
 * but for what a part alone has lost: a product that overflows or vanishes there. Sums, minima, maxima and logaddexp by
 * themselves lose nothing that counts; ints wrap alike however they are grouped.
 */
import { componentOperator } from './component-operator.ts';
import { componentTypes, recognise, type BuiltinOperator, type Operator } from './operators.ts';

const keeps: { readonly [B in BuiltinOperator]: boolean } = {
  add: true,
  multiply: false,
  min: true,
  max: true,
  logaddexp: true,
};

/** Of each component, whether a join of it may be in doubt. */
export function mayLose(operator: Operator): boolean[] {
  return componentTypes(operator).map((type, i) => {
    const alone = componentOperator(operator, i);
    const name = alone && recognise(alone);
    return type === 'real' && !(name !== undefined && keeps[name]);
  });
}

/** Whether no join is in doubt. */
export function isCertain(operator: Operator): boolean {
  return !mayLose(operator).includes(true);
}
