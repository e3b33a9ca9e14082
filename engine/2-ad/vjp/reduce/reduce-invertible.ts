/**
 * y = reduce(⊙, as), ⊙ with an inverse  ⇒  bᵢ = y ⊙⁻¹ aᵢ,  āᵢ = ∂(bᵢ ⊙ aᵢ)/∂aᵢ · ȳ: one reduction and one map.
 * Paper, section 3.3.
 */
import type { Value } from '../../../0-ir/program.ts';
import { expandAxis, sumTo } from '../../layout.ts';
import type { VjpRule } from '../../rule.ts';
import { realComponents } from '../../structure.ts';
import { isInvertible, takeOutCost, takeOutFunction } from '../parts/take-out.ts';

export const reduceInvertible: VjpRule<'reduce'> = {
  name: 'reduce-invertible',
  construct: 'reduce',
  sweep: 'invertible',
  example: `program (%0 xs: real[n]) {
  %1: real = reduce[n] along 0 operator neutral (0.0) commutative
    (x0: real, x1: real) { x2 = x0 * x1; x3 = x0 + x1; x4 = x3 + x2; yield x4 }
    inverse (x0: real, x1: real) { x2 = x0 - x1; x3 = 1.0 + x1; x4 = x2 / x3; yield x4 }
    (%0)
  yield y = %1
}`,
  matches: ({ operator }) => isInvertible(operator),
  cost: ({ operator }) => takeOutCost(operator),
  cotangents(b, { operator, inputs, shape, axis }, { results }, cotangents) {
    const seeded = cotangents.map((cotangent) => cotangent !== undefined);
    const across = (values: readonly Value[]): Value[] => values.map((value) => expandAxis(b, value, axis));
    const seeds = cotangents.filter((cotangent) => cotangent !== undefined);
    const adjoints = b.map(takeOutFunction(operator, seeded), [...across(results), ...inputs, ...across(seeds)], shape);
    const real = realComponents(operator);
    return inputs.map((input, i) => {
      const adjoint = adjoints[real.indexOf(i)];
      return adjoint && sumTo(b, adjoint, input.type.shape);
    });
  },
};
