/** What a column's cells are together: numbers, whole numbers, a category, or dates. */
import { cellDate, cellNumber, isMissing, type RawColumn } from './cells.ts';

export type ColumnType = 'real' | 'int' | 'category';

export interface TypedColumn {
  readonly element: 'real' | 'int';
  readonly values: Float64Array | Int32Array;
  /** The labels of a category, in order of first appearance: value k means labels[k]; a missing cell is -1. */
  readonly category?: readonly string[];
  /** The dates as written, one for each row. */
  readonly dates?: readonly string[];
  readonly missing: number;
  /** A sentence worth knowing: cells that were left out. */
  readonly warning?: string;
}

/** A column that cannot be taken as asked. `row` counts from 0. */
export interface ColumnFault {
  readonly row: number;
  readonly cell: string;
  readonly wanted: string;
  readonly fix?: string;
}

/** `type` as the block says it; without it the cells decide. */
export function typeColumn(column: RawColumn, type: ColumnType | undefined): TypedColumn | ColumnFault {
  if (column.kind === 'numbers') {
    if (type === 'category') return category(Array.from(column.values, (x) => (Number.isNaN(x) ? '' : String(x))));
    return type === 'int' ? int(column.values, String) : real(column.values);
  }
  const { cells, quoted } = column;
  const missing = cells.map((cell, i) => isMissing(cell, quoted[i] as boolean));
  if (type === 'category') return category(cells.map((cell, i) => (missing[i] ? '' : cell)));
  const numbers = cells.map((cell, i) => (missing[i] ? NaN : cellNumber(cell, column.decimal)));
  if (type === undefined) return found(column, missing, numbers);
  const dates = allDates(cells, missing);
  if (type === 'real' && dates) return dates;
  const values = Float64Array.from(numbers, (value) => value ?? NaN);
  const text = numbers.indexOf(undefined);
  if (type === 'int') {
    if (text >= 0) return { row: text, cell: cells[text] as string, wanted: 'a whole number' };
    return int(values, (_, i) => cells[i] as string);
  }
  if (text < 0) return real(values);
  const count = numbers.filter((value) => value === undefined).length;
  const warning = `${count === 1 ? '1 cell is' : `${count} cells are`} no number and taken as missing, first ${place(text, cells[text] as string)}`;
  return { ...real(values), warning };
}

function found(
  column: Extract<RawColumn, { kind: 'text' }>,
  missing: readonly boolean[],
  numbers: readonly (number | undefined)[],
): TypedColumn | ColumnFault {
  const { cells, quoted } = column;
  const present = cells.map((_, i) => i).filter((i) => !missing[i]);
  const isText = (i: number): boolean => (quoted[i] as boolean) || numbers[i] === undefined;
  const text = present.find(isText);
  if (text === undefined) return real(Float64Array.from(numbers, (value) => value ?? NaN));
  const dates = allDates(cells, missing);
  if (dates) return dates;
  const number = present.find((i) => !isText(i));
  if (number === undefined) return category(cells.map((cell, i) => (missing[i] ? '' : cell)));
  const row = Math.max(text, number);
  return {
    row,
    cell: cells[row] as string,
    wanted: row === text ? 'a number like the cells above' : 'text like the cells above',
    fix: 'say "type": "real", where other text counts as missing, or "type": "category"',
  };
}

function real(values: Float64Array): TypedColumn {
  return { element: 'real', values, missing: values.reduce((count, x) => count + Number(Number.isNaN(x)), 0) };
}

function int(values: Float64Array, cell: (value: number, row: number) => string): TypedColumn | ColumnFault {
  const row = values.findIndex((value) => (value | 0) !== value);
  if (row < 0) return { element: 'int', values: Int32Array.from(values), missing: 0 };
  const value = values[row] as number;
  const wanted = Number.isInteger(value) ? 'a whole number of 32 bits' : 'a whole number';
  return { row, cell: Number.isNaN(value) ? '' : cell(value, row), wanted };
}

function category(cells: readonly string[]): TypedColumn {
  const codes = new Map<string, number>();
  let missing = 0;
  const values = Int32Array.from(cells, (cell) => {
    if (cell === '') {
      missing++;
      return -1;
    }
    const code = codes.get(cell) ?? codes.size;
    codes.set(cell, code);
    return code;
  });
  return { element: 'int', values, category: [...codes.keys()], missing };
}

function allDates(cells: readonly string[], missing: readonly boolean[]): TypedColumn | undefined {
  const days = cells.map((cell, i) => (missing[i] ? NaN : cellDate(cell)));
  if (days.includes(undefined)) return undefined;
  const first = days.find((day) => !Number.isNaN(day));
  if (first === undefined) return undefined;
  return { ...real(Float64Array.from(days, (day) => (day as number) - first)), dates: cells };
}

/** Where a cell is, and what it says: `in row 3: "abc"`. */
export function place(row: number, cell: string): string {
  return `in row ${row + 1}: ${cell === '' ? 'an empty cell' : JSON.stringify(cell)}`;
}
