/**
 * y = reduce(⊙, as)  ⇒  āᵢ = ∂(rᵢ₋₁ ⊙ aᵢ)/∂aᵢ · r̄ᵢ, where r̄ᵢ = Cᵢ × … × Cₙ₋₁ · ȳ is a suffix product of the Jacobians of the
 * rule of scan: it is that rule with all of ȳ at the end, and stores the same classes of their structure.
 */
import type { VjpRule } from '../../rule.ts';
import { closedStructure } from '../../structure.ts';
import { jacobianCost, jacobianRecurrence, storedOf } from '../parts/jacobian-recurrence.ts';
import { reduceByScan } from '../parts/reduce-by-scan.ts';
import { reduceGeneral } from './reduce-general.ts';

export const reduceStructured: VjpRule<'reduce'> = {
  name: 'reduce-structured',
  construct: 'reduce',
  sweep: 'any',
  example: reduceGeneral.example,
  matches: () => true,
  cost: ({ operator }) => jacobianCost(operator, closedStructure(operator)),
  stored: ({ operator }) => storedOf(closedStructure(operator)),
  cotangents: (b, construct, _, cotangents) =>
    reduceByScan(b, construct, jacobianRecurrence(closedStructure(construct.operator)), cotangents),
};
