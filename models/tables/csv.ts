/** CSV and its like: the delimiter, decimal mark and header are found, or said by the document. */
import type { RawColumn } from './cells.ts';
import { codesOf, type Codes } from './codes.ts';
import { decimalSeen, findDecimal, findDelimiter, findHeader, sampleRows } from './find-format.ts';
import { plainCsv } from './plain-csv.ts';
import { splitCsv, type CsvRows } from './split-csv.ts';
import { TableError, type Table } from './table.ts';
import { decodeWindows1252 } from './windows-1252.ts';

export interface CsvOptions {
  readonly delimiter?: string;
  readonly decimal?: '.' | ',';
  readonly header?: boolean;
}

/** Without a header the columns are `column1`, `column2`, …. Throws `TableError`. */
export function readCsv(name: string, file: string | undefined, text: string, options: CsvOptions = {}): Table {
  const codes = codesOf(text);
  const delimiter = options.delimiter ?? findDelimiter(text, codes);
  const rows = plainRows(text, codes, delimiter, options) ?? splitCsv(text, delimiter, { codes });
  if (rows.count === 0) throw new TableError('the file is empty');
  const decimal = options.decimal ?? findDecimal(rows, delimiter);
  const width = widthOf(rows);
  const header = options.header ?? findHeader(rows, decimal, width);
  const names = columnNames(rows, header, width);
  const before = header ? 1 : 0;
  for (let i = before; i < rows.count; i++)
    if (rows.width(i) < width || hasCellsFrom(rows, i, width))
      throw new TableError(
        `row ${i - before + 1} (line ${rows.line(i)}) has ${cellCount(rows.width(i))}, and the table has ${names.length} columns`,
      );
  const columns = new Map<string, RawColumn>();
  for (const [j, column] of names.entries()) {
    if (columns.has(column)) throw new TableError(`two columns are named ${JSON.stringify(column)}`);
    columns.set(column, {
      kind: 'text',
      length: rows.count - before,
      cell: (row) => rows.cell(row + before, j),
      plain: () => rows.plain(j, before, decimal),
      quoted: (row) => rows.quoted(row + before, j),
      decimal,
    });
  }
  return { name, file, rows: rows.count - before, columns, firstLine: rows.count > before ? rows.line(before) : 1 };
}

/** Below it a second look at the first rows is a large part of the whole. */
const long = 1 << 16;

/** Undefined where the table is short, or not plain, or the first rows leave its decimal mark open. */
function plainRows(text: string, codes: Codes, delimiter: string, options: CsvOptions): CsvRows | undefined {
  if (codes.length < long) return undefined;
  const first = splitCsv(text, delimiter, { codes, limit: sampleRows });
  const isPoint = delimiter === ',' || decimalSeen(first) === '.';
  const decimal = options.decimal ?? (isPoint ? '.' : undefined);
  if (decimal === undefined || decimal === delimiter || first.count === 0) return undefined;
  return plainCsv(text, codes, { delimiter, decimal, width: first.width(0) });
}

/** What the first row has, less the columns at the end that are empty in all rows: programs end lines with a delimiter. */
function widthOf(rows: CsvRows): number {
  let width = rows.width(0);
  const isEmpty = (column: number): boolean => {
    for (let row = 0; row < rows.count; row++)
      if (column < rows.width(row) && rows.cell(row, column) !== '') return false;
    return true;
  };
  while (width > 1 && isEmpty(width - 1)) width--;
  return width;
}

function hasCellsFrom(rows: CsvRows, row: number, first: number): boolean {
  for (let column = first; column < rows.width(row); column++) if (rows.cell(row, column) !== '') return true;
  return false;
}

function columnNames(rows: CsvRows, header: boolean, width: number): string[] {
  return Array.from({ length: width }, (_, i) => {
    const cell = rows.cell(0, i);
    return header && cell !== '' ? cell : `column${i + 1}`;
  });
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
    return decodeWindows1252(bytes);
  }
}
