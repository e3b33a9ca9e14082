/** y = reduce(⊙, as)  ⇒  PPAD's rule, which rides on its rule for scan. The measured competitor. */
import type { VjpRule } from '../../rule.ts';
import { ppadCost, ppadRecurrence } from '../parts/ppad-recurrence.ts';
import { reduceByScan } from '../parts/reduce-by-scan.ts';
import { reduceGeneral } from './reduce-general.ts';

export const reducePpad: VjpRule<'reduce'> = {
  name: 'reduce-ppad',
  construct: 'reduce',
  sweep: 'any',
  example: reduceGeneral.example,
  matches: () => true,
  cost: ({ operator }) => ppadCost(operator),
  cotangents: (b, construct, _, cotangents) => reduceByScan(b, construct, ppadRecurrence, cotangents),
};
