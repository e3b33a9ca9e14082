/** Numbers as files write them: with either decimal mark, and marks between thousands. */
import { cellNumber } from '../cells.ts';

export interface Marks {
  readonly decimal: '.' | ',';
  /** What parts groups of three digits; '' for nothing. */
  readonly thousands: Thousands;
}

export type Thousands = '' | ',' | '.' | ' ' | "'";

/** The spaces and apostrophes that part thousands in print. */
const spaces = /[\u0020\u00a0\u2009\u202f]/g;
const apostrophes = /['\u2019]/g;

const groups: Readonly<Record<Exclude<Thousands, ''>, RegExp>> = {
  ',': /^([+-]?\d{1,3}(?:,\d{3})+)(\.\d*)?$/,
  '.': /^([+-]?\d{1,3}(?:\.\d{3})+)(,\d*)?$/,
  ' ': /^([+-]?\d{1,3}(?:[\u0020\u00a0\u2009\u202f]\d{3})+)([.,]\d*)?$/,
  "'": /^([+-]?\d{1,3}(?:['\u2019]\d{3})+)([.,]\d*)?$/,
};

const separators: Readonly<Record<Exclude<Thousands, ''>, RegExp>> = {
  ',': /,/g,
  '.': /\./g,
  ' ': spaces,
  "'": apostrophes,
};

/** The number that a cell is, or undefined. A true minus sign (U+2212) counts as one. */
export function readNumber(cell: string, { decimal, thousands }: Marks): number | undefined {
  const text = cell.startsWith('\u2212') ? `-${cell.slice(1)}` : cell;
  if (thousands !== '' && groups[thousands].test(text))
    return cellNumber(text.replace(separators[thousands], ''), decimal);
  return cellNumber(text, decimal);
}

/** Marks of thousands that can be nothing else: two groups, or a group and a decimal mark; blanks and apostrophes always. */
export function findThousands(cells: Iterable<string>): Marks | undefined {
  for (const cell of cells) {
    for (const thousands of [',', '.', ' ', "'"] as const) {
      const [, whole, rest] = groups[thousands].exec(cell) ?? [];
      if (whole === undefined) continue;
      const count = whole.match(separators[thousands])?.length ?? 0;
      if (thousands === ',' || thousands === '.') {
        if (count > 1 || rest !== undefined) return { thousands, decimal: thousands === ',' ? '.' : ',' };
      } else return { thousands, decimal: rest?.startsWith(',') ? ',' : '.' };
    }
  }
  return undefined;
}

/** A cell such as 1,234, where every one that has the decimal mark has three digits after it: it may be one thousand. */
export function ambiguousNumber(cells: Iterable<string>, { decimal, thousands }: Marks): string | undefined {
  if (thousands !== '' || decimal === '.') return undefined;
  let first: string | undefined;
  for (const cell of cells) {
    if (!cell.includes(',') || cellNumber(cell, ',') === undefined) continue;
    if (!/^[+-]?[1-9]\d{0,2},\d{3}$/.test(cell)) return undefined;
    first ??= cell;
  }
  return first;
}
