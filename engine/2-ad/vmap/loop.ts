/** loop: every carry gains the axis, since one may come to depend on another that has it. */
import type { VmapRule } from '../rule.ts';
import { withBatch } from './batch.ts';

// Operands: initial, invariants.
export const loop: VmapRule<'loop'> = (b, c, size, batched, recursion) => {
  const invariants = batched.slice(c.initial.length);
  return b.emit({
    ...c,
    body: recursion.vmap(c.body, size, [false, ...c.initial.map(() => true), ...invariants]),
    initial: c.initial.map((value, i) => (batched[i] ? value : withBatch(b, value, size))),
  });
};
