import type { ReverseConstruct } from '../../0-ir/program.ts';
import type { Context } from './context.ts';
import { pointAt, positionOf, tabulate, type HostValue } from './host-value.ts';

/** result[…, i, …] = value[…, n - 1 - i, …] */
export function interpretReverse(c: ReverseConstruct, context: Context): HostValue[] {
  const { element, shape, values } = context.value(c.value);
  const length = shape[c.axis]!;
  const result = tabulate(element, shape, (position) => {
    const point = pointAt(position, shape);
    return values[positionOf(point.with(c.axis, length - 1 - point[c.axis]!), shape)]!;
  });
  return [result];
}
