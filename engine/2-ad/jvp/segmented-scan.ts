/** As scan: the dual operator starts anew at the same flags. */
import type { JvpRule } from '../rule.ts';
import { pushCombining } from './combining.ts';

// Operands: the flags, then the inputs.
export const segmentedScan: JvpRule<'segmented-scan'> = (b, construct, [, ...tangents]) =>
  pushCombining(b, construct, tangents);
