/**
 * ys = scan(⊙, as)  ⇒  Jacobians, a backward linear recurrence by a scan with lin_o, a map. Paper, figure "scan-gen".
 */
import type { VjpRule } from '../../rule.ts';
import { wholeStructure } from '../../structure.ts';
import { jacobianCost, jacobianRecurrence, storedOf } from '../parts/jacobian-recurrence.ts';
import { scanCotangents } from '../parts/scan-adjoint.ts';

export const scanGeneral: VjpRule<'scan'> = {
  name: 'scan-general',
  construct: 'scan',
  sweep: 'any',
  example: `program (%0 offsets: real[n], %1 slopes: real[n]) {
  %2: real[n], %3: real[n] = scan[n] along 0 operator neutral (0.0, 1.0)
    (x0: real, x1: real, x2: real, x3: real) { x4 = x3 * x0; x5 = x2 + x4; x6 = x1 * x3; yield x5, x6 }
    (%0, %1)
  yield offsets = %2, slopes = %3
}`,
  matches: () => true,
  cost: ({ operator }) => jacobianCost(operator, wholeStructure(operator)),
  stored: ({ operator }) => storedOf(wholeStructure(operator)),
  cotangents: (b, construct, { results }, cotangents) =>
    scanCotangents(b, construct, jacobianRecurrence(wholeStructure(construct.operator)), results, cotangents),
};
