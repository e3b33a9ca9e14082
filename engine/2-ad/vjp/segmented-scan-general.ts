/**
 * A scan that starts anew at flags: the general rule of scan (paper, figure "scan-gen"), in which nothing flows back
 * across the start of a segment.
 */
import type { VjpRule } from '../rule.ts';
import { wholeStructure } from '../structure.ts';
import { jacobianScanCost, scanCotangents, storedOf } from './scan-adjoint.ts';

export const segmentedScanGeneral: VjpRule<'segmented-scan'> = {
  name: 'segmented-scan-general',
  construct: 'segmented-scan',
  matches: () => true,
  cost: ({ operator }) => jacobianScanCost(operator, wholeStructure(operator)),
  stored: ({ operator }) => storedOf(wholeStructure(operator)),
  // Operands: the flags, then the inputs.
  cotangents: (b, construct, { results }, cotangents) => [
    undefined,
    ...scanCotangents(b, construct, wholeStructure(construct.operator), results, cotangents),
  ],
};
