import type { SortPermutationConstruct } from '../../0-ir/program.ts';
import type { Context } from './context.ts';
import { linesAlong, newValue, type HostValue } from './host-value.ts';

/** The stable order of the keys along their last axis. */
export function interpretSortPermutation(c: SortPermutationConstruct, context: Context): HostValue[] {
  const keys = context.value(c.keys);
  const result = newValue('int', keys.shape);
  for (const { positions } of linesAlong(keys.shape, keys.shape.length - 1)) {
    const keyAt = (i: number) => keys.values[positions[i]!]!;
    const order = positions.map((_, i) => i).sort((i, j) => keyAt(i) - keyAt(j));
    positions.forEach((position, i) => (result.values[position] = order[i]!));
  }
  return [result];
}
