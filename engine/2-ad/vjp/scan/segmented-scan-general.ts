/**
 * A scan that starts anew at flags: the general rule of scan (paper, figure "scan-gen"), in which nothing flows back
 * across the start of a segment.
 */
import type { VjpRule } from '../../rule.ts';
import { wholeStructure } from '../../structure.ts';
import { jacobianCost, jacobianRecurrence, storedOf } from '../parts/jacobian-recurrence.ts';
import { scanCotangents } from '../parts/scan-adjoint.ts';

export const segmentedScanGeneral: VjpRule<'segmented-scan'> = {
  name: 'segmented-scan-general',
  construct: 'segmented-scan',
  sweep: 'any',
  example: `program (%0 offsets: real[n], %1 slopes: real[n], %2 flags: bool[n]) {
  %3: real[n], %4: real[n] = segmented-scan[n] along 0 flags %2 operator neutral (0.0, 1.0)
    (x0: real, x1: real, x2: real, x3: real) { x4 = x3 * x0; x5 = x2 + x4; x6 = x1 * x3; yield x5, x6 }
    (%0, %1)
  yield offsets = %3, slopes = %4
}`,
  matches: () => true,
  cost: ({ operator }) => jacobianCost(operator, wholeStructure(operator)),
  stored: ({ operator }) => storedOf(wholeStructure(operator)),
  // Operands: the flags, then the inputs.
  cotangents: (b, construct, { results }, cotangents) => [
    undefined,
    ...scanCotangents(b, construct, jacobianRecurrence(wholeStructure(construct.operator)), results, cotangents),
  ],
};
