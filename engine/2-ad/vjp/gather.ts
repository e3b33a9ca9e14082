/**
 * ys = gather(from, is)  ⇒  from̄ = histogram(+, is, ȳs): gather and histogram(+) are each other's transpose.
 * An index out of range gives a constant, so it takes no adjoint: the histogram ignores it.
 */
import { builtinOperator } from '../../0-ir/operators.ts';
import { sizeProduct } from '../../0-ir/sizes.ts';
import { sumTo } from '../layout.ts';
import type { VjpRule } from '../rule.ts';

export const gather: VjpRule<'gather'> = {
  name: 'gather',
  construct: 'gather',
  example: `program (%0 from: real[m], %1 indices: int[n]) {
  %2: real[n] = gather %0 at %1 batch 0 outside zero
  yield ys = %2
}`,
  matches: () => true,
  cost: () => ({ traffic: 6, operations: 4, passes: 2 }),
  // Operands: from, indices.
  cotangents(b, { from, indices, batch }, _, [cotangent]) {
    if (!cotangent) return [];
    const rows = from.type.shape[batch]!;
    const picked = indices.type.shape.slice(batch);
    const trailing = from.type.shape.slice(batch + 1);
    const count = sizeProduct(picked);
    const keys = b.reshape(indices, [...indices.type.shape.slice(0, batch), count]);
    const values = b.reshape(cotangent, [...cotangent.type.shape.slice(0, batch), count, ...trailing]);
    const [adjoint] = b.histogram(builtinOperator('add'), keys, [values], rows, { batch });
    return [sumTo(b, adjoint!, from.type.shape), undefined];
  },
};
