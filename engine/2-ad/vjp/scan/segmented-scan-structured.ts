/** A scan that starts anew at flags, with only the classes of ⊙'s Jacobians stored and multiplied. */
import type { VjpRule } from '../../rule.ts';
import { closedStructure, wholeStructure } from '../../structure.ts';
import { jacobianCost, jacobianRecurrence, storedOf } from '../parts/jacobian-recurrence.ts';
import { scanCotangents } from '../parts/scan-adjoint.ts';
import { segmentedScanGeneral } from './segmented-scan-general.ts';

export const segmentedScanStructured: VjpRule<'segmented-scan'> = {
  name: 'segmented-scan-structured',
  construct: 'segmented-scan',
  sweep: 'any',
  example: segmentedScanGeneral.example,
  matches: ({ operator }) =>
    closedStructure(operator).representatives.length < wholeStructure(operator).representatives.length,
  cost: ({ operator }) => jacobianCost(operator, closedStructure(operator)),
  stored: ({ operator }) => storedOf(closedStructure(operator)),
  // Operands: the flags, then the inputs.
  cotangents: (b, construct, { results }, cotangents) => [
    undefined,
    ...scanCotangents(b, construct, jacobianRecurrence(closedStructure(construct.operator)), results, cotangents),
  ],
};
