/**
 * ys = scan(⊙, as)  ⇒  as the general rule, with only the classes of ⊙'s Jacobians stored and multiplied: block-diagonal
 * and repeated blocks (paper, section 5.3) and all that is closed under the product.
 */
import type { VjpRule } from '../../rule.ts';
import { closedStructure, wholeStructure } from '../../structure.ts';
import { jacobianCost, jacobianRecurrence, storedOf } from '../parts/jacobian-recurrence.ts';
import { scanCotangents } from '../parts/scan-adjoint.ts';
import { scanGeneral } from './scan-general.ts';

export const scanStructured: VjpRule<'scan'> = {
  name: 'scan-structured',
  construct: 'scan',
  sweep: 'any',
  example: scanGeneral.example,
  matches: ({ operator }) =>
    closedStructure(operator).representatives.length < wholeStructure(operator).representatives.length,
  cost: ({ operator }) => jacobianCost(operator, closedStructure(operator)),
  stored: ({ operator }) => storedOf(closedStructure(operator)),
  cotangents: (b, construct, { results }, cotangents) =>
    scanCotangents(b, construct, jacobianRecurrence(closedStructure(construct.operator)), results, cotangents),
};
