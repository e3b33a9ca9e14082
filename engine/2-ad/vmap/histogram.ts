/** histogram: the domain [batch…, n, trailing…] and the keys gain a leading batch axis; inputs align to the domain. */
import type { ConstructOf } from '../../0-ir/program.ts';
import type { ProgramBuilder } from '../../0-ir/builder.ts';
import type { Size } from '../../0-ir/sizes.ts';
import type { VmapRule } from '../rule.ts';
import { aligned, leading } from './batch.ts';

export const histogram: VmapRule<'histogram'> = (b, c, size, batched) => b.emit(withBatchAxis(b, c, size, batched));

// Operands: keys, the inputs, the initial contents.
export function withBatchAxis<C extends ConstructOf<'histogram' | 'keyed-scan'>>(
  b: ProgramBuilder,
  c: C,
  size: Size,
  [keys, ...rest]: readonly boolean[],
): C {
  const rank = c.shape.length;
  const initial = c.initial?.map((value, i) => aligned(b, value, Boolean(rest[c.inputs.length + i]), rank));
  return {
    ...c,
    batch: c.batch + 1,
    shape: [size, ...c.shape],
    keys: leading(b, c.keys, Boolean(keys)),
    inputs: c.inputs.map((value, i) => aligned(b, value, Boolean(rest[i]), rank)),
    ...(initial && { initial }),
  };
}
