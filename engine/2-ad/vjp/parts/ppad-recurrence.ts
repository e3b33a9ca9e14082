/**
 * The backward recurrence of scan as PPAD solves it (paper, figure "ppad-scan"): by VJPs alone, no Jacobian is formed.
 * A scan from the right over triples (r, a, r̄): (r₁, a₁, r̄₁) ⊕ (r₂, a₂, r̄₂) = (r₁, a₁ ⊙ a₂, r̄₁ + ∂(r₁ ⊙ a₁)/∂r₁ · r̄₂).
 */
import { arity, combine, componentTypes, type Operator } from '../../../0-ir/operators.ts';
import { scalarFunction } from '../../../0-ir/scalar-builder.ts';
import { withoutDeadCode } from '../../../1-optimize/scalar/dead-code.ts';
import { selectResults } from '../../../1-optimize/scalar/edit-function.ts';
import { workOf } from '../../../1-optimize/work.ts';
import type { Cost } from '../../cost.ts';
import { guardedVjp } from '../../scalar/guarded-vjp.ts';
import { vjpFunction } from '../../scalar/vjp-function.ts';
import { realComponents } from '../../structure.ts';
import type { BackwardRecurrence } from './scan-adjoint.ts';

export const ppadRecurrence: BackwardRecurrence = (b, inputs) => {
  const { operator, axis, nextStarts, segmented, prefixes, nextInputs, seeds } = inputs;
  const elements = [...prefixes, ...nextInputs, ...seeds];
  const triples = tripleOperator(operator);
  const solved = segmented
    ? b.segmentedScan(triples, nextStarts, elements, axis, { reverse: true })
    : b.scan(triples, elements, axis, { reverse: true });
  return solved.slice(2 * arity(operator));
};

/** Left is the operand nearer the end, as in a scan from the end. */
function tripleOperator(operator: Operator, pullback = guardedVjp): Operator {
  const types = componentTypes(operator);
  const d = types.length;
  const real = types.map((type) => type === 'real');
  const components = [...types, ...types, ...realComponents(operator).map(() => 'real' as const)];
  const pull = pullback(operator.combine, real, [...real, ...types.map(() => false)]);
  const combineTriples = scalarFunction([...components, ...components], (s, ...operands) => {
    const later = operands.slice(0, components.length);
    const own = operands.slice(components.length);
    const r = own.slice(0, d);
    const a = own.slice(d, 2 * d);
    const pulled = s.inline(pull, [...r, ...a, ...later.slice(2 * d)]);
    return [
      ...r,
      ...combine(s, operator, a, later.slice(d, 2 * d)),
      ...own.slice(2 * d).map((seed, i) => s.apply('add', seed, pulled[i]!)),
    ];
  });
  const neutral = [...operator.neutral, ...operator.neutral, ...realComponents(operator).map(() => 0)];
  return { combine: combineTriples, neutral, commutative: false };
}

/** The backward scan combines twice: whole triples, and r̄ once more. */
export function ppadCost(operator: Operator): Cost {
  const d = arity(operator);
  const triples = tripleOperator(operator, vjpFunction).combine;
  const adjoints = realComponents(operator).map((_, i) => 2 * d + i);
  const backward = workOf(triples) + workOf(withoutDeadCode(selectResults(triples, adjoints)));
  return {
    traffic: 16 * d,
    operations: 3 * workOf(operator.combine) + backward,
    passes: 4,
  };
}
