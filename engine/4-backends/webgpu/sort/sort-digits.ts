/** By which digits keys are sorted, and in what pieces. */
import type { SizeValues } from '../module.ts';

/** Bits of a digit at most: a table of 256 counters in workgroup memory. */
const mostBits = 8;
/** Elements that a workgroup sorts in its own memory at a time: sixteen a lane. */
export const sortLanes = 64;
export const sortShare = 16;
export const sortTile = sortLanes * sortShare;
/** Workgroups of a row at most: there is a table for each, to be scanned. */
export const mostGroups = 4096;

export interface SortPieces {
  readonly passes: number;
  /** Bits of a digit, as near to each other as can be. */
  readonly bits: number;
  /** Tiles that one workgroup goes through; the workgroups of a row. */
  readonly tiles: number;
  readonly groups: number;
}

/** Keys below a bound b have ⌈log₂ b⌉ bits, others 32. */
export function sortPieces({ length = 0, bound, most = mostGroups }: SizeValues): SortPieces {
  const keyBits = bound === undefined ? 32 : 32 - Math.clz32(Math.max(0, bound - 1));
  const passes = Math.max(1, Math.ceil(keyBits / mostBits));
  const all = Math.ceil(length / sortTile);
  const tiles = Math.max(1, Math.ceil(all / most));
  return { passes, bits: Math.max(1, Math.ceil(keyBits / passes)), tiles, groups: Math.ceil(all / tiles) };
}
