/** What delimited text does not say of itself: its delimiter, its decimal mark, and whether its first row is a header. */
import { cellDate, cellNumber, isMissing } from './cells.ts';
import { codesOf, type Codes } from './codes.ts';
import { splitCsv, type CsvRows, type SplitOptions } from './split-csv.ts';
import { TableError } from './table.ts';

/** Enough to tell one delimiter from another; a file of a gigabyte need not be split four times over. */
export const sampleRows = 200;

/** What may part cells, in the order in which they are preferred on equal evidence. */
const delimiters: readonly Delimiter[] = ['\t', ';', ',', '|'].map((delimiter) => ({ delimiter, runs: false }));

/** As instruments and Fortran write: cells parted by blanks, as many as it takes to line them up. */
export const blanks: Delimiter = { delimiter: ' ', runs: true };

export interface Delimiter {
  readonly delimiter: string;
  readonly runs: boolean;
}

interface WeighOptions extends SplitOptions {
  /** Lines above the table may be none of it. */
  readonly anywhere?: boolean;
}

interface Evidence extends Delimiter {
  /** Rows with as many cells as most have. */
  readonly regular: number;
  /** Share of the cells below the first row that are numbers, dates or missing, or text without another delimiter. */
  readonly clean: number;
  /** No row has an empty cell. */
  readonly isFilled: boolean;
}

export function findDelimiter(text: string, codes: Codes): string {
  return weighDelimiters(text, delimiters, { codes }).delimiter;
}

/** The same for a file that is imported: blanks may part its cells, and lines may be comments. */
export function findAnyDelimiter(text: string, comment: string | undefined): Delimiter {
  const options = { anywhere: true, codes: codesOf(text), ...(comment !== undefined && { comment }) };
  const { delimiter, runs } = weighDelimiters(text, [...delimiters, blanks], options);
  return { delimiter, runs };
}

function weighDelimiters(text: string, candidates: readonly Delimiter[], options: WeighOptions): Delimiter {
  let best: Evidence | undefined;
  let faulty: Delimiter | undefined;
  for (const candidate of candidates) {
    const evidence = weigh(text, candidate, options);
    if (evidence === 'fault') faulty ??= candidate;
    else if (evidence && (best === undefined || better(evidence, best))) best = evidence;
  }
  // A quote that is wrong for one delimiter and unseen by the others: reading by that one says what is wrong.
  // One column: any delimiter that does not occur splits it alike; a comma may be its decimal mark.
  return best ?? faulty ?? { delimiter: ';', runs: false };
}

/** Nobody parts cells by blanks in lines that all have a tab: there blanks stand within names, labels and `1.2 ± 0.1`. */
function better(a: Evidence, b: Evidence): boolean {
  if (a.runs && b.delimiter === '\t' && b.regular === 1 && b.isFilled) return false;
  return a.regular !== b.regular ? a.regular > b.regular : a.clean > b.clean;
}

/** Undefined where the first row does not have the delimiter, or most rows if the table may begin further down. */
function weigh(text: string, candidate: Delimiter, options: WeighOptions): Evidence | 'fault' | undefined {
  const { delimiter, runs } = candidate;
  let rows: CsvRows;
  try {
    rows = splitCsv(text, delimiter, { ...options, runs, limit: sampleRows });
  } catch (error) {
    if (error instanceof TableError) return 'fault';
    throw error;
  }
  if (rows.count === 0) return undefined;
  const counts = new Map<number, number>();
  for (let row = 0; row < rows.count; row++) counts.set(rows.width(row), (counts.get(rows.width(row)) ?? 0) + 1);
  const [width, regular] = [...counts].reduce((most, each) => (each[1] > most[1] ? each : most));
  if ((options.anywhere === true ? width : rows.width(0)) < 2) return undefined;
  if (options.anywhere === true && delimiter === ',' && isDecimalList(rows)) return undefined;
  const others = delimiters.map((other) => other.delimiter).filter((other) => other !== delimiter && other !== ',');
  const decimal = delimiter === ',' ? '.' : ',';
  let [clean, total, empty] = [0, 0, 0];
  for (const [cell, quoted] of cellsFrom(rows, rows.count > 1 ? 1 : 0)) {
    total++;
    if (cell === '') empty++;
    const plain = cellNumber(cell, '.') ?? cellNumber(cell, decimal) ?? cellDate(cell);
    if (plain !== undefined || isMissing(cell, false)) clean++;
    else if (quoted || !others.some((other) => cell.includes(other))) clean += 0.5;
  }
  return { ...candidate, regular: regular / rows.count, clean: clean / total, isFilled: empty === 0 };
}

/** A name, and below it nothing but numbers with a comma: one column. */
function isDecimalList(rows: CsvRows): boolean {
  const below = Array.from({ length: rows.count - 1 }, (_, i) => i + 1);
  const isDigits = (row: number, column: number, pattern: RegExp): boolean =>
    !rows.quoted(row, column) && pattern.test(rows.cell(row, column));
  return (
    below.length > 0 &&
    rows.width(0) === 1 &&
    cellNumber(rows.cell(0, 0), '.') === undefined &&
    below.every((row) => {
      if (rows.width(row) === 1) return isDigits(row, 0, /^[+-]?\d+$/);
      return rows.width(row) === 2 && isDigits(row, 0, /^[+-]?\d+$/) && isDigits(row, 1, /^\d+(?:[eE][+-]?\d+)?$/);
    })
  );
}

/** Every cell from a row on. */
export function* cellsFrom(rows: CsvRows, first: number): Iterable<readonly [cell: string, quoted: boolean]> {
  for (let row = first; row < rows.count; row++)
    for (let column = 0; column < rows.width(row); column++) yield [rows.cell(row, column), rows.quoted(row, column)];
}

/** A comma where cells read as numbers with it, and none needs the point. */
export function findDecimal(rows: CsvRows, delimiter: string): '.' | ',' {
  return delimiter === ',' ? '.' : (decimalSeen(rows) ?? '.');
}

const besideNumbers = /\s*(?:[%\p{Sc}]|±|\+\/-|\+-)\s*|(?<=\d)\s+[^\d\s]\S*$/u;

/** Where commas part cells: of cells in quotes a comma, where none holds a point and one is no group of three digits. */
export function decimalInQuotes(rows: CsvRows): ',' | undefined {
  let commas = false;
  for (const [cell, quoted] of cellsFrom(rows, 0)) {
    if (cell.includes('.') && cellNumber(cell, '.') !== undefined) return undefined;
    if (quoted && cell.includes(',') && cellNumber(cell, ',') !== undefined && !/,\d{3}$/.test(cell)) commas = true;
  }
  return commas ? ',' : undefined;
}

/** The point settles it, wherever it stands; a comma does where there is none in any row. */
export function decimalSeen(rows: CsvRows): '.' | ',' | undefined {
  let commas = false;
  for (const [cell, quoted] of cellsFrom(rows, 0)) {
    if (quoted) continue;
    // `0,5 %`, `1,0 ± 0,1` and `0,5 nM` hold numbers too.
    for (const part of cell.split(besideNumbers)) {
      if (part.includes('.') && cellNumber(part, '.') !== undefined) return '.';
      if (part.includes(',') && cellNumber(part, ',') !== undefined) commas = true;
    }
  }
  return commas ? ',' : undefined;
}

/** The first row is a header where each of its cells is a name: text that is no number, no date and not missing. */
export function findHeader(rows: CsvRows, decimal: '.' | ',', width: number): boolean {
  if (rows.count === 0) return false;
  const isName = (cell: string, quoted: boolean): boolean =>
    quoted || (cellNumber(cell, decimal) === undefined && cellDate(cell) === undefined && !isMissing(cell, false));
  // R leaves the name of its column of row names empty, and the first cell alone.
  return Array.from({ length: width }).every((_, i) => {
    const cell = rows.cell(0, i);
    return isName(cell, rows.quoted(0, i)) || (i === 0 && cell === '' && width > 1);
  });
}
