/** On which line of a text its table begins, and whether its head lacks the name of the first column. */
import { cellDate, cellNumber } from '../cells.ts';
import type { CsvRows } from '../split-csv.ts';

const mostSkipped = 60;

/** Where the line after so many begins. */
export function lineStart(text: string, lines: number): number {
  const breaks = /\r\n|\r|\n/g;
  for (let line = 0; line < lines; line++) if (!breaks.exec(text)) return text.length;
  return breaks.lastIndex;
}

/**
 * Free text above a table splits into fewer cells than its rows. The table begins with the first of two rows in a
 * line that have as many cells as most, if that is more than one; shorter rows of the same kind right above them belong to it.
 */
export function findSkip(sample: CsvRows, text: string, comment: string | undefined): number {
  const most = usualWidth(sample);
  if (most < 2) return 0;
  /** Rows that end with a delimiter, below a head that does not. */
  const isOpen = most > 2 && rowsOf(sample, most).every((row) => sample.cell(row, most - 1) === '');
  const isNamed = hasRowNames(sample, most);
  for (let row = 0; row < Math.min(sample.count - 1, mostSkipped); row++) {
    const isShort = isOpen || (isNamed && isNames(sample, row));
    const isHead = sample.width(row) === most || (isShort && sample.width(row) === most - 1);
    const begins = isHead && sample.width(row + 1) === most;
    if (!begins) continue;
    const first = aboveRagged(sample, row, most);
    if (first === 0) return 0;
    // Comments and blank lines right above the table stay with it: names may stand there.
    const lines = text.slice(0, lineStart(text, sample.line(first) - 1)).split(/\r\n|\r|\n/);
    let skip = sample.line(first) - 1;
    while (skip > 0 && comment !== undefined && lines[skip - 1]?.trimStart().startsWith(comment)) skip--;
    return skip;
  }
  return 0;
}

/** As R writes them: the head names all columns but that of row names, which are labels or count the rows. */
export function withCorner(rows: CsvRows): CsvRows {
  const [head, below] = [rows.count > 1 ? rows.width(0) : 0, rows.count > 1 ? rows.width(1) : 0];
  if (head === 0 || head !== below - 1 || usualWidth(rows) !== below || !isNames(rows, 0)) return rows;
  if (!hasRowNames(rows, below)) return rows;
  return {
    ...rows,
    width: (row) => rows.width(row) + Number(row === 0),
    cell: (row, column) => (row > 0 ? rows.cell(row, column) : column === 0 ? '' : rows.cell(0, column - 1)),
    quoted: (row, column) => (row > 0 ? rows.quoted(row, column) : column > 0 && rows.quoted(0, column - 1)),
  };
}

/**
 * Of a table that is lined up by blanks, whose names hold some themselves (`Temp (K)   Rate const (1/s)`): what the line right
 * above it has in as many parts, two blanks or more apart. Undefined where it has not.
 */
export function alignedNames(above: string, width: number): readonly string[] | undefined {
  const line =
    above
      .split(/\r\n|\r|\n/)
      .at(-2)
      ?.trim() ?? '';
  const names = line.split(/\s{2,}|\t/);
  return names.length === width && !names.some((name) => isValue(name)) ? names : undefined;
}

function usualWidth(sample: CsvRows): number {
  const counts = new Map<number, number>();
  for (let row = 0; row < sample.count; row++) counts.set(sample.width(row), (counts.get(sample.width(row)) ?? 0) + 1);
  const [[most] = [1]] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0]);
  return most;
}

const rowsOf = (sample: CsvRows, width: number): number[] =>
  Array.from({ length: sample.count }, (_, row) => row).filter((row) => sample.width(row) === width);

/** The first cells of the widest rows are labels, or count them; the last are not empty. */
function hasRowNames(sample: CsvRows, width: number): boolean {
  const rows = rowsOf(sample, width);
  if (rows.length < 2 || rows.some((row) => sample.cell(row, width - 1) === '')) return false;
  const cells = rows.map((row) => sample.cell(row, 0));
  return cells.every((cell, i) => cell === String(i + 1)) || cells.every((cell) => cell !== '' && !isValue(cell));
}

/**
 * Short rows above the first two whole ones, where people leave cells at the end away: each has a number and begins as the
 * others do, and above them stand names, or nothing.
 */
function aboveRagged(sample: CsvRows, begin: number, most: number): number {
  const isNumbered = (row: number): boolean =>
    sample.width(row) > 1 && cellsOf(sample, row).some((cell) => isValue(cell));
  if (!isNumbered(begin)) return begin;
  const isFirstNumber = isValue(sample.cell(begin, 0));
  const isBeside = (row: number): boolean => sample.line(row + 1) === sample.line(row) + 1;
  let first = begin;
  while (
    first > 0 &&
    isBeside(first - 1) &&
    isNumbered(first - 1) &&
    isValue(sample.cell(first - 1, 0)) === isFirstNumber
  )
    first--;
  if (first === 0) return isFirstNumber ? 0 : begin;
  const above = sample.width(first - 1);
  const isBelowNames = isNames(sample, first - 1) && above >= sample.width(begin) && above <= most;
  if (isBelowNames && isBeside(first - 1)) return first - 1;
  return isFirstNumber ? first : begin;
}

const cellsOf = (rows: CsvRows, row: number): string[] =>
  Array.from({ length: rows.width(row) }, (_, column) => rows.cell(row, column));

const isNames = (rows: CsvRows, row: number): boolean => {
  const cells = cellsOf(rows, row);
  return cells.length > 0 && cells.some((cell) => cell !== '') && !cells.some((cell) => isValue(cell));
};

const isValue = (cell: string): boolean =>
  cellNumber(cell, '.') !== undefined || cellNumber(cell, ',') !== undefined || cellDate(cell) !== undefined;
