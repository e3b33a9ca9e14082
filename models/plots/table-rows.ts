/** Which row of which table an observation is, counted as the document counts them: those that it excludes too. */
import type { Model } from '../load/model.ts';
import type { Comparison } from './comparisons.ts';
import { rowByRow, rowsBehind, type RowByRow } from './rows.ts';

export interface TableRows {
  readonly table: string;
  readonly known: RowByRow;
  /** Of each observation. */
  readonly rows: Int32Array;
}

/** Undefined where observations are not made row by row of one table. */
export function tableRowsOf(model: Model, { observed }: Comparison): TableRows | undefined {
  const known = rowByRow(model, observed);
  const table = known && model.tables.get(known.table);
  if (!known || !table) return undefined;
  const counted = countedRows(table.rows, table.excluded ?? []);
  return { table: known.table, known, rows: rowsBehind(model, known).map((row) => counted[row] ?? -1) };
}

/** The rows that count, of a table of so many; `excluded` ascends. */
function countedRows(rows: number, excluded: readonly number[]): Int32Array {
  let next = 0;
  return new Int32Array(rows - excluded.length).map((_, i) => {
    while (excluded[next] === i + next) next++;
    return i + next;
  });
}
