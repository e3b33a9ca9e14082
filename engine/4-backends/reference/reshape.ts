import type { ReshapeConstruct } from '../../0-ir/program.ts';
import { IrError, printShape } from '../../0-ir/types.ts';
import { sizesOfShape, type Context } from './context.ts';
import { elementCount, type HostValue } from './host-value.ts';

/** The same elements in row-major order. */
export function interpretReshape(c: ReshapeConstruct, context: Context): HostValue[] {
  const { element, shape: from, values } = context.value(c.value);
  const shape = sizesOfShape(context, c.shape);
  if (elementCount(shape) !== values.length)
    throw new IrError(`reshape: ${printShape(from)} and ${printShape(shape)} have different numbers of elements`);
  return [{ element, shape, values }];
}
