import type { ConstructOf } from '../../0-ir/program.ts';
import type { Site } from '../lowering.ts';
import { sliceView, type Located } from '../view.ts';

/** Another offset, and the stride times the step. */
export function lowerSlice({ value, axis, start, length, step }: ConstructOf<'slice'>, site: Site): Located[] {
  return [sliceView(site.at(value), axis, start, length, step)];
}
