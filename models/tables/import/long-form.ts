/**
 * A table whose head says what was read at, `Sample, 0 min, 5 min, 10 min`, and whose rows are the curves, as other tables have
 * it: a row for each reading.
 */
import { cellNumber, type RawColumn } from '../cells.ts';
import { gathered } from './gathered.ts';
import { distinct, type Source, type SourceColumn } from './source.ts';

/** With fewer it is no head of places. */
const leastPlaces = 3;
/** Rows by which labels are told from numbers. */
const looked = 40;
const place = /^([+-]?[\d.,]+(?:e[+-]?\d+)?)\s*(\p{L}[^\s\d]*|%)?$/iu;
const unitOfTime = /^(?:[nµum]?s|sec|min|h|hr?s?|d|days?|wk|weeks?|months?|y|yr|years?)$/iu;

/** The same source where the head holds names, or where a column of numbers stands before those of its places. */
export function longForm(source: Source): Source {
  const { columns, rows, dialect, line } = source;
  if (!dialect?.header) return source;
  const found = columns.map(({ name, unit }) => placeOf(name, unit, dialect.decimal));
  const first = found.findIndex((each) => each !== undefined);
  const places = found.slice(first).flatMap((each) => each ?? []);
  const [labels, read] = [columns.slice(0, first), columns.slice(first)];
  const [{ unit, ofCells } = { unit: undefined, ofCells: undefined }] = places;
  const fits = first > 0 && places.length >= leastPlaces && places.length === read.length;
  if (!fits || !places.every((each) => each.unit === unit) || !labels.every(({ raw }) => isLabels(raw))) return source;
  const count = places.length;
  const rowOf = (reading: number): number => Math.floor(reading / count);
  const values = Float64Array.from({ length: rows * count }, (_, reading) => places[reading % count]!.value);
  const long: SourceColumn[] = [
    ...labels.map((label) => ({
      ...label,
      raw: gathered(rows * count, dialect.decimal, (i) => [label.raw, rowOf(i)]),
    })),
    { name: unit !== undefined && unitOfTime.test(unit) ? 'time' : 'x', unit, raw: { kind: 'numbers', values } },
    {
      name: 'value',
      unit: places.every((each) => each.ofCells === ofCells) ? ofCells : undefined,
      raw: gathered(rows * count, dialect.decimal, (i) => [read[i % count]!.raw, rowOf(i)]),
    },
  ];
  const names = distinct(long.map(({ name }) => name));
  return {
    ...source,
    columns: long.map((column, j) => ({ ...column, name: names[j]! })),
    rows: rows * count,
    ...(line && { line: (reading: number) => line(rowOf(reading)) }),
    notes: [...source.notes, 'Its head says what was read at: each row is one curve, each cell a reading of it.'],
  };
}

function placeOf(name: string, unit: string | undefined, decimal: '.' | ',') {
  const [, number = '', own] = place.exec(name) ?? [];
  const value = cellNumber(number, decimal);
  // Beside a unit in the head that of the column is what its cells say.
  return value === undefined ? undefined : { value, unit: own ?? unit, ofCells: own === undefined ? undefined : unit };
}

function isLabels(raw: RawColumn): boolean {
  if (raw.kind !== 'text') return false;
  const cells = Array.from({ length: Math.min(looked, raw.length) }, (_, row) => raw.cell(row)).filter(
    (cell) => cell !== '',
  );
  return cells.length > 0 && cells.every((cell) => cellNumber(cell, raw.decimal) === undefined);
}
