import type { RawColumn } from './cells.ts';

/** A table as read, its cells not yet typed: what a cell means depends on the column block that takes it. */
export interface Table {
  readonly name: string;
  /** The file it came from; undefined for one that is written in the document. */
  readonly file: string | undefined;
  readonly rows: number;
  /** In the order of the file. A map, since a column may be named `constructor`. */
  readonly columns: ReadonlyMap<string, RawColumn>;
  /** The line of the file on which the first row of data stands, where the file has lines. */
  readonly firstLine?: number;
  /** Rows that count for nothing, ascending; absent where all count. */
  readonly excluded?: readonly number[];
}

/** A table that cannot be read, in one sentence. */
export class TableError extends Error {
  override readonly name = 'TableError';
}

export function columnLength(column: RawColumn): number {
  return column.kind === 'numbers' ? column.values.length : column.length;
}

/** The cells of some rows as text, for showing. */
export function tableText(table: Table, from: number, rows: number): string[][] {
  const columns = [...table.columns.values()];
  const to = Math.min(table.rows, from + rows);
  return Array.from({ length: Math.max(0, to - from) }, (_, i) =>
    columns.map((column) => (column.kind === 'text' ? column.cell(from + i) : String(column.values[from + i]!))),
  );
}
