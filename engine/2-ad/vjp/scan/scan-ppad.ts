/**
 * ys = scan(⊙, as)  ⇒  a scan from the right with PPAD's operator, and a map. Paper, figure "ppad-scan".
 * Work-preserving for large tuples without structure, where d² Jacobian entries are too many; the measured competitor.
 */
import type { VjpRule } from '../../rule.ts';
import { ppadCost, ppadRecurrence } from '../parts/ppad-recurrence.ts';
import { scanCotangents } from '../parts/scan-adjoint.ts';
import { scanGeneral } from './scan-general.ts';

export const scanPpad: VjpRule<'scan'> = {
  name: 'scan-ppad',
  construct: 'scan',
  sweep: 'any',
  example: scanGeneral.example,
  matches: () => true,
  cost: ({ operator }) => ppadCost(operator),
  cotangents: (b, construct, { results }, cotangents) =>
    scanCotangents(b, construct, ppadRecurrence, results, cotangents),
};
