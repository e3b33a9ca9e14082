/** What a column's cells are together when it is imported: richer than a document's own rules, which see the result. */
import { cellDate, type RawColumn } from '../cells.ts';
import { columnLength } from '../table.ts';
import { readNumber, type Marks } from './numbers.ts';
import { sentinelIn } from './sentinels.ts';

export const importTypes = ['real', 'int', 'category', 'date'] as const;
export type ImportType = (typeof importTypes)[number];

/** A cell that says something else than its column; it counts as missing. */
export interface StrayCell {
  readonly row: number;
  readonly cell: string;
}

export interface Limit {
  readonly side: 'below' | 'above';
  readonly at: number;
}

export interface ImportedColumn {
  readonly type: ImportType;
  /** Numbers of a real or int column, NaN where missing; days since 1970 of dates. */
  readonly values?: Float64Array;
  /** What the cell says, as a document is to have it; undefined where it is missing. */
  text(row: number): string | undefined;
  readonly missing: number;
  /** How many cells are of another kind than the column, and the first of them. */
  readonly strays: number;
  readonly firstStrays: readonly StrayCell[];
  /** What the cell says that is of another kind. */
  stray(row: number): string | undefined;
  /** Of what is known only to lie below or above a limit, `<0.5` or `>1000`; its value is missing. */
  readonly limits: ReadonlyMap<number, Limit>;
  /** The number that was taken as missing. */
  readonly sentinel?: number;
  /** How many labels a category has. */
  readonly labels?: number;
}

export interface NamedColumn extends ImportedColumn {
  readonly name: string;
}

/** How the dialect reads cells. */
export interface Reading extends Marks {
  readonly missing: ReadonlySet<string>;
}

/** Numbers among other cells are meant to be numbers from this share on; the others are strays. */
const numbersShare = 0.7;
const mostStrays = 20;
const largest = 2 ** 31;

/**
 * `type` as chosen; without it the cells decide. `labels`: the file has put these cells in quotes, and not those of other
 * columns: they are labels, whatever they look like.
 */
export function importColumn(
  raw: RawColumn,
  reading: Reading,
  type: ImportType | undefined,
  labels: boolean,
): ImportedColumn {
  if (type === 'category') return category(raw, reading);
  if (type !== undefined) return numbers(raw, reading, type);
  const real = numbers(raw, reading, 'real');
  if (real.strays === 0) return labels ? category(raw, reading) : withoutSentinel(real);
  // A cell that is missing for numbers is a stray, or says nothing at all.
  const present = columnLength(raw) - real.missing + real.strays;
  const dates = numbers(raw, reading, 'date');
  if (dates.strays === 0) return dates;
  const share = (present - real.strays) / present;
  const isNumbers = share >= numbersShare || (share >= 0.5 && areWords(real.firstStrays));
  return !labels && isNumbers ? withoutSentinel(real) : category(raw, reading);
}

/** What it stands for is missing, unless the type is said. */
function withoutSentinel(column: Numbers): ImportedColumn {
  const { values } = column;
  const sentinel = sentinelIn(values);
  if (sentinel === undefined) return column;
  const rows = new Set([...values.keys()].filter((row) => values[row] === sentinel));
  for (const row of rows) values[row] = NaN;
  const stray = (row: number): string | undefined => (rows.has(row) ? undefined : column.stray(row));
  return { ...column, missing: column.missing + rows.size, sentinel, stray };
}

/** A few words again and again, such as `ND` and `n.d.`: labels beside numbers are many, or hold digits. */
function areWords(strays: readonly StrayCell[]): boolean {
  const words = new Set(strays.map(({ cell }) => cell));
  return words.size <= 4 && [...words].every((word) => !/\d/.test(word));
}

type Numbers = ImportedColumn & { readonly values: Float64Array };

function numbers(raw: RawColumn, reading: Reading, type: 'real' | 'int' | 'date'): Numbers {
  const read = type === 'date' ? cellDate : (cell: string) => readNumber(cell, reading);
  const whole = (value: number): boolean => Number.isInteger(value) && value >= -largest && value < largest;
  const length = columnLength(raw);
  const values = new Float64Array(length);
  // A word for what is missing may be a number.
  const isPlain = type !== 'date' && [...reading.missing].every((word) => readNumber(word, reading) === undefined);
  const plain = raw.kind === 'text' && isPlain ? raw.plain?.() : undefined;
  const firstStrays: StrayCell[] = [];
  const limits = new Map<number, Limit>();
  let [missing, strays] = [0, 0];
  for (let row = 0; row < length; row++) {
    const known = plain?.[row] ?? NaN;
    if (!Number.isNaN(known) && (type === 'real' || whole(known))) {
      values[row] = known;
      continue;
    }
    const cell = raw.kind === 'numbers' ? undefined : raw.cell(row);
    const absent = cell === undefined ? false : isMissing(raw, row, cell, reading);
    const limit = cell === undefined || type === 'date' ? undefined : limitIn(cell, reading);
    if (limit) limits.set(row, limit);
    const value = cell === undefined ? (raw as NumberColumn).values[row] : absent || limit ? NaN : read(cell);
    const stray = value === undefined || (type === 'int' && !Number.isNaN(value) && !whole(value));
    values[row] = stray ? NaN : value;
    if (Number.isNaN(values[row])) missing++;
    if (!stray) continue;
    strays++;
    if (firstStrays.length < mostStrays) firstStrays.push({ row, cell: cell ?? String(value) });
  }
  const text = (row: number): string | undefined => {
    const value = values[row]!;
    if (Number.isNaN(value)) return undefined;
    return type === 'date' ? cellText(raw, row) : String(value);
  };
  const stray = (row: number): string | undefined => {
    if (!Number.isNaN(values[row]) || limits.has(row)) return undefined;
    if (raw.kind === 'numbers') return Number.isNaN(raw.values[row]) ? undefined : String(raw.values[row]);
    const cell = raw.cell(row);
    return isMissing(raw, row, cell, reading) ? undefined : cell;
  };
  return { type, values, text, missing, strays, firstStrays, stray, limits };
}

function limitIn(cell: string, reading: Reading): Limit | undefined {
  const [, sign, number] = /^([<>≤≥])=?\s*(\S.*)$/.exec(cell) ?? [];
  const at = number === undefined ? undefined : readNumber(number, reading);
  return at === undefined ? undefined : { side: sign === '<' || sign === '≤' ? 'below' : 'above', at };
}

type NumberColumn = Extract<RawColumn, { kind: 'numbers' }>;

function isMissing(raw: RawColumn, row: number, cell: string, { missing }: Reading): boolean {
  return cell === '' || (raw.kind === 'text' && !raw.quoted(row) && missing.has(cell));
}

export function cellText(raw: RawColumn, row: number): string {
  if (raw.kind === 'text') return raw.cell(row);
  const value = raw.values[row]!;
  return Number.isNaN(value) ? '' : String(value);
}

function category(raw: RawColumn, reading: Reading): ImportedColumn {
  const labels = new Set<string>();
  let missing = 0;
  const text = (row: number): string | undefined => {
    const cell = cellText(raw, row);
    return isMissing(raw, row, cell, reading) ? undefined : cell;
  };
  for (let row = 0; row < columnLength(raw); row++) {
    const label = text(row);
    if (label === undefined) missing++;
    else labels.add(label);
  }
  const stray = (): undefined => undefined;
  return { type: 'category', text, missing, strays: 0, firstStrays: [], stray, limits: new Map(), labels: labels.size };
}
