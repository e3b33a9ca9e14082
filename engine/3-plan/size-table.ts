/** The sizes that a plan's kernels look up instead of having them compiled in. */
import { sizeValue, type Size, type SizeBinding } from '../0-ir/sizes.ts';
import type { Plan } from './plan.ts';
import { sizesOf } from './step-parts.ts';

export interface SizeTable {
  /** Every distinct size that is no number, in the order in which the plan first mentions them. */
  readonly sizes: readonly string[];
  /** The row of a size. */
  readonly index: ReadonlyMap<string, number>;
}

/** `more`: further sizes that a backend's kernels need, after the plan's own. */
export function sizeTable(plan: Plan, more: readonly Size[] = []): SizeTable {
  const index = new Map<string, number>();
  for (const size of [...sizesOf(plan), ...more])
    if (typeof size === 'string' && !index.has(size)) index.set(size, index.size);
  return { sizes: [...index.keys()], index };
}

/** The table's values for a binding. Throws where a symbol is not bound. */
export function evaluateSizes(table: SizeTable, binding: SizeBinding): number[] {
  return table.sizes.map((size) => sizeValue(size, binding));
}
