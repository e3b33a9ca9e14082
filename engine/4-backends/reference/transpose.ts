import type { TransposeConstruct } from '../../0-ir/program.ts';
import type { Context } from './context.ts';
import { pointAt, positionOf, tabulate, type HostValue } from './host-value.ts';

/** Axis i of the result is axis permutation[i] of the value. */
export function interpretTranspose(c: TransposeConstruct, context: Context): HostValue[] {
  const value = context.value(c.value);
  const shape = c.permutation.map((axis) => value.shape[axis]!);
  const result = tabulate(value.element, shape, (position) => {
    const source = new Array<number>(shape.length);
    pointAt(position, shape).forEach((index, i) => (source[c.permutation[i]!] = index));
    return value.values[positionOf(source, value.shape)]!;
  });
  return [result];
}
