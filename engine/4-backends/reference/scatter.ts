import { Fault } from '../../0-ir/errors.ts';
import type { ScatterConstruct } from '../../0-ir/program.ts';
import type { Context } from './context.ts';
import { broadcastBatch, commonBatch, elementCount, pointAt, positionOf, type HostValue } from './host-value.ts';

/** result = into, but result[batch…, indices[batch…, i], trailing…] = values[batch…, i, trailing…] */
export function interpretScatter(c: ScatterConstruct, context: Context): HostValue[] {
  const operands = [context.value(c.into), context.value(c.indices), context.value(c.values)];
  const batchShape = commonBatch(c.batch, operands);
  const [into, indices, values] = operands.map((value) => broadcastBatch(value, batchShape)) as [
    HostValue,
    HostValue,
    HostValue,
  ];
  const rows = into.shape[c.batch]!;
  const result = { ...into, values: into.values.slice() };
  const written = new Set<number>();
  for (let position = 0; position < elementCount(values.shape); position++) {
    const point = pointAt(position, values.shape);
    const row = indices.values[positionOf(point.slice(0, c.batch + 1), indices.shape)]!;
    if (row < 0 || row >= rows) continue;
    const target = positionOf(point.with(c.batch, row), into.shape);
    if (c.checked && written.has(target))
      throw new Fault(`scatter: the index ${row} occurs twice`, context.origin, position);
    written.add(target);
    result.values[target] = values.values[position]!;
  }
  return [result];
}
