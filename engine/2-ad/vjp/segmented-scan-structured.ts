/** A scan that starts anew at flags, with only the classes of ⊙'s Jacobians stored and multiplied. */
import type { VjpRule } from '../rule.ts';
import { closedStructure, wholeStructure } from '../structure.ts';
import { jacobianScanCost, scanCotangents, storedOf } from './scan-adjoint.ts';

export const segmentedScanStructured: VjpRule<'segmented-scan'> = {
  name: 'segmented-scan-structured',
  construct: 'segmented-scan',
  matches: ({ operator }) =>
    closedStructure(operator).representatives.length < wholeStructure(operator).representatives.length,
  cost: ({ operator }) => jacobianScanCost(operator, closedStructure(operator)),
  stored: ({ operator }) => storedOf(closedStructure(operator)),
  // Operands: the flags, then the inputs.
  cotangents: (b, construct, { results }, cotangents) => [
    undefined,
    ...scanCotangents(b, construct, closedStructure(construct.operator), results, cotangents),
  ],
};
