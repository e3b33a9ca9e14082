/** Columns of a symmetric matrix that have no row in common, and of which the sum is as good as each of them. */

export interface GroupedColumns {
  readonly groups: readonly {
    /** The sum of the unit vectors of the columns. */
    readonly direction: Float64Array;
    /** For each row, which of the columns is not 0 there; -1 where none is. */
    readonly column: Int32Array;
  }[];
}

/** The columns one by one: nothing is known of their rows. */
export const eachAlone = (n: number): GroupedColumns => ({
  groups: Array.from({ length: n }, (_, j) => ({
    direction: new Float64Array(n).fill(1, j, j + 1),
    column: new Int32Array(n).fill(j),
  })),
});

/** By the rows in which a matrix (row after row) is not 0, and in which columns were not before. */
export function groupedColumns(n: number, matrix: Float64Array, before?: GroupedColumns): GroupedColumns {
  const rows = Array.from({ length: n }, (_, j): number[] => {
    const own: number[] = [];
    for (let i = 0; i < n; i++) if (i === j || matrix[i * n + j] !== 0) own.push(i);
    return own;
  });
  for (const { column } of before?.groups ?? [])
    column.forEach((j, i) => {
      if (j >= 0 && i !== j && matrix[i * n + j] === 0) rows[j]?.push(i);
    });
  const groups: { readonly direction: Float64Array; readonly column: Int32Array }[] = [];
  for (const [j, own] of rows.entries()) {
    let group = groups.find(({ column }) => own.every((i) => column[i] === -1));
    if (!group) {
      group = { direction: new Float64Array(n), column: new Int32Array(n).fill(-1) };
      groups.push(group);
    }
    group.direction[j] = 1;
    for (const i of own) group.column[i] = j;
  }
  return { groups };
}
