/** scatter: `into`, `indices` and `values` gain a leading batch axis. */
import type { VmapRule } from '../rule.ts';
import { leading } from './batch.ts';

export const scatter: VmapRule<'scatter'> = (b, c, _, [into, indices, values]) =>
  b.emit({
    ...c,
    batch: c.batch + 1,
    into: leading(b, c.into, Boolean(into)),
    indices: leading(b, c.indices, Boolean(indices)),
    values: leading(b, c.values, Boolean(values)),
  });
