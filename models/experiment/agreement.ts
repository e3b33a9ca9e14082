/**
 * Whether columns side by side are readings of one curve: y = row + column + scatter, of which the columns of replicates
 * have no part. F of the columns is their mean square over that of the scatter.
 */
import type { ImportedColumn } from '../tables/import/type-column.ts';

/** The critical value at 5 % of two columns of three rows: of more of either it is less. */
const clear = 18.51;
/** Of so many each may have its own offset, as repeated runs of an instrument have; nobody repeats more often. */
const usualReplicates = 4;
/** Offsets of runs are smaller than this share of what changes along the rows. */
const offset = 0.5;
const leastRows = 3;

export function differ(columns: readonly Pick<ImportedColumn, 'values'>[]): boolean {
  const [first] = columns;
  const places = Array.from({ length: first?.values?.length ?? 0 }, (_, row) => row);
  const rows = places
    .map((row) => columns.map(({ values }) => values?.[row] ?? NaN))
    .filter((cells) => cells.every(Number.isFinite));
  if (rows.length < leastRows) return false;
  const byRow = rows.map(mean);
  const byColumn = columns.map((_, j) => mean(rows.map((cells) => cells[j]!)));
  const all = mean(byRow);
  const scatter = rows.flatMap((cells, i) => cells.map((value, j) => value - byRow[i]! - byColumn[j]! + all));
  const squares = sumOfSquares(scatter) / ((rows.length - 1) * (columns.length - 1));
  const [ofColumns, ofRows] = [variance(byColumn), variance(byRow)];
  const isClear = rows.length * ofColumns > clear * squares;
  return isClear && (columns.length > usualReplicates || ofColumns > offset ** 2 * ofRows);
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const sumOfSquares = (values: readonly number[]): number => values.reduce((sum, value) => sum + value ** 2, 0);

function variance(values: readonly number[]): number {
  const middle = mean(values);
  return sumOfSquares(values.map((value) => value - middle)) / (values.length - 1);
}
