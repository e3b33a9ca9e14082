import { Fault } from '../../0-ir/errors.ts';
import type { GatherConstruct } from '../../0-ir/program.ts';
import type { Context } from './context.ts';
import { broadcastBatch, commonBatch, pointAt, positionOf, tabulate, type HostValue } from './host-value.ts';

/** result[batch…, index…, trailing…] = from[batch…, indices[batch…, index…], trailing…] */
export function interpretGather(c: GatherConstruct, context: Context): HostValue[] {
  const operands = [context.value(c.from), context.value(c.indices)];
  const batchShape = commonBatch(c.batch, operands);
  const [from, indices] = operands.map((value) => broadcastBatch(value, batchShape)) as [HostValue, HostValue];
  const rows = from.shape[c.batch]!;
  const shape = [...indices.shape, ...from.shape.slice(c.batch + 1)];
  const result = tabulate(from.element, shape, (position) => {
    const point = pointAt(position, shape);
    const batchPoint = point.slice(0, c.batch);
    const trailingPoint = point.slice(indices.shape.length);
    const row = indices.values[positionOf(point.slice(0, indices.shape.length), indices.shape)]!;
    if (row >= 0 && row < rows) return from.values[positionOf([...batchPoint, row, ...trailingPoint], from.shape)]!;
    if (c.outside === 'fault')
      throw new Fault(`gather: the index ${row} is not within 0..${rows - 1}`, context.origin, position);
    return c.outside === 'nan' ? NaN : 0;
  });
  return [result];
}
