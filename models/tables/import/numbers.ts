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
  ',': /^([+-]?[1-9]\d{0,2}(?:,\d{3})+)(\.\d*)?$/,
  '.': /^([+-]?[1-9]\d{0,2}(?:\.\d{3})+)(,\d*)?$/,
  ' ': /^([+-]?[1-9]\d{0,2}(?:[\u0020\u00a0\u2009\u202f]\d{3})+)([.,]\d*)?$/,
  "'": /^([+-]?[1-9]\d{0,2}(?:['\u2019]\d{3})+)([.,]\d*)?$/,
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

/**
 * What parts thousands in these cells, by what can be nothing else: two groups, or a group and a decimal mark; blanks and
 * apostrophes always; and one group after a comma in quotes, where commas part cells. A mark that elsewhere stands before
 * other than three digits marks decimals. `decimal` where a cell shows that too.
 */
export function findThousands(
  cells: Iterable<readonly [cell: string, quoted: boolean]>,
  delimiter: string,
): { readonly thousands: Thousands; readonly decimal?: Marks['decimal'] } | undefined {
  const found = new Map<Thousands, Marks['decimal'] | undefined>();
  const decimals = new Set<string>();
  for (const [cell, quoted] of cells) {
    for (const thousands of [',', '.', ' ', "'"] as const) {
      const [, whole, rest] = groups[thousands].exec(cell) ?? [];
      const isPoint = thousands === ',' || thousands === '.';
      if (whole === undefined) {
        if (isPoint && cell.includes(thousands) && cellNumber(cell, thousands) !== undefined) decimals.add(thousands);
        continue;
      }
      const count = whole.match(separators[thousands])?.length ?? 0;
      const isSure = !isPoint || count > 1 || rest !== undefined || (thousands === ',' && delimiter === ',' && quoted);
      if (!isSure) continue;
      const decimal = isPoint ? other[thousands] : rest === undefined ? undefined : (rest[0] as Marks['decimal']);
      found.set(thousands, decimal ?? found.get(thousands));
    }
  }
  const [first] = [...found].filter(([thousands]) => !decimals.has(thousands));
  return first && { thousands: first[0], ...(first[1] && { decimal: first[1] }) };
}

const other = { ',': '.', '.': ',' } as const;

/**
 * A cell that may be read otherwise: such as 1,234, where every one that has the decimal mark has three digits after it, and
 * where commas were taken to part thousands for cells such as 104,105,106 alone.
 */
export function ambiguousNumber(cells: Iterable<string>, { decimal, thousands }: Marks): string | undefined {
  const isPoint = thousands === ',' || thousands === '.';
  if ((thousands !== '' && !isPoint) || (thousands === '' && decimal === '.')) return undefined;
  const mark = isPoint ? thousands : ',';
  let first: string | undefined;
  for (const cell of cells) {
    if (isPoint && groups[thousands].exec(cell)?.[2] !== undefined) return undefined;
    if (!cell.includes(mark) || cellNumber(cell, mark) === undefined) continue;
    if (!oneGroup[mark].test(cell)) return undefined;
    first ??= cell;
  }
  return first;
}

const oneGroup = { ',': /^[+-]?[1-9]\d{0,2},\d{3}$/, '.': /^[+-]?[1-9]\d{0,2}\.\d{3}$/ } as const;
