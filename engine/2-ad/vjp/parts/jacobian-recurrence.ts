/**
 * The backward recurrence of scan by Jacobians and a scan with lin_o (paper, figure "scan-gen"):
 * r̄ᵢ = ȳᵢ + Cᵢ · r̄ᵢ₊₁, Cᵢ = (∂(rᵢ ⊙ aᵢ₊₁)/∂rᵢ)ᵀ stored by the classes of its structure.
 */
import { arity, componentTypes, type Operator } from '../../../0-ir/operators.ts';
import { realLiteral, type ScalarFunction } from '../../../0-ir/scalar.ts';
import { scalarFunction } from '../../../0-ir/scalar-builder.ts';
import { workOf } from '../../../1-optimize/work.ts';
import type { Cost } from '../../cost.ts';
import { transposedJacobian, type Structure } from '../../structure.ts';
import { applicationWork, compositionWork, linearComposition } from './linear-composition.ts';
import type { BackwardRecurrence } from './scan-adjoint.ts';

export function jacobianRecurrence(structure: Structure): BackwardRecurrence {
  return (b, { operator, axis, nextStarts, segmented, prefixes, nextInputs, seeds }) => {
    const classes = b.map(
      classesFunction(operator, structure),
      [nextStarts, ...prefixes, ...nextInputs],
      nextStarts.type.shape,
    );
    const linear = linearComposition(structure);
    const elements = [...seeds, ...classes];
    const solved = segmented
      ? b.segmentedScan(linear, nextStarts, elements, axis, { reverse: true })
      : b.scan(linear, elements, axis, { reverse: true });
    return solved.slice(0, structure.d);
  };
}

/**
 * What keeping and multiplying Jacobians of this structure costs. A scan combines twice: in parts all that is needed to join
 * them, and what is carried once more.
 */
export function jacobianCost(operator: Operator, structure: Structure): Cost {
  const d = arity(operator);
  const stored = structure.representatives.length;
  const backward = compositionWork(structure) + applicationWork(structure);
  return {
    traffic: 11 * d + 4 * stored,
    operations: 3 * workOf(operator.combine) + workOf(transposedJacobian(operator)) + backward,
    passes: 4,
  };
}

/** Scalars of the Jacobian that are stored, of how many there are. */
export function storedOf({ d, representatives }: Structure): readonly [stored: number, of: number] {
  return [representatives.length, d * d];
}

/**
 * (nextStarts, rᵢ…, aᵢ₊₁…) ↦ the classes of (∂(rᵢ ⊙ aᵢ₊₁)/∂rᵢ)ᵀ. Where the next element starts anew nothing reads them,
 * and none is formed from the padding.
 */
export function classesFunction(operator: Operator, { representatives }: Structure): ScalarFunction {
  const types = componentTypes(operator);
  const jacobian = transposedJacobian(operator);
  return scalarFunction(['bool', ...types, ...types], (s, nextStarts, ...operands) =>
    s.branch(
      nextStarts,
      () => representatives.map(() => realLiteral(0)),
      () => {
        const entries = s.inline(jacobian, operands);
        return representatives.map((at) => entries[at]!);
      },
    ),
  );
}
