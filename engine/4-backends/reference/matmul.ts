import type { MatmulConstruct } from '../../0-ir/program.ts';
import type { Context } from './context.ts';
import { broadcastBatch, commonBatch, pointAt, positionOf, tabulate, type HostValue } from './host-value.ts';

/** result[batch…, i, j] = Σₖ left[batch…, i, k]·right[batch…, k, j] */
export function interpretMatmul(c: MatmulConstruct, context: Context): HostValue[] {
  const operands = [context.value(c.left), context.value(c.right)];
  const batch = c.left.type.shape.length - 2;
  const batchShape = commonBatch(batch, operands);
  const [left, right] = operands.map((value) => broadcastBatch(value, batchShape)) as [HostValue, HostValue];
  const inner = left.shape[batch + 1]!;
  const shape = [...batchShape, left.shape[batch]!, right.shape[batch + 1]!];
  const result = tabulate('real', shape, (position) => {
    const point = pointAt(position, shape);
    let sum = 0;
    for (let k = 0; k < inner; k++) {
      const a = left.values[positionOf(point.with(batch + 1, k), left.shape)]!;
      const b = right.values[positionOf(point.with(batch, k), right.shape)]!;
      sum += a * b;
    }
    return sum;
  });
  return [result];
}
