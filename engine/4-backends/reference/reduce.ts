import type { ReduceConstruct } from '../../0-ir/program.ts';
import { combiner, elementsOf, newComponents, store, tupleAt, type Tuple } from './combine.ts';
import { sizesOfShape, type Context } from './context.ts';
import { linesAlong, type HostValue } from './host-value.ts';

/** y = x₀ ⊙ x₁ ⊙ … along the axis; the neutral element where there is no x. */
export function interpretReduce(c: ReduceConstruct, context: Context): HostValue[] {
  const shape = sizesOfShape(context, c.shape);
  const elements = elementsOf(c, shape, context);
  const combine = combiner(c.operator);
  const results = newComponents(
    c.operator,
    shape.filter((_, axis) => axis !== c.axis),
  );
  for (const { across, positions } of linesAlong(shape, c.axis)) {
    let total: Tuple | undefined;
    for (const position of positions) total = combine(total, tupleAt(elements, position));
    store(results, across, total ?? c.operator.neutral);
  }
  return results;
}
