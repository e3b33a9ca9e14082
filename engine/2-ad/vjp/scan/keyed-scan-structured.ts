/** As keyed-scan-general, with only the classes of ⊙'s Jacobians composed. */
import type { VjpRule } from '../../rule.ts';
import { closedStructure, wholeStructure } from '../../structure.ts';
import { storedOf } from '../parts/jacobian-recurrence.ts';
import { keyedAdjointCost, keyedScanCotangents } from '../parts/keyed-scan-adjoint.ts';
import { keyedScanGeneral } from './keyed-scan-general.ts';

export const keyedScanStructured: VjpRule<'keyed-scan'> = {
  name: 'keyed-scan-structured',
  construct: 'keyed-scan',
  sweep: 'any',
  example: keyedScanGeneral.example,
  matches: ({ operator }) =>
    closedStructure(operator).representatives.length < wholeStructure(operator).representatives.length,
  cost: (construct) => keyedAdjointCost(construct, closedStructure(construct.operator)),
  stored: ({ operator }) => storedOf(closedStructure(operator)),
  cotangents: (b, construct, { results }, cotangents) =>
    keyedScanCotangents(b, construct, closedStructure(construct.operator), results, cotangents),
};
