import type { SliceConstruct } from '../../0-ir/program.ts';
import { IrError } from '../../0-ir/types.ts';
import type { Context } from './context.ts';
import { pointAt, positionOf, tabulate, type HostValue } from './host-value.ts';

/** result[…, i, …] = value[…, start + i·step, …] */
export function interpretSlice(c: SliceConstruct, context: Context): HostValue[] {
  const value = context.value(c.value);
  const start = context.size(c.start);
  const length = context.size(c.length);
  const available = value.shape[c.axis]!;
  const last = start + (length - 1) * c.step;
  if (length > 0 && (Math.min(start, last) < 0 || Math.max(start, last) >= available))
    throw new IrError(`slice: elements ${start} to ${last} of an axis of ${available}`);
  const shape = value.shape.with(c.axis, length);
  const result = tabulate(value.element, shape, (position) => {
    const point = pointAt(position, shape);
    return value.values[positionOf(point.with(c.axis, start + point[c.axis]! * c.step), value.shape)]!;
  });
  return [result];
}
