import type { ConstructOf } from '../../0-ir/program.ts';
import type { Site } from '../lowering.ts';
import { reverseView, type Located } from '../view.ts';

/** A negative stride from the last element. */
export function lowerReverse({ value, axis }: ConstructOf<'reverse'>, site: Site): Located[] {
  return [reverseView(site.at(value), axis)];
}
