/** As histogram; an epilogue's inputs align to the domain. */
import type { VmapRule } from '../rule.ts';
import { alignEpilogue } from './domain.ts';
import { withBatchAxis } from './histogram.ts';

// Operands: keys, the inputs, the initial contents, then the epilogue's.
export const keyedScan: VmapRule<'keyed-scan'> = (b, c, size, batched) => {
  const start = 1 + c.inputs.length + (c.initial?.length ?? 0);
  return b.emit({ ...withBatchAxis(b, c, size, batched), ...alignEpilogue(b, c, batched, start) });
};
