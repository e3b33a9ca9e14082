/**
 * Cells as people and instruments write them, in plain spelling: `1.2 ± 0.1` and `1.2(1)` as two columns, `1.2x10^3` as 1.2e3, a time of day or of a run
 * (`0:15:00`) in hours, `12.5 %` as a number in per cent, `$1.50` as a number, dates of other lands as ISO 8601 has them.
 */
import { cellNumber, type RawColumn } from '../cells.ts';
import { dilutions, sharesApart } from './fractions.ts';
import type { TextColumn } from './gathered.ts';
import { inUnit, unitOfCells } from './measured-cells.ts';
import { monthDate } from './month-dates.ts';
import { distinct, type Source, type SourceColumn } from './source.ts';

/** Of the cells that say something, as many must be of one spelling. */
const mostly = 0.7;
/** Looked at first: a column that begins otherwise is otherwise. */
const looked = 40;

export function plainlySpelled(source: Source): Source {
  const notes: string[] = [];
  const columns = source.columns.flatMap((column) => plain(column, source, notes));
  if (columns.every((column, j) => column === source.columns[j])) return source;
  const names = distinct(columns.map(({ name }) => name));
  const renamed = columns.map((column, j) => ({ ...column, name: names[j]! }));
  return { ...source, columns: renamed, notes: [...source.notes, ...notes] };
}

/** What is doubtful of how it was read goes to `notes`. */
function plain(column: SourceColumn, source: Source, notes: string[]): readonly SourceColumn[] {
  const { raw, name } = column;
  if (raw.kind !== 'text') return [column];
  if (isSpelled(raw, (cell) => withError(cell, raw) !== undefined)) return apart(column, raw);
  const diluted = dilutions(column, raw);
  if (diluted) return [diluted];
  const shares = sharesApart(column, raw);
  if (shares) return shares;
  if (isSpelled(raw, (cell) => clock(cell, column.unit) !== undefined)) return [inHours(column, raw, source, notes)];
  if (isSpelled(raw, (cell) => percentOf(cell, raw) !== undefined))
    return [{ ...column, unit: column.unit ?? '%', raw: respelled(raw, (row) => raw.cell(row).replace(percent, '')) }];
  if (isSpelled(raw, (cell) => priceOf(cell, raw) !== undefined))
    return [{ ...column, raw: respelled(raw, (row) => raw.cell(row).replace(currency, '$1')) }];
  if (isSpelled(raw, (cell) => withPower(cell, raw) !== undefined))
    return [{ ...column, raw: respelled(raw, (row) => withPower(raw.cell(row), raw) ?? raw.cell(row)) }];
  const unit = unitOfCells(raw);
  if (unit !== undefined)
    return [{ ...column, unit, raw: respelled(raw, (row) => inUnit(raw.cell(row), unit, raw) ?? raw.cell(row)) }];
  if (isSpelled(raw, (cell) => monthDate(cell) !== undefined))
    return [{ ...column, raw: respelled(raw, (row) => monthDate(raw.cell(row)) ?? raw.cell(row)) }];
  const found = dateOrder(raw);
  if (!found) return [column];
  const { order, isDoubtful } = found;
  const cell = (row: number): string => isoDate(raw.cell(row), order) ?? raw.cell(row);
  if (isDoubtful)
    notes.push(
      `The dates of ${name} are read with the ${order === 'mdy' ? 'month' : 'day'} first: ${raw.cell(0)} is ${cell(0).slice(0, 10)}. Both would be dates; written as year-month-day they are read as meant.`,
    );
  return [{ ...column, raw: respelled(raw, cell) }];
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

/** `3.6D+03` as Fortran writes, `3.6x10^3`, `3.6·10⁻³` as print does: as 3.6e3; undefined for what is a number anyway, or none. */
function withPower(cell: string, { decimal }: TextColumn): string | undefined {
  const [, digits, power] = powerOfTen.exec(cell.trim().normalize('NFKC').replaceAll('\u2212', '-')) ?? [];
  const text = `${digits}e${power}`;
  return digits !== undefined && cellNumber(text, decimal) !== undefined ? text : undefined;
}

/** Fortran always writes the mark of decimals: 1D3 may be a place on a plate. */
const powerOfTen =
  /^([+-]?[\d.,]+(?=\s*[x×·*⋅])|[+-]?\d*[.,]\d*(?=[dD]))\s*(?:[x×·*⋅]\s*10\s*\^?\s*|[dD])\(?([+-]?\d+)\)?$/;

const plusMinus = /^(\S+)\s*(?:±|\+\/-|\+-)\s*(\S+)$/;

function withError(cell: string, raw: TextColumn): readonly [number, number] | undefined {
  const [y, sigma] = (partsOf(cell) ?? []).map((part) => cellNumber(part, raw.decimal));
  return y === undefined || sigma === undefined ? undefined : [y, sigma];
}

/** Of `3.60 ± 0.12`, or of 3.60(12), where the error is of the last digits; 12(3) may be anything. */
function partsOf(cell: string): readonly [value: string, error: string] | undefined {
  const text = cell.trim();
  const [, value, error] = plusMinus.exec(text) ?? [];
  if (value !== undefined && error !== undefined) return [value, error];
  const [, digits, last] = /^([+-]?\d+[.,]\d+)\((\d+)\)$/.exec(text) ?? [];
  if (digits === undefined || last === undefined) return undefined;
  const decimals = digits.split(/[.,]/)[1]?.length ?? 0;
  return [digits, `${last}e-${decimals}`];
}

/** What has no error is a value alone. */
function apart(column: SourceColumn, raw: TextColumn): readonly SourceColumn[] {
  const side = (at: 0 | 1): RawColumn =>
    respelled(raw, (row) => {
      const cell = raw.cell(row);
      const parts = partsOf(cell);
      return parts ? parts[at] : at === 0 ? cell : '';
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

/** `$1.50`, `-$1.50`, `2,90 €`. */
const currency = /^([+-]?)\p{Sc}\s*(?=[\d.,]+$)|(?<=\d)\s*\p{Sc}$/u;

function priceOf(cell: string, { decimal }: TextColumn): number | undefined {
  return currency.test(cell) ? cellNumber(cell.replace(currency, '$1'), decimal) : undefined;
}

/** `1:30`, `26:05:10.5`, `2.04:30:00`, `9:15 PM`; of a column in min:s the first part is minutes. */
const clockTime = /^(-)?(?:(\d+)[.d]\s*)?(\d{1,4}):([0-5]\d)(?::([0-5]\d(?:[.,]\d+)?))?\s*([ap]m)?$/i;

/** In hours. */
function clock(cell: string, unit: string | undefined): number | undefined {
  const [, minus, days = '0', first = '', second = '', third, half] = clockTime.exec(cell.trim()) ?? [];
  if (first === '') return undefined;
  const sign = minus === undefined ? 1 : -1;
  if (third === undefined && /^(?:mm?|min):?(?:ss?|sec)$/i.test(unit ?? ''))
    return (sign * (Number(first) * 60 + Number(second))) / 3600;
  const hour = half === undefined ? Number(first) : (Number(first) % 12) + (/p/i.test(half) ? 12 : 0);
  const part = Number(second) / 60 + Number((third ?? '0').replace(',', '.')) / 3600;
  return sign * (Number(days) * 24 + hour + part);
}

/**
 * A time of day goes on past midnight; a time of a run begins anew with the next. It is of a run where it begins at 0 or
 * before, where it falls back to where it began by less than half a day, and where another column changes whenever it falls, and at no other time.
 */
function inHours(column: SourceColumn, raw: TextColumn, source: Source, notes: string[]): SourceColumn {
  const values = Float64Array.from({ length: raw.length }, (_, row) => clock(raw.cell(row), column.unit) ?? NaN);
  const known = [...values.keys()].filter((row) => !Number.isNaN(values[row]));
  const fallAt = (i: number): number => (i === 0 ? 0 : values[known[i - 1]!]! - values[known[i]!]!);
  const falls = new Set(known.filter((_, i) => fallAt(i) > 12));
  const first = values[known[0]!] ?? 0;
  const beginsAnew = (row: number, i: number): boolean =>
    fallAt(i) > 0 && fallAt(i) <= 12 && Math.abs(values[row]! - first) < nearFirst;
  const ofDay =
    first > 0 &&
    known.every((row, i) => values[row]! >= 0 && values[row]! < 24 && !beginsAnew(row, i)) &&
    !source.columns.some((other) => other !== column && partsAt(other, known, falls));
  if (ofDay && falls.size > 0) {
    let days = 0;
    for (const row of known) {
      if (falls.has(row)) days++;
      values[row]! += 24 * days;
    }
    const nights = falls.size === 1 ? 'one midnight' : `${falls.size} midnights`;
    notes.push(`The clock times of ${column.name} go past ${nights}: hours are counted on from the first day.`);
  }
  return { ...column, unit: 'h', raw: { kind: 'numbers', values: values.map(rounded) } };
}

/** Hours. A clock that is set back, or rows out of order, lead elsewhere. */
const nearFirst = 0.5;

/** Names of what goes on with the time of day. */
const ofDays = /day|date|tag|datum|jour|nuit|night|nacht|d[ií]a|giorno/i;

/** Whether a column says another thing from each of these rows on, and the same between them: whose rows they are. */
function partsAt({ raw, name }: SourceColumn, rows: readonly number[], falls: ReadonlySet<number>): boolean {
  if (falls.size === 0 || ofDays.test(name)) return false;
  const said = (row: number): string => (raw.kind === 'text' ? raw.cell(row) : String(raw.values[row]));
  return rows.every((row, i) => i === 0 || (said(row) !== said(rows[i - 1]!)) === falls.has(row));
}

/** To a hundredth of a millisecond: a third of an hour is written as such. */
const rounded = (hours: number): number => Number(hours.toPrecision(12));

type Order = 'dmy' | 'mdy' | 'ymd';
const otherDate =
  /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?:,?[T ]+(\d{1,2}):(\d\d)(?::(\d\d(?:[.,]\d+)?))?\s*([ap]m)?)?$/i;

/**
 * Undefined of what is no date, or ISO already. With points the day stands first. With strokes what is above 12 tells, else what
 * rises, else what is evenly spaced, else the month stands first; `isDoubtful` where that is all that tells.
 */
function dateOrder(raw: TextColumn): { readonly order: Order; readonly isDoubtful: boolean } | undefined {
  const sure = (order: Order) => ({ order, isDoubtful: false });
  if (!isSpelled(raw, (cell) => otherDate.test(cell) && !/^\d{4}-/.test(cell))) return undefined;
  const parts = Array.from({ length: raw.length }, (_, row) => otherDate.exec(raw.cell(row))).flatMap((found) =>
    found ? [found] : [],
  );
  if (parts.every(([, first = '']) => first.length === 4)) return sure('ymd');
  if (parts.some(([, , , , year = '']) => year.length !== 4 && year.length !== 2)) return undefined;
  const [day, month] = [1, 3].map((at) => parts.reduce((most, found) => Math.max(most, Number(found[at])), 0));
  if (day! > 12 || parts[0]?.[2] === '.') return month! > 12 ? undefined : sure('dmy');
  if (month! > 12) return sure('mdy');
  const rises = (order: Order): boolean =>
    parts.every((found, i) => i === 0 || (isoDate(found[0], order) ?? '') >= (isoDate(parts[i - 1]![0], order) ?? ''));
  const [ofDay, ofMonth] = [rises('dmy'), rises('mdy')];
  if (ofDay !== ofMonth) return { order: ofDay ? 'dmy' : 'mdy', isDoubtful: true };
  const isEven = (order: Order): boolean => {
    const days = parts.map(([cell]) => Date.parse(isoDate(cell, order)?.slice(0, 10) ?? ''));
    const steps = days.slice(1).map((day, i) => day - days[i]!);
    return steps.every((step) => step === steps[0] && step !== 0);
  };
  return { order: isEven('dmy') && !isEven('mdy') ? 'dmy' : 'mdy', isDoubtful: true };
}

/** Two digits of a year are those of 1969 to 2068, as POSIX has it. */
function isoDate(cell: string, order: Order): string | undefined {
  const found = otherDate.exec(cell);
  if (!found) return undefined;
  const [, a = '', , b = '', c = '', hour, minute, second, half] = found;
  const [year, month, day] = order === 'ymd' ? [a, b, c] : order === 'dmy' ? [c, b, a] : [c, a, b];
  const full = year.length === 2 ? `${Number(year) < 69 ? 20 : 19}${year}` : year;
  const two = (part: string): string => part.padStart(2, '0');
  const date = `${full}-${two(month)}-${two(day)}`;
  if (hour === undefined) return date;
  const at = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
  return `${date}T${two(String(at))}:${minute}:${(second ?? '00').replace(',', '.')}`;
}
