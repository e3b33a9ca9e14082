import type { ConstructOf } from '../../0-ir/program.ts';
import type { Site } from '../lowering.ts';
import type { Located } from '../view.ts';
import { lowerScan } from './scan.ts';

/** A scan step with flags. */
export function lowerSegmentedScan(c: ConstructOf<'segmented-scan'>, site: Site): Located[] {
  return lowerScan(c, site, c.flags);
}
