import type { ConstructOf } from '../../0-ir/program.ts';
import type { Site } from '../lowering.ts';
import { denseStrides, reshapeView, type Located } from '../view.ts';

/** Other strides over the same elements where there are such, else over a dense copy. */
export function lowerReshape({ value, shape }: ConstructOf<'reshape'>, site: Site): Located[] {
  const located = site.at(value);
  const view = reshapeView(located, shape);
  if (view) return [view];
  return [{ ...site.lowering.dense(located), shape, strides: denseStrides(shape) }];
}
