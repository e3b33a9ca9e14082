/** ys, hist = keyed-scan(⊙, keys, vs)  ⇒  the maps of a bin's elements on its adjoint, composed from the last to the first; whole Jacobians. */
import type { VjpRule } from '../rule.ts';
import { wholeStructure } from '../structure.ts';
import { storedOf } from './jacobian-recurrence.ts';
import { keyedAdjointCost, keyedScanCotangents } from './keyed-scan-adjoint.ts';

export const keyedScanGeneral: VjpRule<'keyed-scan'> = {
  name: 'keyed-scan-general',
  construct: 'keyed-scan',
  sweep: 'any',
  matches: () => true,
  cost: ({ operator }) => keyedAdjointCost(operator, wholeStructure(operator)),
  stored: ({ operator }) => storedOf(wholeStructure(operator)),
  cotangents: (b, construct, { results }, cotangents) =>
    keyedScanCotangents(b, construct, wholeStructure(construct.operator), results, cotangents),
};
