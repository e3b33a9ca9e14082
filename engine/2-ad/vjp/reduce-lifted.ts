/**
 * y = reduce(⊙, as), ⊙ with a lift  ⇒  the derivative of f< (reduce(⊙ᴸ, map f> as)), whose reduction has the rule that suits
 * it best: that for its inverse at least. Paper, section 3.3, equation "enabling-inv".
 */
import type { VjpRule } from '../rule.ts';
import { liftedCost, liftedCotangents, liftedPrimal } from './lifted.ts';

export const reduceLifted: VjpRule<'reduce'> = {
  name: 'reduce-lifted',
  construct: 'reduce',
  sweep: 'lifted',
  matches: ({ operator }) => operator.lift !== undefined,
  cost: ({ operator }) => liftedCost(operator),
  primal: (b, construct) => liftedPrimal(b, construct),
  cotangents: (b, construct, _, cotangents, __, recursion) => liftedCotangents(b, construct, cotangents, recursion),
};
