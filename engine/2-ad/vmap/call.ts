/** call: the program, mapped over the same inputs. */
import type { VmapRule } from '../rule.ts';

export const call: VmapRule<'call'> = (b, c, size, batched, recursion) =>
  b.emit({ ...c, program: recursion.vmap(c.program, size, batched) });
