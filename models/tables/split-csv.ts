/**
 * Delimited text into rows of cells (RFC 4180), keeping which cells were quoted, since that decides types. Of a cell only
 * its place in the text is kept: a table of millions of cells costs eight bytes for each, and no string until it is asked
 * for.
 */
import { codesOf, type Codes } from './codes.ts';
import { GrowingPairs } from './growing-pairs.ts';
import { plainNumber } from './plain-number.ts';
import { TableError } from './table.ts';

export interface CsvRows {
  readonly count: number;
  /** Where the row begins, from 1. */
  line(row: number): number;
  /** How many cells it has. */
  width(row: number): number;
  cell(row: number, column: number): string;
  /** The numbers of a column from a row on, where cells are not quoted and plainly such; else NaN, which says nothing. */
  plain(column: number, from: number, decimal: '.' | ','): Float64Array;
  quoted(row: number, column: number): boolean;
}

export interface SplitOptions {
  /** At most so many rows. */
  readonly limit?: number;
  /** Cells are parted by runs of blanks, however long: `delimiter` is not looked at. */
  readonly runs?: boolean;
  /** Lines that begin with it are skipped. */
  readonly comment?: string;
  /** Of the text, where who asks has them. */
  readonly codes?: Codes;
  /** What share of the text has been split, from time to time. */
  readonly onProgress?: (share: number) => void;
}

const [tab, lineFeed, carriageReturn, blank, quote] = [9, 10, 13, 32, 34] as const;

/** In the end of a cell, above any place in a text: whether it was quoted, and whether quotes stand doubled in it. */
const quotedBit = 0x8000_0000;
const doubledBit = 0x4000_0000;
const placeBits = 0x3fff_ffff;

const progressEvery = 1 << 20;

/**
 * Blank lines are skipped; white space around an unquoted cell is no part of it.
 * Throws `TableError` for a quote that is not closed or is followed by text.
 */
export function splitCsv(text: string, delimiter: string, options: SplitOptions = {}): CsvRows {
  const { limit = Infinity, runs = false, comment, codes = codesOf(text), onProgress } = options;
  const mark = delimiter.charCodeAt(0);
  // Where cells begin and end; of rows, their first cell and their line.
  const [cells, rows] = [new GrowingPairs(), new GrowingPairs()];
  const isBlank = (code: number | undefined): boolean => (code === blank || code === tab) && (runs || code !== mark);
  // By code: a question of every character of the text.
  const endsCell = new Uint8Array(0x1_0000);
  for (const code of [lineFeed, carriageReturn, ...(runs ? [blank, tab] : [mark])]) endsCell[code] = 1;
  const skipBlanks = (from: number): number => {
    let to = from;
    while (isBlank(codes[to])) to++;
    return to;
  };
  let line = 1;

  /** The place after a quoted cell; its lines are counted. */
  function quotedCell(open: number): number {
    let flags = quotedBit;
    let at = open + 1;
    for (; ; at++) {
      at = text.indexOf('"', at);
      if (at < 0) throw new TableError(`line ${line}: a quote that is not closed`);
      if (codes[at + 1] !== quote) break;
      flags |= doubledBit;
      at++;
    }
    cells.push(open + 1, (at | flags) >>> 0);
    for (let i = open; i < at; i++) {
      const code = codes[i];
      if (code === lineFeed || (code === carriageReturn && codes[i + 1] !== lineFeed)) line++;
    }
    at = runs ? at + 1 : skipBlanks(at + 1);
    if (at < text.length && endsCell[codes[at]!] === 0)
      throw new TableError(`line ${line}: ${JSON.stringify(text[at])} after a closing quote`);
    return at;
  }

  function plainCell(from: number): number {
    let end = from;
    while (end < codes.length && endsCell[codes[end]!] === 0) end++;
    cells.push(from, end);
    return end;
  }

  /** Where the row's next cell begins, or the same place where none follows. */
  function next(at: number): number {
    if (!runs) return codes[at] === mark ? at + 1 : at;
    const to = skipBlanks(at);
    return to < codes.length && !isBreak(codes[to]) ? to : at;
  }

  let told = 0;
  for (let at = 0; at < codes.length && rows.pairs < limit;) {
    const [first, firstCell] = [line, cells.pairs];
    const skipped = comment !== undefined && text.startsWith(comment, skipBlanks(at));
    if (skipped) while (at < codes.length && !isBreak(codes[at])) at++;
    else
      for (;;) {
        at = skipBlanks(at);
        const end = codes[at] === quote ? quotedCell(at) : plainCell(at);
        at = next(end);
        if (at === end) break;
      }
    if (runs) at = skipBlanks(at);
    at += codes[at] === carriageReturn && codes[at + 1] === lineFeed ? 2 : 1;
    line++;
    if (!skipped) {
      if (cells.pairs === firstCell + 1 && isEmpty(firstCell)) cells.pairs = firstCell;
      else rows.push(firstCell, first);
    }
    if (onProgress && at - told > progressEvery) {
      told = at;
      onProgress(at / text.length);
    }
  }

  function isEmpty(cell: number): boolean {
    const end = cells.second(cell);
    return end < doubledBit && text.slice(cells.first(cell), end).trim() === '';
  }

  const cellAt = (row: number, column: number): number => rows.first(row) + column;
  return {
    count: rows.pairs,
    line: (row) => rows.second(row),
    width: (row) => (row + 1 < rows.pairs ? rows.first(row + 1) : cells.pairs) - rows.first(row),
    cell(row, column) {
      const at = cellAt(row, column);
      const end = cells.second(at);
      const inside = text.slice(cells.first(at), end & placeBits);
      if (end < doubledBit) return inside.trim();
      return (end & doubledBit) === 0 ? inside : inside.replaceAll('""', '"');
    },
    plain(column, from, decimal) {
      const values = new Float64Array(rows.pairs - from);
      for (let i = 0; i < values.length; i++) {
        const at = cellAt(from + i, column);
        const end = cells.second(at);
        values[i] = end < doubledBit ? plainNumber(codes, cells.first(at), end, decimal) : NaN;
      }
      return values;
    },
    quoted: (row, column) => cells.second(cellAt(row, column)) >= quotedBit,
  };
}

function isBreak(code: number | undefined): boolean {
  return code === lineFeed || code === carriageReturn;
}
