/** One import from its bytes to a table of a document: read, shown, corrected, read again, taken. */
import type { RawColumn } from '../cells.ts';
import { TableError } from '../table.ts';
import { dosesNote, hasDoseRecords } from './dose-records.ts';
import { usualMissing } from './dialect.ts';
import { binned } from './bins.ts';
import { filledDown } from './filled-down.ts';
import { longForm } from './long-form.ts';
import { stackedPairs } from './pairs.ts';
import { readSource } from './read.ts';
import { beyondCells, roundedCells, type Rounded } from '../rounded.ts';
import type { Source, SourceChoices } from './source.ts';
import { plainlySpelled } from './spellings.ts';
import {
  cellText,
  importColumn,
  type ImportedColumn,
  type ImportType,
  type NamedColumn,
  type Reading,
} from './type-column.ts';

export interface ImportChoices extends SourceChoices {
  /** By the column's place; without one, the type is found. */
  readonly types?: readonly (ImportType | null)[] | undefined;
}

export interface ImportedTable {
  readonly source: Source;
  readonly columns: readonly (NamedColumn & { readonly unit: string | undefined })[];
  readonly rows: number;
  /** Sentences on the table as a whole, most important first. */
  readonly notes: readonly string[];
}

/** Reads a file again and again as the choices change, and no oftener than they do. */
export interface Import {
  /** Throws `TableError`. */
  read(choices: ImportChoices, onProgress?: (share: number) => void): Promise<ImportedTable>;
}

export function beginImport(name: string, bytes: Uint8Array): Import {
  let last: { readonly key: string; readonly source: Source; readonly columns: TypedColumns } | undefined;
  return {
    async read({ types = [], ...choices }, onProgress) {
      const key = JSON.stringify(choices);
      if (last?.key !== key)
        last = {
          key,
          source: upright(await readSource(name, bytes, choices, onProgress)),
          columns: new Map(),
        };
      return typed(last.source, last.columns, types, onProgress);
    },
  };
}

/** Whatever people put side by side, together or into one cell as columns of one kind each, and a row for each reading. */
const upright = (source: Source): Source => longForm(stackedPairs(filledDown(binned(plainlySpelled(source)))));

/** Columns that have been typed, by place and type: one choice changes one column. */
type TypedColumns = Map<string, ImportedColumn>;

function typed(
  source: Source,
  known: TypedColumns,
  types: readonly (ImportType | null)[],
  onProgress: ((share: number) => void) | undefined,
): ImportedTable {
  const { dialect, rows } = source;
  if (source.columns.length === 0) throw new TableError('it has no column');
  if (rows === 0) throw new TableError('it has a header and no rows below it');
  const reading: Reading = {
    decimal: dialect?.decimal ?? '.',
    thousands: dialect?.thousands ?? '',
    missing: new Set(dialect?.missing ?? usualMissing),
  };
  const inQuotes = source.columns.map(({ raw }) => isQuoted(raw, dialect?.delimiter ?? ''));
  const quotesMean = inQuotes.includes(true) && inQuotes.includes(false);
  const columns = source.columns.map(({ name, unit, raw }, j) => {
    const type = types[j] ?? undefined;
    const key = `${j} ${type ?? ''}`;
    let column = known.get(key);
    if (!column) {
      onProgress?.(j / source.columns.length);
      known.set(key, (column = importColumn(raw, reading, type, quotesMean && inQuotes[j] === true)));
    }
    return { name, unit, ...column };
  });
  return {
    source,
    columns,
    rows,
    notes: [
      ...source.notes,
      ...source.columns.flatMap(({ name, raw }, j) =>
        quotesMean && inQuotes[j] && !types[j] && looksLikeReadings(raw, reading) ? [quotedNote(name)] : [],
      ),
      ...columns.flatMap((column, j) => (types[j] || (quotesMean && inQuotes[j]) ? [] : oddNote(column, rows))),
      ...columns.flatMap(sentinelNote),
      ...notesOn(columns, rows, mayBeSplit(source)),
      ...roundedNotes(source, columns),
    ],
  };
}

/** Rows by which quotes are judged: whoever quotes a column does so from its first row on. */
const quotedRows = 50;

/** Cells that hold the mark between cells cannot stand without quotes: then these say nothing of what they hold. */
function isQuoted(raw: RawColumn, delimiter: string): boolean {
  if (raw.kind !== 'text') return false;
  const rows = Array.from({ length: Math.min(raw.length, quotedRows) }, (_, row) => row);
  const present = rows.filter((row) => raw.cell(row) !== '');
  const mustBe = (row: number): boolean => delimiter !== '' && raw.cell(row).includes(delimiter);
  return present.length > 0 && present.every((row) => raw.quoted(row)) && !present.some(mustBe);
}

/** Numbers of which some have decimals, or are known by a limit: those of subjects and wells are whole. */
function looksLikeReadings(raw: RawColumn, reading: Reading): boolean {
  const { type, values, limits } = importColumn(raw, reading, undefined, false);
  if (type !== 'real' || !values) return false;
  return limits.size > 0 || values.some((value) => Number.isFinite(value) && !Number.isInteger(value));
}

const quotedNote = (name: string): string =>
  `${name} is taken as labels: the file puts its cells in quotes, and those of other columns not. If they are numbers, choose so below its name.`;

const sentinelNote = ({ name, sentinel }: NamedColumn): string[] =>
  sentinel === undefined
    ? []
    : [
        `${sentinel} in ${name} is taken as missing: all other numbers there lie far from it. As a real column it is kept.`,
      ];

/** Cells that begin as numbers do and differ from row to row are seldom labels. */
function oddNote({ name, type, text, labels = 0 }: NamedColumn, rows: number): string[] {
  if (type !== 'category' || labels <= rows / 2) return [];
  const cells = Array.from({ length: Math.min(rows, quotedRows) }, (_, row) => text(row) ?? '').filter(
    (cell) => cell !== '',
  );
  const odd = cells.filter((cell) => /^[(+\u2212-]?\p{Sc}?\s?[.,]?\d/u.test(cell));
  const [first] = odd;
  if (first === undefined || odd.length < 0.7 * cells.length) return [];
  const strange = odd.find((cell) => !/^[+\u2212-]?[\d.,\s]+(?:e[+-]?\d+)?$/i.test(cell)) ?? first;
  return [`${name} is taken as labels: ${strange} is read as no number.`];
}

/** Whether the one column that was found holds what might part it: of numbers alone nothing is to be asked. */
function mayBeSplit({ dialect, columns: [only, ...others], rows }: Source): boolean {
  if (!dialect || !only || others.length > 0) return false;
  const { name, raw } = only;
  const known: readonly string[] = [dialect.delimiter, dialect.decimal, dialect.thousands];
  const marks = [',', ';', '|', '\t'].filter((mark) => !known.includes(mark));
  const cells = Array.from({ length: Math.min(rows, quotedRows) }, (_, row) => cellText(raw, row));
  return [name, ...cells].some((text) => marks.some((mark) => text.includes(mark)));
}

function notesOn(columns: readonly NamedColumn[], rows: number, isSplit: boolean): string[] {
  const isNumbers = ({ type, missing }: NamedColumn): boolean => type !== 'category' && missing < rows;
  return [
    ...(columns.some(isNumbers)
      ? []
      : ['No column of numbers was found. Another delimiter, decimal mark or type of a column may show one.']),
    ...limitsNote(columns),
    ...(hasDoseRecords(columns) ? [dosesNote] : []),
    ...columns.flatMap((column) => (isNumbers(column) && exposureName.test(column.name) ? [exposureNote(column)] : [])),
    ...(isSplit ? ['There is one column alone. Is the delimiter right?'] : []),
  ];
}

/** What events are counted over, where each row has its own. */
const exposureName =
  /^(?:(?:person|subject|patient|animal|device|object)[\s_-]?(?:years?|months?|days?|hours?|time)|exposures?|at[\s_-]?risk|offset|(?:personen|patienten)[\s_-]?(?:jahre?|tage|zeit)|risikozeit)$/iu;

const exposureNote = ({ name }: NamedColumn): string =>
  `What ${name} says is in no suggestion: a count that goes with it has the mean ${name} times the rate; multiply the prediction by it.`;

function limitsNote(columns: readonly NamedColumn[]): string[] {
  const limited = columns.filter(({ limits }) => limits.size > 0);
  return limited.map(
    ({ name, limits }) =>
      `${limits.size === 1 ? 'One cell' : `${limits.size} cells`} of ${name} ${limits.size === 1 ? 'is' : 'are'} known to lie beyond a limit: censored, where ${name} is observed.`,
  );
}

function roundedNotes({ columns: read }: Source, columns: readonly NamedColumn[]): string[] {
  return columns.flatMap(({ name, values }, j) => {
    const raw = read[j]?.raw;
    if (!raw || !values) return [];
    const [beyond, rounded] = [beyondCells(raw, values), roundedCells(raw, values)];
    const cells = (count: number): string => `${count === 1 ? 'One cell' : `${count} cells`} of ${name}`;
    const first = ({ row }: Rounded): string => `${cellText(raw, row)} in row ${row + 1}`;
    return [
      ...(beyond
        ? [
            `${cells(beyond.count)} ${beyond.count === 1 ? 'is beyond the largest real, and is' : 'are beyond the largest real, and are'} taken as infinite: ${first(beyond)}.`,
          ]
        : []),
      ...(rounded
        ? [
            `${cells(rounded.count)} ${rounded.count === 1 ? 'has more digits than a real holds, and is' : 'have more digits than a real holds, and are'} rounded: ${first(rounded)}. As a category they are kept.`,
          ]
        : []),
    ];
  });
}

/** The first rows as they stand in the file. */
export function firstRows({ source }: ImportedTable, count: number): string[][] {
  return Array.from({ length: Math.min(count, source.rows) }, (_, row) =>
    source.columns.map(({ raw }) => cellText(raw, row)),
  );
}
