/** Outputs whose values are fetched to be looked at. */
import type { BlockReport } from '../../../src-main/contract/contract.ts';

/** Elements that are fetched in all; an output that is longer than what is left hides no other. */
export const mostElements = 2_000_000;

export function outputsLookedAt(blocks: readonly BlockReport[], room = mostElements): string[] {
  let left = room;
  return blocks.flatMap(({ id, outputs }) =>
    outputs.flatMap(({ name, sizes }) => {
      const size = sizes.reduce((product, each) => product * each, 1);
      if (size > left) return [];
      left -= size;
      return [outputs.length === 1 ? id : `${id}.${name}`];
    }),
  );
}
