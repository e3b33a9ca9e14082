import type { HistogramConstruct } from '../../0-ir/program.ts';
import { combiner, elementsOf, newComponents, store, tupleAt, type Tuple } from './combine.ts';
import { sizesOfShape, type Context } from './context.ts';
import { broadcastTo, linesAlong, type HostValue } from './host-value.ts';

/** hist[k] = initial[k] ⊙ (the elements whose key is k, in order); the neutral element for a bin with neither. */
export function interpretHistogram(c: HistogramConstruct, context: Context): HostValue[] {
  const shape = sizesOfShape(context, c.shape);
  const bins = context.size(c.bins);
  const resultShape = shape.with(c.batch, bins);
  const elements = elementsOf(c, shape, context);
  const initial = c.initial?.map((value) => broadcastTo(context.value(value), resultShape));
  const keys = keysOverDomain(c, shape, context);
  const combine = combiner(c.operator);
  const results = newComponents(c.operator, resultShape);
  const resultLines = linesAlong(resultShape, c.batch);
  for (const { across, positions } of linesAlong(shape, c.batch)) {
    const bin = resultLines[across]?.positions ?? [];
    const contents: (Tuple | undefined)[] = bin.map((position) => initial && tupleAt(initial, position));
    for (const position of positions) {
      const key = keys.values[position]!;
      if (key >= 0 && key < bins) contents[key] = combine(contents[key], tupleAt(elements, position));
    }
    bin.forEach((position, key) => store(results, position, contents[key] ?? c.operator.neutral));
  }
  return results;
}

/** Keys lack the trailing axes: they get axes of size 1 there, and stretch over the whole domain. */
export function keysOverDomain(
  c: Pick<HistogramConstruct, 'keys' | 'batch'>,
  shape: readonly number[],
  context: Context,
): HostValue {
  const { values, element, shape: keyShape } = context.value(c.keys);
  const trailing = shape.slice(c.batch + 1).map(() => 1);
  return broadcastTo({ element, values, shape: [...keyShape, ...trailing] }, shape);
}
