/** What one cell of a table says. */

/** A column as it was read: text, or numbers where the file had numbers. */
export type RawColumn =
  | {
      readonly kind: 'text';
      readonly length: number;
      cell(row: number): string;
      /** The numbers that cells are, where that is seen at once; else NaN, which says nothing. */
      plain?(): Float64Array;
      /** Whether it was quoted: then it is text whatever it looks like. */
      quoted(row: number): boolean;
      readonly decimal: '.' | ',';
    }
  /** NaN is a missing cell. */
  | { readonly kind: 'numbers'; readonly values: Float64Array };

const point = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const comma = /^[+-]?(?:\d+,?\d*|,\d+)(?:[eE][+-]?\d+)?$/;
const infinite = /^([+-]?)(?:inf|Inf|INF|Infinity)$/;

/** The number that a cell is, or undefined. */
export function cellNumber(cell: string, decimal: '.' | ','): number | undefined {
  if (decimal === ',' ? comma.test(cell) : point.test(cell))
    return Number(decimal === ',' ? cell.replace(',', '.') : cell);
  const sign = infinite.exec(cell)?.[1];
  return sign === undefined ? undefined : sign === '-' ? -Infinity : Infinity;
}

/** Empty, `NA`, `NaN`, `null`; quoted, only the empty one: somebody's label may well be "NA". */
export function isMissing(cell: string, quoted: boolean): boolean {
  return cell === '' || (!quoted && (cell === 'NA' || cell === 'NaN' || cell === 'nan' || cell === 'null'));
}

const isoDate = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?(Z|[+-]\d\d:?\d\d)?)?$/;

/** Days since 1970 of an ISO 8601 date or date and time (without a zone: UTC), or undefined. */
export function cellDate(cell: string): number | undefined {
  const found = isoDate.exec(cell);
  if (!found) return undefined;
  const [year, month, day, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map((part) => Number(part ?? 0));
  const time = Date.UTC(year!, month! - 1, day);
  const date = new Date(time);
  // Date.UTC rolls 31 February over into March.
  if (date.getUTCMonth() !== month! - 1 || date.getUTCDate() !== day) return undefined;
  if (hour > 24 || minute > 59 || second >= 61) return undefined;
  const zone = /([+-])(\d\d):?(\d\d)/.exec(found[7] ?? '');
  const offset = zone ? (zone[1] === '-' ? -1 : 1) * (Number(zone[2]) * 60 + Number(zone[3])) : 0;
  return time / 86_400_000 + (hour * 3600 + (minute - offset) * 60 + second) / 86_400;
}
