/**
 * cₜ = bₜ + Aₜ·cₜ₋₁  ⇒  c̄ₜ₋₁ = Aₜᵀ·c̄ₜ + (∂oₜ/∂cₜ₋₁)ᵀ·ōₜ, affine again: both sweeps are scans with composition of affine
 * maps, in parallel. Adjoints of inputs are a map over the two trajectories, those of invariants its sums.
 */
import { builtinOperator } from '../../0-ir/operators.ts';
import { IrError, type Shape } from '../../0-ir/types.ts';
import type { RecurrenceConstruct, Value } from '../../0-ir/program.ts';
import type { ScalarFunction } from '../../0-ir/scalar.ts';
import { scalarFunction } from '../../0-ir/scalar-builder.ts';
import { workOf } from '../../1-optimize/work.ts';
import { sumTo, zerosLike } from '../layout.ts';
import type { VjpRule } from '../rule.ts';
import { affineParts, type AffineParts } from '../scalar/affine-parts.ts';
import { vjpFunction } from '../scalar/vjp-function.ts';
import { compositionWork } from './parts/linear-composition.ts';
import { recurrenceAsScan, structureOf } from './parts/recurrence-as-scan.ts';

export const recurrenceAffine: VjpRule<'recurrence'> = {
  name: 'recurrence-affine',
  construct: 'recurrence',
  example: `program (%0 c: real, %1 us: real[n], %2 k: real) {
  %3: real, %4: real[n] = recurrence[n] along 0
    (x0: real, x1: real, x2: real) { x3 = x0 * x2; x4 = x3 + x1; x5 = sin(x4); yield x4, x5 }
    initial (%0) inputs (%1) invariants (%2)
  yield last = %3, sines = %4
}`,
  matches: ({ step, initial }) => initial.length > 0 && affineParts(step, initial.length) !== undefined,
  cost(construct) {
    const { step, initial, inputs } = construct;
    const structure = structureOf(partsOf(construct), initial.length);
    return {
      traffic: 8 * initial.length + 4 * structure.representatives.length + 4 * inputs.length,
      operations: 5 * workOf(step) + 2 * compositionWork(structure),
      passes: 4,
    };
  },
  stored(construct) {
    const d = construct.initial.length;
    return [structureOf(partsOf(construct), d).representatives.length, d * d];
  },
  primal(b, construct) {
    const { results, before } = recurrenceAsScan(b, construct, partsOf(construct));
    return { results, saved: before };
  },
  // Operands: initial, inputs, invariants.
  cotangents(b, construct, { results, saved = [] }, cotangents, wanted) {
    const { initial, inputs, invariants, shape, axis, reverse } = construct;
    const d = initial.length;
    const seeded = results.map((_, i) => i < d || cotangents[i] !== undefined);
    const backward: RecurrenceConstruct = {
      kind: 'recurrence',
      step: backwardStep(construct, seeded, wanted.slice(d)),
      shape,
      axis,
      reverse: !reverse,
      initial: initial.map((_, i) => cotangents[i] ?? zerosLike(b, results[i]!)),
      inputs: [...saved, ...inputs, ...cotangents.slice(d).filter((cotangent) => cotangent !== undefined)],
      invariants,
    };
    const solved = recurrenceAsScan(b, backward, partsOf(backward)).results;

    let next = d;
    const take = (values: readonly Value[], from: number, total: (adjoint: Value, of: Shape) => Value) =>
      values.map(({ type }, i) => (wanted[from + i] ? total(solved[next++]!, type.shape) : undefined));
    const inputAdjoints = take(inputs, d, (adjoint, of) => sumTo(b, adjoint, of));
    const invariantAdjoints = take(invariants, d + inputs.length, (adjoint, of) =>
      sumTo(b, b.reduce(builtinOperator('add'), [adjoint], axis)[0]!, of),
    );
    return [...initial.map(({ type }, i) => sumTo(b, solved[i]!, type.shape)), ...inputAdjoints, ...invariantAdjoints];
  },
};

function partsOf({ step, initial }: RecurrenceConstruct): AffineParts {
  const parts = affineParts(step, initial.length);
  if (!parts) throw new IrError('the step of this recurrence is not affine in its carries');
  return parts;
}

/** (c̄ₜ…, cₜ₋₁…, u…, ō of the seeded outputs…, v…) ↦ c̄ₜ₋₁…, then ū and v̄ of this step where they are wanted. */
function backwardStep(
  { step, initial, inputs }: RecurrenceConstruct,
  seeded: readonly boolean[],
  wanted: readonly boolean[],
): ScalarFunction {
  const d = initial.length;
  const types = step.parameters.map(({ type }) => type);
  const split = d + inputs.length;
  const adjoints = initial.map(() => 'real' as const);
  const seeds = seeded.slice(d).flatMap((is) => (is ? ['real' as const] : []));
  const pull = vjpFunction(step, seeded, [...initial.map(() => true), ...wanted]);
  return scalarFunction([...adjoints, ...types.slice(0, split), ...seeds, ...types.slice(split)], (s, ...operands) => {
    const primal = operands.slice(d);
    const outputSeeds = primal.slice(split, split + seeds.length);
    const invariants = primal.slice(split + seeds.length);
    return s.inline(pull, [...primal.slice(0, split), ...invariants, ...operands.slice(0, d), ...outputSeeds]);
  });
}
