/**
 * ys = scan(⊙, as)  ⇒  Jacobians, a backward linear recurrence by a scan with lin_o, a map. Paper, figure "scan-gen".
 */
import type { VjpRule } from '../rule.ts';
import { wholeStructure } from '../structure.ts';
import { jacobianCost, jacobianRecurrence, storedOf } from './jacobian-recurrence.ts';
import { scanCotangents } from './scan-adjoint.ts';

export const scanGeneral: VjpRule<'scan'> = {
  name: 'scan-general',
  construct: 'scan',
  sweep: 'any',
  matches: () => true,
  cost: ({ operator }) => jacobianCost(operator, wholeStructure(operator)),
  stored: ({ operator }) => storedOf(wholeStructure(operator)),
  cotangents: (b, construct, { results }, cotangents) =>
    scanCotangents(b, construct, jacobianRecurrence(wholeStructure(construct.operator)), results, cotangents),
};
