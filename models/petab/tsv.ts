/** PEtab's tables: rows of text by the names of their columns. Cells that are left out at the end of a row are empty. */
import { decodeText } from '../tables/csv.ts';
import { splitCsv, type CsvRows } from '../tables/split-csv.ts';
import { TableError } from '../tables/table.ts';
import { refuse } from '../sbml/refusal.ts';
import { decimal } from '../sbml/xml.ts';

export interface Row {
  /** `PROBLEM.tsv, row 3`. */
  readonly where: string;
  /** '' of a cell that is empty, and of a column that is not there. */
  cell(column: string): string;
  /** A number; undefined where the cell is empty. */
  number(column: string): number | undefined;
  /** A cell that must not be empty. */
  demand(column: string): string;
}

export interface PetabTable {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

const missing = /^(nan|n\/?a|null|none)?$/i;
export const isMissing = (cell: string): boolean => missing.test(cell);

export function readTsv(file: string, bytes: Uint8Array): PetabTable {
  const cells = cellsOf(file, bytes);
  if (cells.count === 0) return { columns: [], rows: [] };
  const columns = Array.from({ length: cells.width(0) }, (_, i) => cells.cell(0, i));
  const place = new Map<string, number>();
  for (const [i, column] of columns.entries()) {
    if (column !== '' && place.has(column)) refuse(`${file} has two columns "${column}"`);
    place.set(column, i);
  }
  const rows = Array.from({ length: cells.count - 1 }, (_, i): Row => {
    const where = `${file}, row ${i + 1}`;
    const width = cells.width(i + 1);
    for (let over = columns.length; over < width; over++)
      if (cells.cell(i + 1, over) !== '') refuse(`${where} has ${width} cells, and the header has ${columns.length}`);
    const cell = (column: string): string => {
      const at = place.get(column);
      return at === undefined || at >= width ? '' : cells.cell(i + 1, at);
    };
    return {
      where,
      cell,
      number(column) {
        const text = cell(column);
        return isMissing(text) ? undefined : readNumber(text, `${where}: "${column}"`);
      },
      demand: (column) =>
        cell(column) === '' ? refuse(`${where} says nothing in the column "${column}"`) : cell(column),
    };
  });
  return { columns, rows };
}

function cellsOf(file: string, bytes: Uint8Array): CsvRows {
  try {
    return splitCsv(decodeText(bytes), '\t');
  } catch (error) {
    if (error instanceof TableError) return refuse(`${file} cannot be read: ${error.message}`);
    throw error;
  }
}

export function readNumber(text: string, where: string): number {
  const value = plainNumber(text);
  return value ?? refuse(`${where} wants a number, got ${JSON.stringify(text)}`);
}

/** Undefined of what is no number. */
export function plainNumber(text: string): number | undefined {
  const infinite = /^([-+]?)inf(inity)?$/i.exec(text);
  if (infinite) return infinite[1] === '-' ? -Infinity : Infinity;
  const value = decimal(text);
  return Number.isFinite(value) ? value : undefined;
}
