/**
 * y = L(x), L linear in its one array operand  ⇒  ẏ = L(ẋ): replicate, reverse, transpose, reshape, slice.
 * And the constructs whose results carry no derivative at all.
 */
import type { ProgramBuilder } from '../../0-ir/builder.ts';
import { mapOperands } from '../../0-ir/operands.ts';
import type { Construct, Value } from '../../0-ir/program.ts';
import type { Derivative } from '../rule.ts';

interface Pushed {
  readonly results: readonly Value[];
  readonly tangents: readonly Derivative[];
}

export function linear(b: ProgramBuilder, construct: Construct, [tangent]: readonly Derivative[]): Pushed {
  return { results: b.emit(construct), tangents: tangent ? b.emit(mapOperands(construct, () => tangent)) : [] };
}

export function constant(b: ProgramBuilder, construct: Construct): Pushed {
  return { results: b.emit(construct), tangents: [] };
}
