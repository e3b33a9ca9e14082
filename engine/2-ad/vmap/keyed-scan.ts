/** As histogram. */
import type { VmapRule } from '../rule.ts';
import { withBatchAxis } from './histogram.ts';

export const keyedScan: VmapRule<'keyed-scan'> = (b, c, size, batched) => b.emit(withBatchAxis(b, c, size, batched));
