/** sort-permutation sorts along the last axis; all others are batch already. */
import type { VmapRule } from '../rule.ts';

export const sortPermutation: VmapRule<'sort-permutation'> = (b, c) => b.emit(c);
