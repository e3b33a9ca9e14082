/** gather: `from` and `indices` gain a leading batch axis. */
import type { VmapRule } from '../rule.ts';
import { leading } from './batch.ts';

export const gather: VmapRule<'gather'> = (b, c, _, [from, indices]) =>
  b.emit({
    ...c,
    batch: c.batch + 1,
    from: leading(b, c.from, Boolean(from)),
    indices: leading(b, c.indices, Boolean(indices)),
  });
