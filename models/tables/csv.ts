/** CSV and its like: the delimiter, decimal mark and header are found, or said by the document. */
import type { RawColumn } from './cells.ts';
import { findDecimal, findDelimiter, findHeader } from './find-format.ts';
import { splitCsv, type CsvRow } from './split-csv.ts';
import { TableError, type Table } from './table.ts';

export interface CsvOptions {
  readonly delimiter?: string;
  readonly decimal?: '.' | ',';
  readonly header?: boolean;
}

/** Without a header the columns are `column1`, `column2`, …. Throws `TableError`. */
export function readCsv(name: string, file: string | undefined, text: string, options: CsvOptions = {}): Table {
  const delimiter = options.delimiter ?? findDelimiter(text);
  const rows = splitCsv(text, delimiter);
  if (rows.length === 0) throw new TableError('the file is empty');
  const decimal = options.decimal ?? findDecimal(rows, delimiter);
  const header = options.header ?? findHeader(rows, decimal);
  const names = columnNames(rows[0] as CsvRow, header);
  const data = header ? rows.slice(1) : rows;
  for (const [i, row] of data.entries())
    if (row.cells.length !== names.length)
      throw new TableError(
        `row ${i + 1} (line ${row.line}) has ${cellCount(row.cells.length)}, and the table has ${names.length} columns`,
      );
  const columns = new Map<string, RawColumn>();
  for (const [j, column] of names.entries()) {
    if (columns.has(column)) throw new TableError(`two columns are named ${JSON.stringify(column)}`);
    columns.set(column, {
      kind: 'text',
      cells: data.map((row) => row.cells[j] as string),
      quoted: data.map((row) => row.quoted[j] as boolean),
      decimal,
    });
  }
  return { name, file, rows: data.length, columns, firstLine: data[0]?.line ?? 1 };
}

function columnNames(first: CsvRow, header: boolean): string[] {
  return first.cells.map((cell, i) => (header && cell !== '' ? cell : `column${i + 1}`));
}

function cellCount(count: number): string {
  return count === 1 ? '1 cell' : `${count} cells`;
}

/** UTF-8 or UTF-16 with a byte order mark; bytes that are no UTF-8 are read as Windows-1252, which older instruments write. */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
