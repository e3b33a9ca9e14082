import type { ScanConstruct } from '../../0-ir/program.ts';
import { combiner, elementsOf, newComponents, store, tupleAt, withEpilogue, type Tuple } from './combine.ts';
import { sizesOfShape, type Context } from './context.ts';
import { linesAlong, type HostValue } from './host-value.ts';

/** yᵢ = x₀ ⊙ … ⊙ xᵢ; exclusive: yᵢ = x₀ ⊙ … ⊙ xᵢ₋₁ and y₀ the neutral element. In reverse, x₀ is the last along the axis. */
export function interpretScan(c: ScanConstruct, context: Context): HostValue[] {
  const shape = sizesOfShape(context, c.shape);
  const elements = elementsOf(c, shape, context);
  const combine = combiner(c.operator);
  const results = newComponents(c.operator, shape);
  for (const { positions } of linesAlong(shape, c.axis, c.reverse)) {
    let total: Tuple | undefined;
    for (const position of positions) {
      const before = total;
      total = combine(total, tupleAt(elements, position));
      store(results, position, c.exclusive ? (before ?? c.operator.neutral) : total);
    }
  }
  return withEpilogue(c, results, shape, context);
}
