/**
 * How a text file writes its table, found from its first lines: what parts cells, what marks decimals and thousands, where
 * the table begins, whether its first rows are names and units. Every one of it can be said instead.
 */
import { cellNumber } from '../cells.ts';
import {
  blanks,
  cellsFrom,
  decimalInQuotes,
  decimalSeen,
  findAnyDelimiter,
  findDecimal,
  type Delimiter,
} from '../find-format.ts';
import { splitCsv, type CsvRows } from '../split-csv.ts';
import { isHeader, isSpanned } from './header.ts';
import { alignedNames, findSkip, lineStart, withCorner } from './table-start.ts';
import { ambiguousNumber, findThousands, type Marks, readNumber } from './numbers.ts';
import { isTransposed, transposed } from './transposed.ts';
import { isUnitsRow } from './units-row.ts';

export interface Dialect extends Marks {
  readonly encoding: string;
  /** One character, or `blanks`: runs of blanks. */
  readonly delimiter: string;
  /** Lines before the table that belong to none. */
  readonly skip: number;
  /** The first row names the columns. */
  readonly header: boolean;
  /** The row below it holds their units. */
  readonly units: boolean;
  /** Lines that begin with it are comments; '' for none. */
  readonly comment: string;
  /** Cells that say these words are missing; empty ones always are. */
  readonly missing: readonly string[];
}

/** What the user has said of it. */
export type DialectChoices = { readonly [K in keyof Dialect]?: Dialect[K] | undefined };

export const usualMissing: readonly string[] = [
  'NA',
  'N/A',
  'n/a',
  '#N/A',
  'NaN',
  'nan',
  'null',
  'NULL',
  'None',
  '-',
  '–',
  '—',
];

const comments = ['#', '%', '//'] as const;

/** Enough lines to know one dialect from another. */
const sampleLines = 300;

export interface Split {
  readonly rows: CsvRows;
  readonly dialect: Dialect;
  /** The table's first row of data among `rows`. */
  readonly first: number;
  /** The row below the first tells apart the columns that a name there spans. */
  readonly spanned: boolean;
  /** Names in a comment right above the data, as numpy.savetxt writes them. */
  readonly names?: readonly string[];
  readonly notes: readonly string[];
}

/** Reads the rows of the whole text as chosen, and as found where nothing was chosen. Throws `TableError`. */
export function splitText(
  text: string,
  encoding: string,
  said: DialectChoices,
  onProgress?: (share: number) => void,
): Split {
  // Excel's own first line: `sep=;`
  const [, separator] = /^"?sep=(.)"?(?:\r\n|\r|\n)/i.exec(text) ?? [];
  const choices =
    separator === undefined ? said : { ...said, delimiter: said.delimiter ?? separator, skip: said.skip ?? 1 };
  const comment = choices.comment ?? findComment(text);
  const commented = comment === '' ? undefined : comment;
  const { delimiter: mark, runs } = delimiterOf(text, choices, commented);
  const split = { runs, ...(commented !== undefined && { comment: commented }) };
  const sample = splitCsv(text, mark, { ...split, limit: sampleLines });
  const skip = choices.skip ?? findSkip(sample, text, commented);
  const body = skip === 0 ? text : text.slice(lineStart(text, skip));
  const upright = withCorner(splitCsv(body, mark, { ...split, limit: sampleLines }));

  const marks = findMarks(upright, mark, choices);
  const missing = choices.missing ?? usualMissing;
  const lies = choices.header === undefined && isTransposed(upright, marks, missing);
  const head = lies ? transposed(upright) : upright;
  const header = choices.header ?? isHeader(head, marks, missing);
  const spanned = header && !isUnitsRow(head, 1, marks) && isSpanned(head, marks);
  const units = choices.units ?? (header && isUnitsRow(head, 1 + Number(spanned), marks));
  const aligned =
    runs && head.count > 0 ? alignedNames(text.slice(0, text.length - body.length), head.width(0)) : undefined;
  const names = header ? undefined : (commentedNames(body, comment, mark, runs, head) ?? aligned);
  const whole = withCorner(splitCsv(body, mark, { ...split, ...(onProgress && { onProgress }) }));
  const rows = lies ? transposed(whole) : whole;
  const dialect: Dialect = {
    encoding,
    delimiter: runs ? 'blanks' : mark,
    ...marks,
    skip,
    header,
    units,
    comment,
    missing,
  };
  return {
    rows: shifted(rows, skip),
    dialect,
    first: Number(header) + Number(spanned) + Number(units),
    spanned,
    ...(choices.header === undefined && names && { names }),
    notes: [...(lies ? [liesNote] : []), ...ambiguous(head, marks, choices)],
  };
}

const liesNote = 'Its first column holds names: each row is taken as a column.';

function delimiterOf(text: string, { delimiter, skip = 0 }: DialectChoices, comment: string | undefined): Delimiter {
  if (delimiter === undefined) return findAnyDelimiter(text.slice(lineStart(text, skip)), comment);
  return delimiter === 'blanks' ? blanks : { delimiter, runs: false };
}

function shifted(rows: CsvRows, lines: number): CsvRows {
  return lines === 0 ? rows : { ...rows, line: (row) => rows.line(row) + lines };
}

function findComment(text: string): string {
  const lines = text.slice(0, 20_000).split(/\r\n|\r|\n/, sampleLines);
  return comments.find((prefix) => lines.some((line) => line.trimStart().startsWith(prefix))) ?? '';
}

function findMarks(rows: CsvRows, delimiter: string, choices: DialectChoices): Marks {
  const { decimal, thousands } = choices;
  if (decimal !== undefined && thousands !== undefined) return { decimal, thousands };
  const grouped = findThousands(cellsFrom(rows, 0), delimiter);
  if (grouped && (decimal === undefined || grouped.decimal === undefined || decimal === grouped.decimal))
    return {
      decimal: decimal ?? grouped.decimal ?? decimalSeen(rows) ?? '.',
      thousands: thousands ?? grouped.thousands,
    };
  // What parts thousands marks no decimals.
  if (thousands === ',' || thousands === '.') return { decimal: decimal ?? (thousands === ',' ? '.' : ','), thousands };
  const seen = delimiter === ',' ? decimalInQuotes(rows) : undefined;
  return { decimal: decimal ?? seen ?? findDecimal(rows, delimiter), thousands: thousands ?? '' };
}

function* plainCells(rows: CsvRows): Iterable<string> {
  for (const [cell] of cellsFrom(rows, 0)) yield cell;
}

function commentedNames(
  body: string,
  comment: string,
  delimiter: string,
  runs: boolean,
  rows: CsvRows,
): readonly string[] | undefined {
  if (comment === '' || rows.count === 0) return undefined;
  const above = body.slice(0, lineStart(body, rows.line(0) - 1)).split(/\r\n|\r|\n/);
  const line = above
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .at(-1);
  if (!line?.startsWith(comment)) return undefined;
  const inside = line.slice(comment.length);
  for (const parted of [
    { mark: delimiter, runs },
    { mark: ' ', runs: true },
  ]) {
    const names = splitCsv(inside, parted.mark, { runs: parted.runs });
    if (names.count !== 1 || names.width(0) !== rows.width(0)) continue;
    // Some instruments put the mark before each name.
    const cells = Array.from({ length: names.width(0) }, (_, i) =>
      names.cell(0, i).startsWith(comment) ? names.cell(0, i).slice(comment.length).trim() : names.cell(0, i),
    );
    if (cells.every((cell) => cell !== '' && cellNumber(cell, '.') === undefined)) return cells;
  }
  return undefined;
}

function ambiguous(rows: CsvRows, marks: Marks, choices: DialectChoices): string[] {
  if (choices.decimal !== undefined || choices.thousands !== undefined) return [];
  const cell = ambiguousNumber(plainCells(rows), marks);
  if (cell === undefined) return [];
  const value = String(readNumber(cell, marks));
  const mark = cell.includes(',') ? 'comma' : 'point';
  return [
    `${cell} is read as ${value}. If its ${mark} ${marks.thousands === '' ? 'parts thousands' : 'marks decimals'}, choose so.`,
  ];
}
