/**
 * Rows of a table that somebody has excluded, and why. They count for nothing: no block sees them, as if the table were
 * without them. What a column *is* (its type, a category's labels and codes, the day from which dates count) is found
 * from all of its rows, so that excluding one moves nothing else.
 */
import { TableError } from './table.ts';
import type { ColumnFault, TypedColumn } from './type-column.ts';

export interface Exclusion {
  /** Counted from 0. */
  readonly row: number;
  readonly why?: string;
}

/** In ascending order. Throws `TableError` where a row is not there, or named twice. */
export function excludedRows(exclusions: readonly Exclusion[], rows: number): number[] {
  const found = exclusions.map(({ row }) => row).sort((a, b) => a - b);
  const beyond = found.find((row) => row >= rows);
  if (beyond !== undefined)
    throw new TableError(`"excluded" names row ${beyond}, and it has ${rows} rows, counted from 0`);
  const twice = found.find((row, i) => row === found[i + 1]);
  if (twice !== undefined) throw new TableError(`"excluded" names row ${twice} twice`);
  return found;
}

/** `rows`: ascending. */
export function withoutRows(typed: TypedColumn | ColumnFault, rows: readonly number[]): TypedColumn | ColumnFault {
  const left = new Set(rows);
  return rows.length === 0 ? typed : chosenRows(typed, (row) => !left.has(row));
}

/** As `withoutRows` leaves them out. */
export function onlyRows(typed: TypedColumn | ColumnFault, rows: readonly number[]): TypedColumn | ColumnFault {
  const left = new Set(rows);
  return chosenRows(typed, (row) => left.has(row));
}

function chosenRows(typed: TypedColumn | ColumnFault, chosen: (row: number) => boolean): TypedColumn | ColumnFault {
  if ('wanted' in typed) return typed;
  const { values, dates } = typed;
  const isChosen = (_: unknown, row: number): boolean => chosen(row);
  return { ...typed, values: values.filter(isChosen), ...(dates && { dates: dates.filter(isChosen) }) };
}
