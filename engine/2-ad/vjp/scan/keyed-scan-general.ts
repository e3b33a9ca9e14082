/** ys, hist = keyed-scan(⊙, keys, vs)  ⇒  the maps of a bin's elements on its adjoint, composed from the last to the first; whole Jacobians. */
import type { VjpRule } from '../../rule.ts';
import { wholeStructure } from '../../structure.ts';
import { storedOf } from '../parts/jacobian-recurrence.ts';
import { keyedAdjointCost, keyedScanCotangents } from '../parts/keyed-scan-adjoint.ts';

export const keyedScanGeneral: VjpRule<'keyed-scan'> = {
  name: 'keyed-scan-general',
  construct: 'keyed-scan',
  sweep: 'any',
  example: `program (%0 keys: int[n], %1 offsets: real[n], %2 slopes: real[n]) {
  %3: real[n], %4: real[n], %5: real[bins], %6: real[bins] = keyed-scan[n] batch 0 bins [bins] keys %0
    operator neutral (0.0, 1.0)
    (x0: real, x1: real, x2: real, x3: real) { x4 = x3 * x0; x5 = x2 + x4; x6 = x1 * x3; yield x5, x6 }
    (%1, %2)
  yield offsets = %3, slopes = %4, offset = %5, slope = %6
}`,
  matches: () => true,
  cost: (construct) => keyedAdjointCost(construct, wholeStructure(construct.operator)),
  stored: ({ operator }) => storedOf(wholeStructure(operator)),
  cotangents: (b, construct, { results }, cotangents) =>
    keyedScanCotangents(b, construct, wholeStructure(construct.operator), results, cotangents),
};
