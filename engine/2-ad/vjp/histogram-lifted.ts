/**
 * hist = histogram(⊙, keys, vs), ⊙ with a lift  ⇒  the derivative of f< (histogram(⊙ᴸ, keys, map f> vs)), as for reduce.
 * Paper, sections 3.3 and 4.2.4.
 */
import type { VjpRule } from '../rule.ts';
import { decoupled } from './decoupled.ts';
import { liftedCost, liftedCotangents, liftedPrimal } from './lifted.ts';

export const histogramLifted: VjpRule<'histogram'> = {
  name: 'histogram-lifted',
  construct: 'histogram',
  sweep: 'lifted',
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
