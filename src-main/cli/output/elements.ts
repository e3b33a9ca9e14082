/** Rows for elements of parameters, as values nested like the parameters are. */

/** `k`, or `K[0,1]` of the block `K`. */
export interface ElementRow {
  readonly name: string;
  readonly block: string;
}

export function byBlock<T extends ElementRow>(rows: readonly T[]): Map<string, T[]> {
  const blocks = new Map<string, T[]>();
  for (const row of rows) blocks.set(row.block, [...(blocks.get(row.block) ?? []), row]);
  return blocks;
}

/** The indices of an element's name: `K[0,1]` → [0, 1]; [] for `k`. */
function indicesOf({ name, block }: ElementRow): number[] {
  const inner = name.slice(block.length + 1, -1);
  return inner === '' ? [] : inner.split(',').map(Number);
}

/** What `of` says of all elements of a block: one thing for a scalar, else nested arrays. */
export function nestedElements<T extends ElementRow>(rows: readonly T[], of: (row: T) => unknown): unknown {
  const top: unknown[] = [];
  for (const row of rows) {
    const indices = indicesOf(row);
    if (indices.length === 0) return of(row);
    let array = top;
    for (const index of indices.slice(0, -1)) array = (array[index] ??= []) as unknown[];
    array[indices.at(-1)!] = of(row);
  }
  return top;
}

/** Null where a figure is undefined, also within lists, and where it is spelt for JSON already. */
export function orNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(orNull);
  return Number.isNaN(value) || value === 'NaN' ? null : value;
}
