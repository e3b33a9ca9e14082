/**
 * Parts of a sample that is run piece by piece, on whichever machines: rows are numbered, what is drawn for a row depends
 * on the seed and its number alone, and so a part is a range of numbers.
 */

/** Rows from..to, `to` not included. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

/** Shard `index` of `count`: as even as whole rows can be. */
export function shardPart(index: number, count: number, rows: number): Part {
  return { from: Math.floor((index * rows) / count), to: Math.floor(((index + 1) * rows) / count) };
}

/** Those of the rows from..to that lie in a part; all of them where there are no parts. */
export function rowsWithin(parts: readonly Part[] | undefined, from: number, to: number): number[] {
  const rows = Array.from({ length: to - from }, (_, i) => from + i);
  return parts ? rows.filter((row) => parts.some((part) => row >= part.from && row < part.to)) : rows;
}
