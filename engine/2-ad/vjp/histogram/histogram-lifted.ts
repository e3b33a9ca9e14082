/**
 * hist = histogram(⊙, keys, vs), ⊙ with a lift  ⇒  the derivative of f< (histogram(⊙ᴸ, keys, map f> vs)), as for reduce.
 * Paper, sections 3.3 and 4.2.4.
 */
import type { VjpRule } from '../../rule.ts';
import { decoupled } from '../parts/decoupled.ts';
import { liftedCost, liftedCotangents, liftedPrimal } from '../parts/lifted.ts';

export const histogramLifted: VjpRule<'histogram'> = {
  name: 'histogram-lifted',
  construct: 'histogram',
  sweep: 'lifted',
  example: `program (%0 keys: int[n], %1 vs: real[n]) {
  %2: real[bins] = histogram[n] batch 0 bins [bins] keys %0 operator neutral (0.0) commutative
    (x0: real, x1: real) { x2 = hypot(x0, x1); yield x2 }
    lift (x0: real) { x1 = x0 * x0; yield x1 }
    operator neutral (0.0) commutative (x0: real, x1: real) { x2 = x0 + x1; yield x2 }
    inverse (x0: real, x1: real) { x2 = x0 - x1; yield x2 }
    (x0: real) { x1 = sqrt(x0); yield x1 }
    (%1)
  yield hist = %2
}`,
  matches: ({ operator }) => operator.lift !== undefined,
  cost({ operator }) {
    const { traffic, operations, passes } = liftedCost(operator);
    return { traffic: traffic + 2 + 2 * operator.neutral.length, operations: operations + 4, passes };
  },
  ...decoupled({
    primal: (b, construct) => liftedPrimal(b, construct),
    values: (b, construct, _, cotangents, recursion) => liftedCotangents(b, construct, cotangents, recursion),
  }),
};
