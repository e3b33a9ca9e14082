/**
 * ys = scan(⊙, as)  ⇒  Jacobians, a backward linear recurrence by a scan with lin_o, a map. Paper, figure "scan-gen".
 */
import type { VjpRule } from '../rule.ts';
import { jacobianScanCost, scanCotangents, wholeJacobian } from './scan-adjoint.ts';

export const scanGeneral: VjpRule<'scan'> = {
  name: 'scan-general',
  construct: 'scan',
  matches: () => true,
  cost: ({ operator }) => jacobianScanCost(operator),
  stored: ({ operator }) => wholeJacobian(operator),
  cotangents: (b, construct, { results }, cotangents) => scanCotangents(b, construct, results, cotangents),
};
