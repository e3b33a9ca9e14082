/**
 * Long delimited text without quotes, all of whose rows have as many cells: what programs write by the gigabyte. Numbers are
 * read in the pass that finds the cells, and of a cell not even its place is kept: it is looked for in its row again.
 */
import type { Codes } from './codes.ts';
import { EXACT, exactPowers, plainNumber } from './plain-number.ts';
import type { CsvRows } from './split-csv.ts';

const [tab, lineFeed, carriageReturn, blank, quote, minus, zero] = [9, 10, 13, 32, 34, 45, 48] as const;
/** So many digits are a whole number that fits into a word. */
const SHORT = 9;

export interface PlainCsvOptions {
  readonly delimiter: string;
  readonly decimal: '.' | ',';
  /** How many cells each row has. */
  readonly width: number;
}

/** The rows that `splitCsv` finds; undefined where there are quotes, or rows of another width. */
export function plainCsv(
  text: string,
  codes: Codes,
  { delimiter, decimal, width }: PlainCsvOptions,
): CsvRows | undefined {
  const [mark, point, length] = [delimiter.charCodeAt(0), decimal.charCodeAt(0), codes.length];
  let columns = Array.from({ length: width }, () => new Float64Array(1024));
  let starts = new Uint32Array(1024);
  let count = 0;
  for (let at = 0; at < length;) {
    const start = at;
    if (count === starts.length) {
      // To as many rows as the text has, if the others are as long as those before.
      const rows = Math.ceil((1.02 * count * length) / at) + 1024;
      columns = columns.map((column) => longer(column, new Float64Array(rows)));
      starts = longer(starts, new Uint32Array(rows));
    }
    let column = 0;
    for (; ; column++, at++) {
      while (at < length && (codes[at] === blank || codes[at] === tab) && codes[at] !== mark) at++;
      const from = at;
      if (at < length && codes[at] === minus) at++;
      const first = at;
      let above = 0;
      let word = 0;
      let digits = 0;
      let marked = -1;
      let code: number = lineFeed;
      for (; at < length; at++) {
        code = codes[at]!;
        const digit = code - zero;
        if (digit >= 0 && digit <= 9) {
          word = (10 * word + digit) | 0;
          if (++digits === SHORT) {
            above = above * exactPowers[SHORT]! + word;
            word = digits = 0;
          }
        } else if (code === point && marked < 0) marked = at;
        else break;
      }
      let value = NaN;
      if (at === length || code === mark || code === lineFeed || code === carriageReturn) {
        const behind = marked < 0 ? 0 : at - marked - 1;
        const whole = above * exactPowers[digits]! + word;
        if (at - first > (marked < 0 ? 0 : 1) && whole < EXACT && behind < exactPowers.length) {
          value = whole / exactPowers[behind]!;
          if (first > from) value = -value;
        }
      } else {
        if (code === quote) return undefined;
        at = endOf(codes, at, mark);
        value = plainNumber(codes, from, at, decimal);
      }
      if (column < width) (columns[column] as Float64Array)[count] = value;
      if (at === length || codes[at] !== mark) break;
    }
    const isBlankLine = column === 0 && text.slice(start, at).trim() === '';
    at += codes[at] === carriageReturn && codes[at + 1] === lineFeed ? 2 : 1;
    if (isBlankLine) continue;
    if (column + 1 !== width) return undefined;
    starts[count++] = start;
  }
  return rowsOf(text, codes, mark, { columns, starts, count });
}

interface PlainRows {
  readonly columns: readonly Float64Array[];
  /** Where each row begins. */
  readonly starts: Uint32Array;
  readonly count: number;
}

function rowsOf(text: string, codes: Codes, mark: number, { columns, starts, count }: PlainRows): CsvRows {
  return {
    count,
    line(row) {
      let line = 1;
      for (let at = 0; at < starts[row]!; at++)
        if (codes[at] === lineFeed || (codes[at] === carriageReturn && codes[at + 1] !== lineFeed)) line++;
      return line;
    },
    width: () => columns.length,
    cell(row, column) {
      let at = starts[row]!;
      for (let before = 0; before < column; before++) at = endOf(codes, at, mark) + 1;
      return text.slice(at, endOf(codes, at, mark)).trim();
    },
    plain: (column, from) => columns[column]!.slice(from, count),
    quoted: () => false,
  };
}

/** The end of the cell that contains this place. */
function endOf(codes: Codes, from: number, mark: number): number {
  let at = from;
  while (at < codes.length && codes[at] !== mark && codes[at] !== lineFeed && codes[at] !== carriageReturn) at++;
  return at;
}

function longer<T extends Float64Array | Uint32Array>(values: T, into: T): T {
  into.set(values);
  return into;
}
