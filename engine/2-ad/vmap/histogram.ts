/** histogram: the domain [batch…, n, trailing…] and the keys gain a leading batch axis; inputs align to the domain. */
import type { VmapRule } from '../rule.ts';
import { aligned, leading } from './batch.ts';

// Operands: keys, the inputs, the initial contents.
export const histogram: VmapRule<'histogram'> = (b, c, size, [keys, ...rest]) => {
  const rank = c.shape.length;
  const initial = c.initial?.map((value, i) => aligned(b, value, Boolean(rest[c.inputs.length + i]), rank));
  return b.emit({
    ...c,
    batch: c.batch + 1,
    shape: [size, ...c.shape],
    keys: leading(b, c.keys, Boolean(keys)),
    inputs: c.inputs.map((value, i) => aligned(b, value, Boolean(rest[i]), rank)),
    ...(initial && { initial }),
  });
};
