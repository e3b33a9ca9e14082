/**
 * cₜ = bₜ + Aₜ·cₜ₋₁ is a scan: pairs (bₜ, Aₜ) composed as affine maps, with only the classes of A's closed structure
 * kept. The first pair is (b₁ + A₁·c₀, A₁), so that the trajectory is the composed b and no composed A is read.
 */
import type { ProgramBuilder } from '../../../0-ir/builder.ts';
import type { RecurrenceConstruct, Value } from '../../../0-ir/program.ts';
import { intLiteral, type ScalarFunction } from '../../../0-ir/scalar.ts';
import { scalarFunction } from '../../../0-ir/scalar-builder.ts';
import { withAxis, withoutAxis } from '../../../0-ir/types.ts';
import { indexAlong, stretchAlong } from '../../layout.ts';
import type { AffineParts } from '../../scalar/affine-parts.ts';
import { closedPattern, type Structure } from '../../structure.ts';
import { linearComposition } from './linear-composition.ts';

export interface Trajectory {
  /** As the recurrence's own: the last carries, then the outputs. */
  readonly results: readonly Value[];
  /** The carries that each step began with, over the domain. */
  readonly before: readonly Value[];
}

export function structureOf({ matrix }: AffineParts, d: number): Structure {
  return closedPattern(matrix, d);
}

/** Writes a recurrence whose step has these affine parts in its carries. */
export function recurrenceAsScan(b: ProgramBuilder, construct: RecurrenceConstruct, parts: AffineParts): Trajectory {
  const { step, shape, axis, reverse, initial, inputs, invariants } = construct;
  const d = initial.length;
  const length = shape[axis]!;
  const structure = structureOf(parts, d);
  const still = (value: Value): Value => stretchAlong(b, value, axis, shape.length);
  const others = [...inputs, ...invariants.map(still)];

  const index = indexAlong(b, length, axis, shape.length);
  const first = b.elementwise([reverse ? b.reverse(index, axis) : index], (s, i) => s.apply('eq', i, intLiteral(0)));
  const elements = b.map(elementFunction(step, d, parts, structure), [first, ...initial.map(still), ...others], shape);
  const after = b.scan(linearComposition(structure), elements, axis, { reverse }).slice(0, d);

  const one = withAxis(withoutAxis(shape, axis), axis, 1);
  const ends = initial.map((value, i) => {
    const start = b.replicate(still(value), one);
    const own = after[i]!;
    return b.concatenate(reverse ? [own, start] : [start, own], axis);
  });
  const before = ends.map((all) => b.slice(all, axis, reverse ? 1 : 0, length));
  const last = ends.map((all) => b.reshape(b.slice(all, axis, reverse ? 0 : length, 1), withoutAxis(shape, axis)));
  return { results: [...last, ...outputs(b, construct, after, [...before, ...others])], before };
}

/** (first, c₀…, x…) ↦ bₜ…, the classes of Aₜ…; the first element is a step from c₀. */
function elementFunction(step: ScalarFunction, d: number, parts: AffineParts, structure: Structure): ScalarFunction {
  const types = step.parameters.map(({ type }) => type);
  return scalarFunction(['bool', ...types], (s, first, ...operands) => {
    const others = operands.slice(d);
    const offset = s.branch(
      first,
      () => s.inline(step, operands).slice(0, d),
      () => s.inline(parts.offset, others),
    );
    const entries = s.inline(parts.matrix, others);
    return [...offset, ...structure.representatives.map((at) => entries[at]!)];
  });
}

/** A map over the carries before each step; what a step only passes on is in the trajectory already. */
function outputs(
  b: ProgramBuilder,
  { step, shape, initial }: RecurrenceConstruct,
  after: readonly Value[],
  operands: readonly Value[],
): Value[] {
  const d = initial.length;
  const results = step.body.results;
  const passedOn = results.slice(d).map((result) => {
    if (result.kind === 'literal') return -1;
    return results.slice(0, d).findIndex((next) => next.kind === 'variable' && next.id === result.id);
  });
  const computed = scalarFunction(
    step.parameters.map(({ type }) => type),
    (s, ...values) => {
      const written = s.inline(step, values).slice(d);
      return written.filter((_, i) => passedOn[i] === -1);
    },
  );
  const maps = computed.body.results.length > 0 ? b.map(computed, operands, shape) : [];
  let next = 0;
  return passedOn.map((at) => (at === -1 ? maps[next++] : after[at])!);
}
