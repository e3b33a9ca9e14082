import type { ConcatenateConstruct } from '../../0-ir/program.ts';
import { IrError } from '../../0-ir/types.ts';
import type { Context } from './context.ts';
import { elementCount, newValue, pointAt, positionOf, type HostValue } from './host-value.ts';

/** The values one after the other along the axis. */
export function interpretConcatenate(c: ConcatenateConstruct, context: Context): HostValue[] {
  const values = c.values.map(context.value);
  const [first] = values;
  if (!first) throw new IrError('concatenate: no values');
  const total = values.reduce((sum, value) => sum + value.shape[c.axis]!, 0);
  const result = newValue(first.element, first.shape.with(c.axis, total));
  let start = 0;
  for (const value of values) {
    for (let position = 0; position < elementCount(value.shape); position++) {
      const point = pointAt(position, value.shape);
      const target = positionOf(point.with(c.axis, start + point[c.axis]!), result.shape);
      result.values[target] = value.values[position]!;
    }
    start += value.shape[c.axis]!;
  }
  return [result];
}
