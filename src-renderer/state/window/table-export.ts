/** Tables as files: numbers in full, as a program reads them and not as a reader sees them. */
import { inAscii } from '../../../models/formula/names.ts';
import { csvRow } from '../../../models/notation/csv.ts';

export type Cell = string | number | boolean | null;

export interface ExportTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

export function toCsv({ columns, rows }: ExportTable): string {
  return [columns, ...rows].map((row) => `${csvRow(row.map((cell) => cell ?? ''))}\r\n`).join('');
}

/** One object for each row. What JSON has no number for is a string, as in documents. */
export function toJson({ columns, rows }: ExportTable): string {
  const written = (cell: Cell): Cell => (typeof cell === 'number' && !Number.isFinite(cell) ? String(cell) : cell);
  const objects = rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, written(row[i] ?? null)])));
  return `${JSON.stringify(objects, null, 2)}\n`;
}

/** `Oral absorption, 12 subjects` and `profile` make `oral-absorption-12-subjects-profile`, `Aktivität` `aktivitaet`. */
export function fileStem(...parts: readonly string[]): string {
  const words = parts.map((part) =>
    inAscii(part)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, ''),
  );
  return words.filter((word) => word !== '').join('-') || 'cotangent';
}
