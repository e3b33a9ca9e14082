import type { ConstructOf } from '../../0-ir/program.ts';
import type { Site } from '../lowering.ts';
import { broadcastView, type Located } from '../view.ts';

/** Strides of 0 along the new axes. */
export function lowerReplicate({ value, shape }: ConstructOf<'replicate'>, site: Site): Located[] {
  return [broadcastView(site.at(value), shape)];
}
