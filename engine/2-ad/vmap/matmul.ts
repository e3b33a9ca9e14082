/** matmul: both sides gain a leading batch axis. */
import type { VmapRule } from '../rule.ts';
import { leading } from './batch.ts';

export const matmul: VmapRule<'matmul'> = (b, c, _, [left, right]) =>
  b.emit({ ...c, left: leading(b, c.left, Boolean(left)), right: leading(b, c.right, Boolean(right)) });
