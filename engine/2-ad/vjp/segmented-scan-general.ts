/**
 * A scan that starts anew at flags: the general rule of scan (paper, figure "scan-gen"), in which nothing flows back
 * across the start of a segment.
 */
import type { VjpRule } from '../rule.ts';
import { wholeStructure } from '../structure.ts';
import { jacobianCost, jacobianRecurrence, storedOf } from './jacobian-recurrence.ts';
import { scanCotangents } from './scan-adjoint.ts';

export const segmentedScanGeneral: VjpRule<'segmented-scan'> = {
  name: 'segmented-scan-general',
  construct: 'segmented-scan',
  sweep: 'any',
  matches: () => true,
  cost: ({ operator }) => jacobianCost(operator, wholeStructure(operator)),
  stored: ({ operator }) => storedOf(wholeStructure(operator)),
  // Operands: the flags, then the inputs.
  cotangents: (b, construct, { results }, cotangents) => [
    undefined,
    ...scanCotangents(b, construct, jacobianRecurrence(wholeStructure(construct.operator)), results, cotangents),
  ],
};
