/** What a column's cells are together: numbers, whole numbers, a category, or dates. */
import { cellDate, cellNumber, isMissing, type RawColumn } from './cells.ts';
import { beyondCells, roundedCells, type Rounded } from './rounded.ts';

export type ColumnType = 'real' | 'int' | 'category';

export interface TypedColumn {
  readonly element: 'real' | 'int';
  readonly values: Float64Array | Int32Array;
  /** The labels of a category, in order of first appearance, or false and true: value k means labels[k]; a missing cell is -1. */
  readonly category?: readonly string[];
  /** The dates as written, one for each row. */
  readonly dates?: readonly string[];
  readonly missing: number;
  /** A sentence worth knowing: cells that were left out, or rounded. */
  readonly warning?: string;
}

/** A column that cannot be taken as asked. `row` counts from 0. */
export interface ColumnFault {
  readonly row: number;
  readonly cell: string;
  readonly wanted: string;
  readonly fix?: string;
}

type TextColumn = Extract<RawColumn, { kind: 'text' }>;

/** `type` as the block says it; without it the cells decide. */
export function typeColumn(column: RawColumn, type: ColumnType | undefined): TypedColumn | ColumnFault {
  if (column.kind === 'numbers') {
    const { values } = column;
    if (type === 'category')
      return category(values.length, (row) => (Number.isNaN(values[row]) ? '' : String(values[row])));
    return type === 'int' ? int(values, String) : real(values);
  }
  if (type === 'category') return category(column.length, (row) => labelOf(column, row));
  if (type === undefined) return found(column);
  const dates = type === 'real' ? allDates(column) : undefined;
  if (dates) return dates;
  const { values, text, texts } = numbersOf(column);
  if (type === 'int') {
    if (text >= 0) return { row: text, cell: column.cell(text), wanted: 'a whole number' };
    return int(values, (_, row) => column.cell(row));
  }
  const typed = readReal(column, values);
  if (text < 0) return typed;
  const left = `${cellsAre(texts)} no number and taken as missing, first ${place(text, column.cell(text))}`;
  return { ...typed, warning: typed.warning === undefined ? left : `${left}; ${typed.warning}` };
}

/** With a warning where a cell says more than its value does. */
function readReal(column: TextColumn, values: Float64Array): TypedColumn {
  const [beyond, rounded] = [beyondCells(column, values), roundedCells(column, values)];
  const first = ({ row }: Rounded): string => `first ${place(row, column.cell(row))}`;
  const warnings = [
    ...(beyond ? [`${cellsAre(beyond.count)} beyond the largest real and taken as infinite, ${first(beyond)}`] : []),
    ...(rounded
      ? [
          `${rounded.count === 1 ? '1 cell has' : `${rounded.count} cells have`} more digits than a real holds and ` +
            `${rounded.count === 1 ? 'is' : 'are'} rounded, ${first(rounded)}; of labels say "type": "category"`,
        ]
      : []),
  ];
  return warnings.length === 0 ? real(values) : { ...real(values), warning: warnings.join('; ') };
}

const cellsAre = (count: number): string => (count === 1 ? '1 cell is' : `${count} cells are`);

function labelOf(column: TextColumn, row: number): string {
  const cell = column.cell(row);
  return isMissing(cell, column.quoted(row)) ? '' : cell;
}

const plainNumbers = (column: TextColumn): Float64Array =>
  column.plain?.() ?? new Float64Array(column.length).fill(NaN);

/** Missing cells and text are NaN; the first cell that is text (-1: none), and how many are. Quotes do not count. */
function numbersOf(column: TextColumn): { values: Float64Array; text: number; texts: number } {
  const values = plainNumbers(column);
  let text = -1;
  let texts = 0;
  for (let row = 0; row < column.length; row++) {
    if (!Number.isNaN(values[row])) continue;
    const cell = column.cell(row);
    const missing = isMissing(cell, column.quoted(row));
    const value = missing ? NaN : cellNumber(cell, column.decimal);
    values[row] = value ?? NaN;
    if (value !== undefined) continue;
    if (text < 0) text = row;
    texts++;
  }
  return { values, text, texts };
}

function found(column: TextColumn): TypedColumn | ColumnFault {
  const values = plainNumbers(column);
  let [text, number] = [-1, -1];
  for (let row = 0; row < column.length && (text < 0 || number < 0); row++) {
    if (!Number.isNaN(values[row])) {
      if (number < 0) number = row;
      continue;
    }
    const [cell, quoted] = [column.cell(row), column.quoted(row)];
    if (isMissing(cell, quoted)) continue;
    const value = quoted ? undefined : cellNumber(cell, column.decimal);
    if (value === undefined) text = text < 0 ? row : text;
    else {
      values[row] = value;
      number = number < 0 ? row : number;
    }
  }
  if (text < 0) return readReal(column, values);
  const dates = allDates(column);
  if (dates) return dates;
  if (number < 0) return category(column.length, (row) => labelOf(column, row));
  // The odd ones out are those that are to be looked at.
  const { values: read, texts } = numbersOf(column);
  const numbers = read.reduce((count, value) => count + Number(!Number.isNaN(value)), 0);
  const isOdd = texts < numbers || (texts === numbers && text > number);
  const row = isOdd ? text : number;
  return {
    row,
    cell: column.cell(row),
    wanted: isOdd ? 'a number like most cells' : 'text like most cells',
    fix: 'say "type": "real", where other text counts as missing, or "type": "category"',
  };
}

function real(values: Float64Array): TypedColumn {
  let missing = 0;
  for (let row = 0; row < values.length; row++) if (Number.isNaN(values[row])) missing++;
  return { element: 'real', values, missing };
}

function int(values: Float64Array, cell: (value: number, row: number) => string): TypedColumn | ColumnFault {
  const row = values.findIndex((value) => (value | 0) !== value);
  if (row < 0) return { element: 'int', values: Int32Array.from(values), missing: 0 };
  const value = values[row]!;
  const wanted = Number.isInteger(value) ? 'a whole number of 32 bits' : 'a whole number';
  return { row, cell: Number.isNaN(value) ? '' : cell(value, row), wanted };
}

/** Of JSON, of Python and of R: false is 0 and true 1, whichever comes first, and where one of them never does. */
const truthValues: readonly (readonly string[])[] = [
  ['false', 'true'],
  ['False', 'True'],
  ['FALSE', 'TRUE'],
];

function category(length: number, label: (row: number) => string): TypedColumn {
  const codes = new Map<string, number>();
  const values = new Int32Array(length);
  let missing = 0;
  for (let row = 0; row < length; row++) {
    const cell = label(row);
    if (cell === '') {
      missing++;
      values[row] = -1;
      continue;
    }
    const code = codes.get(cell) ?? codes.size;
    codes.set(cell, code);
    values[row] = code;
  }
  const labels = [...codes.keys()];
  const truths = labels.length > 0 && truthValues.find((pair) => labels.every((label) => pair.includes(label)));
  if (!truths) return { element: 'int', values, category: labels, missing };
  const codeOf = labels.map((label) => truths.indexOf(label));
  return { element: 'int', values: values.map((code) => codeOf[code] ?? code), category: truths, missing };
}

function allDates(column: TextColumn): TypedColumn | undefined {
  const days = new Float64Array(column.length);
  let first: number | undefined;
  for (let row = 0; row < column.length; row++) {
    const cell = column.cell(row);
    const day = isMissing(cell, column.quoted(row)) ? NaN : cellDate(cell);
    if (day === undefined) return undefined;
    if (!Number.isNaN(day)) first ??= day;
    days[row] = day;
  }
  if (first === undefined) return undefined;
  const origin = first;
  const dates = Array.from({ length: column.length }, (_, row) => column.cell(row));
  return { ...real(days.map((day) => day - origin)), dates };
}

/** Where a cell is, by its index as in a document and in the window too, and what it says: `in row 3 (index 2): "abc"`. */
export function place(row: number, cell: string): string {
  return `in row ${row + 1} (index ${row}): ${cell === '' ? 'an empty cell' : JSON.stringify(cell)}`;
}
