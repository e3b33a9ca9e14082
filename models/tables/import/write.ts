/** The normal form of what was imported: cells inside the document where they are few, else a plain CSV file beside it. */
import { quoted } from '../../notation/csv.ts';
import type { TableEntry } from '../../notation/table-entry.ts';
import type { ImportedColumn, NamedColumn } from './type-column.ts';

/** What of a column is needed to write it to a file. */
export type WrittenColumn = Pick<ImportedColumn, 'type' | 'text'> & { readonly name: string };

/** The rows in which none of `whole` is missing. */
export function wholeRows(
  columns: readonly NamedColumn[],
  whole: readonly NamedColumn[],
  rows: number,
): { readonly columns: readonly NamedColumn[]; readonly rows: number } {
  if (whole.every(({ missing }) => missing === 0)) return { columns, rows };
  const kept: number[] = [];
  for (let row = 0; row < rows; row++) if (whole.every((column) => column.text(row) !== undefined)) kept.push(row);
  const at = (row: number): number => kept[row]!;
  return {
    columns: columns.map((column) => ({
      ...column,
      ...(column.values && { values: Float64Array.from(kept, (row) => column.values?.[row] ?? NaN) }),
      text: (row: number) => column.text(at(row)),
    })),
    rows: kept.length,
  };
}

/** More cells than these make a document that no diff shows and every message carries. */
const mostInside = 20_000;

/** Labels that inside a document would be read as something missing or infinite. */
const readAsOther = new Set(['NA', 'NaN', 'null', 'Infinity', '-Infinity']);

export function fitsInside(columns: readonly WrittenColumn[], rows: number): boolean {
  if (columns.length * rows > mostInside) return false;
  return columns.every((column) => {
    if (column.type !== 'category') return true;
    for (let row = 0; row < rows; row++) if (readAsOther.has(column.text(row) ?? '')) return false;
    return true;
  });
}

export function columnsInside(
  columns: readonly NamedColumn[],
  rows: number,
): Extract<TableEntry, { columns: unknown }> {
  const entries = columns.map((column): [string, (number | string | null)[]] => [
    column.name,
    Array.from({ length: rows }, (_, row) => cellInside(column, row)),
  ]);
  return { columns: Object.fromEntries(entries) };
}

function cellInside(column: NamedColumn, row: number): number | string | null {
  const text = column.text(row);
  if (text === undefined) return null;
  if (column.type === 'category' || column.type === 'date') return text;
  const value = column.values?.[row] ?? NaN;
  return Number.isFinite(value) ? value : text;
}

/** How `csvChunks` writes, so that nothing of it has to be found. */
export const plainCsv = { delimiter: ',', decimal: '.', header: true } as const;

const chunkRows = 5000;

/**
 * The table as CSV that says what it means: numbers as short as they read back to the same bits, all other text quoted,
 * what is missing as NA. One piece for some thousand rows.
 */
export function* csvChunks(columns: readonly WrittenColumn[], rows: number): Iterable<string> {
  yield `${columns.map(({ name }) => quoted(name)).join(',')}\n`;
  for (let from = 0; from < rows; from += chunkRows) {
    const lines: string[] = [];
    for (let row = from; row < Math.min(rows, from + chunkRows); row++)
      lines.push(columns.map((column) => cellOutside(column, row)).join(','));
    yield `${lines.join('\n')}\n`;
  }
}

function cellOutside({ type, text }: WrittenColumn, row: number): string {
  const cell = text(row);
  if (cell === undefined) return 'NA';
  return type === 'category' ? quoted(cell) : cell;
}
