import type { KeyedScanConstruct } from '../../0-ir/program.ts';
import { combiner, elementsOf, newComponents, store, tupleAt, withEpilogue, type Tuple } from './combine.ts';
import { sizesOfShape, type Context } from './context.ts';
import { broadcastTo, linesAlong, type HostValue } from './host-value.ts';
import { keysOverDomain } from './histogram.ts';

/** A histogram, and what stood in each element's bin just after it (exclusive: just before). In reverse from the last element. */
export function interpretKeyedScan(c: KeyedScanConstruct, context: Context): HostValue[] {
  const shape = sizesOfShape(context, c.shape);
  const bins = context.size(c.bins);
  const contentsShape = shape.with(c.batch, bins);
  const elements = elementsOf(c, shape, context);
  const keys = keysOverDomain(c, shape, context);
  const initial = c.initial?.map((value) => broadcastTo(context.value(value), contentsShape));
  const combine = combiner(c.operator);
  const running = newComponents(c.operator, shape);
  const totals = newComponents(c.operator, contentsShape);
  const binLines = linesAlong(contentsShape, c.batch);
  for (const { across, positions } of linesAlong(shape, c.batch, c.reverse)) {
    const bin = binLines[across]?.positions ?? [];
    const contents: (Tuple | undefined)[] = bin.map((position) => initial && tupleAt(initial, position));
    for (const position of positions) {
      const key = keys.values[position]!;
      const before = contents[key];
      const isInRange = key >= 0 && key < bins;
      if (isInRange) contents[key] = combine(before, tupleAt(elements, position));
      const shown = c.exclusive ? before : isInRange ? contents[key] : undefined;
      store(running, position, shown ?? c.operator.neutral);
    }
    bin.forEach((position, key) => store(totals, position, contents[key] ?? c.operator.neutral));
  }
  return [...withEpilogue(c, running, shape, context), ...totals];
}
