/**
 * A table that lies on its side: its first column names a time or a dose and what was read at it, and each of its rows has the
 * readings of one name.
 */
import type { CsvRows } from '../split-csv.ts';
import { readNumber, type Marks } from './numbers.ts';
import { isUnit, bareUnit, unitOfName } from './units-row.ts';

/** With fewer readings it may be anything. */
const leastReadings = 3;
const set =
  /^(?:x|t|time|times|zeit|hours?|days?|min(?:utes)?|conc\p{L}*|konz\p{L}*|dose|dosis|temp\p{L}*|wavelength|wellenlänge|energy|energie|frequency|frequenz|voltage|spannung|pressure|druck|depth|tiefe|distance|abstand|\[[^\]]+\])$/iu;

export function isTransposed(rows: CsvRows, marks: Marks, missing: readonly string[]): boolean {
  if (rows.count < 2 || !set.test(unitOfName(rows.cell(0, 0)).name)) return false;
  const every = Array.from({ length: rows.count }, (_, row) => row);
  const isNumber = (row: number, column: number): boolean => readNumber(rows.cell(row, column), marks) !== undefined;
  const cellAt = (row: number, column: number): string => (column < rows.width(row) ? rows.cell(row, column) : '');
  if (!every.every((row) => cellAt(row, 0) !== '' && !isNumber(row, 0) && rows.width(row) <= rows.width(0)))
    return false;
  const units = every.map((row) => bareUnit(cellAt(row, 1)));
  const areUnits =
    units.some((unit) => unit !== '') && units.every((unit) => unit === '' || (unit !== '1' && isUnit(unit)));
  const first = areUnits ? 2 : 1;
  const readings = Array.from({ length: rows.width(0) - first }, (_, i) => first + i);
  return (
    readings.length >= leastReadings &&
    readings.every((column) => isNumber(0, column)) &&
    every.every((row) => readings.some((column) => cellAt(row, column) !== '' && isNumber(row, column))) &&
    every.every((row) =>
      readings.every((column) => {
        const cell = cellAt(row, column);
        return cell === '' || missing.includes(cell) || /\d/.test(cell);
      }),
    )
  );
}

export function transposed(rows: CsvRows): CsvRows {
  const [count, width] = [rows.width(0), rows.count];
  return {
    ...{ count, line: () => rows.line(0), width: () => width },
    cell: (row, column) => (row < rows.width(column) ? rows.cell(column, row) : ''),
    quoted: (row, column) => row < rows.width(column) && rows.quoted(column, row),
    // It says nothing of them.
    plain: (_, from) => new Float64Array(count - from).fill(NaN),
  };
}
