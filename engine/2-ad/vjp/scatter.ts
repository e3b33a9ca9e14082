/**
 * ys = into with rows is ← vs  ⇒  into̅ = ȳs with zeros in those rows,  v̄s = gather(ȳs, is), zero out of range.
 */
import { sumTo } from '../layout.ts';
import type { VjpRule } from '../rule.ts';

export const scatter: VjpRule<'scatter'> = {
  name: 'scatter',
  construct: 'scatter',
  example: `program (%0 into: real[n], %1 values: real[m]) {
  %2: int[m] = iota [m]
  %3: real[n] = scatter %1 into %0 at %2 batch 0
  yield ys = %3
}`,
  matches: () => true,
  cost: () => ({ traffic: 8, operations: 4, passes: 3 }),
  // Operands: into, indices, values.
  cotangents(b, { into, indices, values, batch }, _, [cotangent]) {
    if (!cotangent) return [];
    const kept = b.scatter(cotangent, indices, b.zeros(values.type), { batch });
    const taken = b.gather(cotangent, indices, 'zero', batch);
    return [sumTo(b, kept, into.type.shape), undefined, sumTo(b, taken, values.type.shape)];
  },
};
