/**
 * hist = histogram(⊙, keys, vs), ⊙ with an inverse  ⇒  bᵢ = hist[k] ⊙⁻¹ vᵢ,  v̄ᵢ = ∂(bᵢ ⊙ vᵢ)/∂vᵢ · hist̄[k], k = keys[i]:
 * no sort, no scan. Paper, section 4.2.4, figure "histo-inv".
 */
import type { Value } from '../../../0-ir/program.ts';
import { sumTo, trailingOnes } from '../../layout.ts';
import type { VjpRule } from '../../rule.ts';
import { realComponents } from '../../structure.ts';
import { decoupled } from '../parts/decoupled.ts';
import { guarded, keysInRange } from '../parts/keys-in-range.ts';
import { isInvertible, takeOutCost, takeOutFunction } from '../parts/take-out.ts';

export const histogramInvertible: VjpRule<'histogram'> = {
  name: 'histogram-invertible',
  construct: 'histogram',
  sweep: 'invertible',
  example: `program (%0 keys: int[n], %1 vs: real[n]) {
  %2: real[bins] = histogram[n] batch 0 bins [bins] keys %0 operator neutral (0.0) commutative
    (x0: real, x1: real) { x2 = x0 * x1; x3 = x0 + x1; x4 = x3 + x2; yield x4 }
    inverse (x0: real, x1: real) { x2 = x0 - x1; x3 = 1.0 + x1; x4 = x2 / x3; yield x4 }
    (%1)
  yield hist = %2
}`,
  matches: ({ operator }) => isInvertible(operator),
  cost({ operator }) {
    const { traffic, operations, passes } = takeOutCost(operator);
    // Keys twice, and what stands in the bins.
    return { traffic: traffic + 2 + 2 * operator.neutral.length, operations: operations + 4, passes };
  },
  ...decoupled({
    values(b, { operator, keys, bins, batch, inputs, shape }, { results }, cotangents) {
      const seeded = cotangents.map((cotangent) => cotangent !== undefined);
      const atKeys = (values: readonly Value[]): Value[] => values.map((value) => b.gather(value, keys, 'zero', batch));
      const seeds = cotangents.filter((cotangent) => cotangent !== undefined);
      const adjoints = b.map(
        guarded(takeOutFunction(operator, seeded)),
        [trailingOnes(b, keysInRange(b, keys, bins), shape.length), ...atKeys(results), ...inputs, ...atKeys(seeds)],
        shape,
      );
      const real = realComponents(operator);
      return inputs.map((input, i) => {
        const adjoint = adjoints[real.indexOf(i)];
        return adjoint && sumTo(b, adjoint, input.type.shape);
      });
    },
  }),
};
