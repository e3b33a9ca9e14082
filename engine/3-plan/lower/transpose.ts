import type { ConstructOf } from '../../0-ir/program.ts';
import type { Site } from '../lowering.ts';
import { transposeView, type Located } from '../view.ts';

/** The same strides in another order. */
export function lowerTranspose({ value, permutation }: ConstructOf<'transpose'>, site: Site): Located[] {
  return [transposeView(site.at(value), permutation)];
}
