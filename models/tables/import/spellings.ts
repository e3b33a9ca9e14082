/**
 * Cells as people and instruments write them, in plain spelling: `1.2 ± 0.1` as two columns, a time of day or of a run
 * (`0:15:00`) in hours, `12.5 %` as a number in per cent, dates of other lands as ISO 8601 has them.
 */
import { cellNumber, type RawColumn } from '../cells.ts';
import { distinct, type Source, type SourceColumn } from './source.ts';

type TextColumn = Extract<RawColumn, { kind: 'text' }>;

/** Of the cells that say something, as many must be of one spelling. */
const mostly = 0.7;
/** Looked at first: a column that begins otherwise is otherwise. */
const looked = 40;

export function plainlySpelled(source: Source): Source {
  const columns = source.columns.flatMap((column) => plain(column));
  if (columns.every((column, j) => column === source.columns[j])) return source;
  const names = distinct(columns.map(({ name }) => name));
  return { ...source, columns: columns.map((column, j) => ({ ...column, name: names[j]! })) };
}

function plain(column: SourceColumn): readonly SourceColumn[] {
  const { raw } = column;
  if (raw.kind !== 'text') return [column];
  if (isSpelled(raw, (cell) => withError(cell, raw) !== undefined)) return apart(column, raw);
  if (isSpelled(raw, (cell) => clock(cell, column.unit) !== undefined)) return [inHours(column, raw)];
  if (isSpelled(raw, (cell) => percentOf(cell, raw) !== undefined))
    return [{ ...column, unit: column.unit ?? '%', raw: respelled(raw, (row) => raw.cell(row).replace(percent, '')) }];
  const order = dateOrder(raw);
  return order
    ? [{ ...column, raw: respelled(raw, (row) => isoDate(raw.cell(row), order) ?? raw.cell(row)) }]
    : [column];
}

/** The column with other cells: the numbers that its own were say nothing of them. */
const respelled = ({ length, quoted, decimal }: TextColumn, cell: (row: number) => string): RawColumn => ({
  ...{ kind: 'text', length, quoted, decimal, cell },
});

function isSpelled(raw: TextColumn, fits: (cell: string) => boolean): boolean {
  const share = (rows: number): boolean => {
    let [present, fitting] = [0, 0];
    for (let row = 0; row < rows; row++) {
      const cell = raw.cell(row);
      if (cell === '') continue;
      present++;
      if (fits(cell)) fitting++;
    }
    return fitting > 0 && fitting >= mostly * present;
  };
  return share(Math.min(looked, raw.length)) && share(raw.length);
}

const plusMinus = /^(\S+)\s*(?:±|\+\/-|\+-)\s*(\S+)$/;

function withError(cell: string, { decimal }: TextColumn): readonly [number, number] | undefined {
  const [, value, error] = plusMinus.exec(cell.trim()) ?? [];
  const [y, sigma] = [value, error].map((part) => (part === undefined ? undefined : cellNumber(part, decimal)));
  return y === undefined || sigma === undefined ? undefined : [y, sigma];
}

/** What has no error is a value alone. */
function apart(column: SourceColumn, raw: TextColumn): readonly SourceColumn[] {
  const side = (at: 0 | 1): RawColumn =>
    respelled(raw, (row) => {
      const cell = raw.cell(row);
      const parts = plusMinus.exec(cell.trim());
      return parts ? (parts[at + 1] ?? '') : at === 0 ? cell : '';
    });
  return [
    { ...column, raw: side(0) },
    { ...column, name: `± ${column.name}`, raw: side(1) },
  ];
}

const percent = /\s*%$/;

function percentOf(cell: string, { decimal }: TextColumn): number | undefined {
  return percent.test(cell) ? cellNumber(cell.replace(percent, ''), decimal) : undefined;
}

/** `1:30`, `26:05:10.5`, `2.04:30:00`, `9:15 PM`; of a column in min:s the first part is minutes. */
const clockTime = /^(?:(\d+)[.d]\s*)?(\d{1,4}):([0-5]\d)(?::([0-5]\d(?:[.,]\d+)?))?\s*([ap]m)?$/i;

/** In hours. */
function clock(cell: string, unit: string | undefined): number | undefined {
  const [, days = '0', first = '', second = '', third, half] = clockTime.exec(cell.trim()) ?? [];
  if (first === '') return undefined;
  if (third === undefined && /^(?:mm?|min):?(?:ss?|sec)$/i.test(unit ?? ''))
    return (Number(first) * 60 + Number(second)) / 3600;
  const hour = half === undefined ? Number(first) : (Number(first) % 12) + (/p/i.test(half) ? 12 : 0);
  return Number(days) * 24 + hour + Number(second) / 60 + Number((third ?? '0').replace(',', '.')) / 3600;
}

/** A time of day goes on past midnight; one that begins at 0 is of a run, and begins anew with the next. */
function inHours(column: SourceColumn, raw: TextColumn): SourceColumn {
  const values = Float64Array.from({ length: raw.length }, (_, row) => clock(raw.cell(row), column.unit) ?? NaN);
  const known = values.filter((value) => !Number.isNaN(value));
  const ofDay = (known[0] ?? 0) > 0 && known.every((value) => value < 24);
  let [days, before] = [0, NaN];
  if (ofDay)
    for (const [row, value] of values.entries()) {
      if (Number.isNaN(value)) continue;
      if (value < before - 12) days++;
      before = value;
      values[row] = value + 24 * days;
    }
  return { ...column, unit: 'h', raw: { kind: 'numbers', values: values.map(rounded) } };
}

/** To a hundredth of a millisecond: a third of an hour is written as such. */
const rounded = (hours: number): number => Number(hours.toPrecision(12));

type Order = 'dmy' | 'mdy' | 'ymd';
const otherDate =
  /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?:,?[T ]+(\d{1,2}):(\d\d)(?::(\d\d(?:[.,]\d+)?))?\s*([ap]m)?)?$/i;

/** Undefined of what is no date, or ISO already. With points the day stands first; with strokes where it can. */
function dateOrder(raw: TextColumn): Order | undefined {
  if (!isSpelled(raw, (cell) => otherDate.test(cell) && !/^\d{4}-/.test(cell))) return undefined;
  const parts = Array.from({ length: raw.length }, (_, row) => otherDate.exec(raw.cell(row))).flatMap((found) =>
    found ? [found] : [],
  );
  if (parts.every(([, first = '']) => first.length === 4)) return 'ymd';
  if (parts.some(([, , , , year = '']) => year.length !== 4 && year.length !== 2)) return undefined;
  const [day, month] = [1, 3].map((at) => parts.reduce((most, found) => Math.max(most, Number(found[at])), 0));
  if (day! > 12 || parts[0]?.[2] === '.') return month! > 12 ? undefined : 'dmy';
  if (month! > 12) return 'mdy';
  const rises = (order: Order): boolean =>
    parts.every((found, i) => i === 0 || (isoDate(found[0], order) ?? '') >= (isoDate(parts[i - 1]![0], order) ?? ''));
  return rises('mdy') || !rises('dmy') ? 'mdy' : 'dmy';
}

function isoDate(cell: string, order: Order): string | undefined {
  const found = otherDate.exec(cell);
  if (!found) return undefined;
  const [, a = '', , b = '', c = '', hour, minute, second, half] = found;
  const [year, month, day] = order === 'ymd' ? [a, b, c] : order === 'dmy' ? [c, b, a] : [c, a, b];
  const full = year.length === 2 ? `20${year}` : year;
  const two = (part: string): string => part.padStart(2, '0');
  const date = `${full}-${two(month)}-${two(day)}`;
  if (hour === undefined) return date;
  const at = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
  return `${date}T${two(String(at))}:${minute}:${(second ?? '00').replace(',', '.')}`;
}
