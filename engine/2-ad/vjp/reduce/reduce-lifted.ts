/**
 * y = reduce(⊙, as), ⊙ with a lift  ⇒  the derivative of f< (reduce(⊙ᴸ, map f> as)), whose reduction has the rule that suits
 * it best: that for its inverse at least. Paper, section 3.3, equation "enabling-inv".
 */
import type { VjpRule } from '../../rule.ts';
import { liftedCost, liftedCotangents, liftedPrimal } from '../parts/lifted.ts';

export const reduceLifted: VjpRule<'reduce'> = {
  name: 'reduce-lifted',
  construct: 'reduce',
  sweep: 'lifted',
  example: `program (%0 xs: real[n]) {
  %1: real = reduce[n] along 0 operator neutral (0.0) commutative
    (x0: real, x1: real) { x2 = hypot(x0, x1); yield x2 }
    lift (x0: real) { x1 = x0 * x0; yield x1 }
    operator neutral (0.0) commutative (x0: real, x1: real) { x2 = x0 + x1; yield x2 }
    inverse (x0: real, x1: real) { x2 = x0 - x1; yield x2 }
    (x0: real) { x1 = sqrt(x0); yield x1 }
    (%0)
  yield y = %1
}`,
  matches: ({ operator }) => operator.lift !== undefined,
  cost: ({ operator }) => liftedCost(operator),
  primal: (b, construct) => liftedPrimal(b, construct),
  cotangents: (b, construct, _, cotangents, __, recursion) => liftedCotangents(b, construct, cotangents, recursion),
};
