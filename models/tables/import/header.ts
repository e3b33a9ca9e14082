/** Whether a table's first row names its columns. */
import { cellDate } from '../cells.ts';
import type { CsvRows } from '../split-csv.ts';
import { readNumber, type Marks } from './numbers.ts';
import { isUnitsRow } from './units-row.ts';

/** Numbers in a head beside labels: so many at least say that what stands in the rows was read at them. */
const leastPlaces = 4;

/**
 * It does where none of its cells is a number, a date or missing, but for empty ones beside names. Where some are numbers (the
 * concentration or the time of each column), it does where another is a name over numbers, or a name over labels beside
 * numbers that rise or fall and are written shorter than any row; fewer do where they are years and those below are not, or count
 * columns of numbers with decimals.
 */
export function isHeader(rows: CsvRows, marks: Marks, missing: readonly string[]): boolean {
  if (rows.count === 0) return false;
  const isValue = (row: number, column: number): boolean =>
    readNumber(rows.cell(row, column), marks) !== undefined ||
    (!rows.quoted(row, column) && cellDate(rows.cell(row, column)) !== undefined);
  const isAbsent = (row: number, column: number): boolean =>
    !rows.quoted(row, column) && (rows.cell(row, column) === '' || missing.includes(rows.cell(row, column)));
  const places = Array.from({ length: rows.width(0) }, (_, i) => i);
  if (places.every((i) => rows.cell(0, i) === '')) return false;
  if (places.every((i) => !isValue(0, i) && (rows.cell(0, i) === '' || !isAbsent(0, i)))) return true;
  if (places.some((i) => isAbsent(0, i))) return false;
  const below = Array.from({ length: rows.count - 1 }, (_, i) => i + 1).filter((row) => rows.width(row) > 0);
  const valuesUnder = (i: number): number => below.filter((row) => i < rows.width(row) && isValue(row, i)).length;
  const named = places.filter((i) => !isValue(0, i));
  if (named.length === 0 || below.length < 2) return false;
  if (named.every((i) => valuesUnder(i) > 0 && valuesUnder(i) >= below.length - 1)) return true;
  const numbers = places.flatMap((i) => readNumber(rows.cell(0, i), marks) ?? []);
  const lettersIn = (row: number): number =>
    places.reduce((sum, i) => sum + (i < rows.width(row) && !named.includes(i) ? rows.cell(row, i).length : 0), 0);
  if (numbers.length + named.length !== places.length) return false;
  const cellsBelow = below.flatMap((row) =>
    places.flatMap((i) => (named.includes(i) || i >= rows.width(row) ? [] : [rows.cell(row, i)])),
  );
  if (areYears(numbers) && !cellsBelow.some((cell) => isYear(readNumber(cell, marks) ?? 0))) return true;
  const least = isCounted(numbers) && cellsBelow.every((cell) => !/^\d+$/.test(cell)) ? 2 : leastPlaces;
  return numbers.length >= least && isMonotone(numbers) && below.every((row) => lettersIn(row) > lettersIn(0));
}

const isYear = (value: number): boolean => Number.isInteger(value) && value >= 1800 && value <= 2100;

/** `2020,2021,2022`. */
const areYears = (values: readonly number[]): boolean =>
  values.length > 1 && values.every((value, i) => isYear(value) && (i === 0 || value === values[i - 1]! + 1));

/** `1,2,3`. */
const isCounted = (values: readonly number[]): boolean => values.every((value, i) => value === i + 1);

/**
 * Whether the first row holds names that span columns, as merged cells of a spreadsheet come (`wild type,,,mutant,,`), and the
 * second what tells those apart (`r1,r2,r3,r1,r2,r3`, or `1,2,3,1,2,3`): there is something below each empty cell beside a name,
 * and numbers follow, or a row of units and then numbers.
 */
export function isSpanned(rows: CsvRows, marks: Marks): boolean {
  if (rows.count < 3) return false;
  const first = isUnitsRow(rows, 2, marks) ? 3 : 2;
  const isNumber = (row: number, i: number): boolean => readNumber(cellIn(rows, row, i), marks) !== undefined;
  const places = Array.from({ length: Math.max(rows.width(0), rows.width(1)) }, (_, i) => i);
  const spanned = places.filter((i) => cellIn(rows, 0, i) === '' && spanAt(rows, i) !== '');
  return (
    spanned.length > 0 &&
    spanned.every((i) => cellIn(rows, 1, i) !== '' && isNumber(first, i)) &&
    places.every((i) => !isNumber(0, i)) &&
    (places.every((i) => !isNumber(1, i)) || areCounted(rows, places, spanned))
  );
}

/** Below each name that spans columns its readings are counted from 1, and below the others is no number. */
function areCounted(rows: CsvRows, places: readonly number[], spanned: readonly number[]): boolean {
  let count = 0;
  return places.every((i) => {
    const below = cellIn(rows, 1, i);
    count = spanned.includes(i) ? count + 1 : 1;
    const isCounted = spanned.includes(i) || spanned.includes(i + 1);
    return isCounted ? below === String(count) : !/\d/.test(below);
  });
}

/** What a column is called by the first two rows, of which the first spans columns. */
export function spannedName(rows: CsvRows, column: number): { readonly above: string; readonly below: string } {
  return { above: spanAt(rows, column), below: cellIn(rows, 1, column) };
}

function spanAt(rows: CsvRows, column: number): string {
  let at = column;
  while (at > 0 && cellIn(rows, 0, at) === '') at--;
  return cellIn(rows, 0, at);
}

const cellIn = (rows: CsvRows, row: number, column: number): string =>
  column < rows.width(row) ? rows.cell(row, column) : '';

function isMonotone(values: readonly number[]): boolean {
  const rising = values[1]! > values[0]!;
  return values.every((value, i) => i === 0 || (rising ? value > values[i - 1]! : value < values[i - 1]!));
}
