import type { SegmentedScanConstruct } from '../../0-ir/program.ts';
import { combiner, elementsOf, newComponents, store, tupleAt, withEpilogue, type Tuple } from './combine.ts';
import { sizesOfShape, type Context } from './context.ts';
import { broadcastTo, linesAlong, type HostValue } from './host-value.ts';

/** A scan that forgets what came before wherever a flag is true. */
export function interpretSegmentedScan(c: SegmentedScanConstruct, context: Context): HostValue[] {
  const shape = sizesOfShape(context, c.shape);
  const elements = elementsOf(c, shape, context);
  const flags = broadcastTo(context.value(c.flags), shape);
  const combine = combiner(c.operator);
  const results = newComponents(c.operator, shape);
  for (const { positions } of linesAlong(shape, c.axis, c.reverse)) {
    let total: Tuple | undefined;
    for (const position of positions) {
      const before = flags.values[position] ? undefined : total;
      total = combine(before, tupleAt(elements, position));
      store(results, position, c.exclusive ? (before ?? c.operator.neutral) : total);
    }
  }
  return withEpilogue(c, results, shape, context);
}
