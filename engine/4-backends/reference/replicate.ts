import type { ReplicateConstruct } from '../../0-ir/program.ts';
import { sizesOfShape, type Context } from './context.ts';
import { broadcastTo, type HostValue } from './host-value.ts';

export function interpretReplicate(c: ReplicateConstruct, context: Context): HostValue[] {
  return [broadcastTo(context.value(c.value), sizesOfShape(context, c.shape))];
}
