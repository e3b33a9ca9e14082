/**
 * Delimited text into rows of cells (RFC 4180), keeping which cells were quoted, since that decides types. Of a cell only
 * its place in the text is kept: a table of millions of cells costs eight bytes for each, and no string until it is asked
 * for.
 */
import { Growing } from './growing.ts';
import { TableError } from './table.ts';

export interface CsvRows {
  readonly count: number;
  /** Where the row begins, from 1. */
  line(row: number): number;
  /** How many cells it has. */
  width(row: number): number;
  cell(row: number, column: number): string;
  quoted(row: number, column: number): boolean;
}

export interface SplitOptions {
  /** At most so many rows. */
  readonly limit?: number;
  /** Cells are parted by runs of blanks, however long: `delimiter` is not looked at. */
  readonly runs?: boolean;
  /** Lines that begin with it are skipped. */
  readonly comment?: string;
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
  const { limit = Infinity, runs = false, comment, onProgress } = options;
  const mark = delimiter.charCodeAt(0);
  const [starts, ends, rows, lines] = [new Growing(), new Growing(), new Growing(), new Growing()];
  const isBlank = (code: number): boolean => (code === blank || code === tab) && (runs || code !== mark);
  const endsCell = (code: number): boolean => isBreak(code) || (runs ? isBlank(code) : code === mark);
  const skipBlanks = (from: number): number => {
    let to = from;
    while (isBlank(text.charCodeAt(to))) to++;
    return to;
  };
  let at = 0;
  let line = 1;
  let told = 0;

  /** The place after a quoted cell; its lines are counted. */
  function quotedCell(): void {
    const open = at;
    let flags = quotedBit;
    for (at++; ; at++) {
      at = text.indexOf('"', at);
      if (at < 0) throw new TableError(`line ${line}: a quote that is not closed`);
      if (text.charCodeAt(at + 1) !== quote) break;
      flags |= doubledBit;
      at++;
    }
    starts.push(open + 1);
    ends.push((at | flags) >>> 0);
    for (let i = open; i < at; i++) {
      const code = text.charCodeAt(i);
      if (code === lineFeed || (code === carriageReturn && text.charCodeAt(i + 1) !== lineFeed)) line++;
    }
    at = runs ? at + 1 : skipBlanks(at + 1);
    if (at < text.length && !endsCell(text.charCodeAt(at)))
      throw new TableError(`line ${line}: ${JSON.stringify(text[at])} after a closing quote`);
  }

  function plainCell(): void {
    starts.push(at);
    let end = at;
    while (end < text.length && !endsCell(text.charCodeAt(end))) end++;
    ends.push(end);
    at = end;
  }

  /** Whether another cell follows in the row. */
  function next(): boolean {
    if (!runs) return text.charCodeAt(at) === mark;
    const to = skipBlanks(at);
    const more = to > at && to < text.length && !isBreak(text.charCodeAt(to));
    at = more ? to - 1 : to;
    return more;
  }

  while (at < text.length && rows.length < limit) {
    const [first, firstCell] = [line, starts.length];
    const skipped = comment !== undefined && text.startsWith(comment, skipBlanks(at));
    if (skipped) while (at < text.length && !isBreak(text.charCodeAt(at))) at++;
    else
      for (;;) {
        at = skipBlanks(at);
        if (text.charCodeAt(at) === quote) quotedCell();
        else plainCell();
        if (!next()) break;
        at++;
      }
    at += text.charCodeAt(at) === carriageReturn && text.charCodeAt(at + 1) === lineFeed ? 2 : 1;
    line++;
    if (!skipped) {
      if (starts.length === firstCell + 1 && isEmpty(firstCell)) {
        starts.length = firstCell;
        ends.length = firstCell;
      } else {
        rows.push(firstCell);
        lines.push(first);
      }
    }
    if (onProgress && at - told > progressEvery) {
      told = at;
      onProgress(at / text.length);
    }
  }

  function isEmpty(cell: number): boolean {
    const end = ends.at(cell);
    return end < doubledBit && text.slice(starts.at(cell), end).trim() === '';
  }

  const cellAt = (row: number, column: number): number => rows.at(row) + column;
  return {
    count: rows.length,
    line: (row) => lines.at(row),
    width: (row) => (row + 1 < rows.length ? rows.at(row + 1) : starts.length) - rows.at(row),
    cell(row, column) {
      const end = ends.at(cellAt(row, column));
      const inside = text.slice(starts.at(cellAt(row, column)), end & placeBits);
      if (end < doubledBit) return inside.trim();
      return (end & doubledBit) === 0 ? inside : inside.replaceAll('""', '"');
    },
    quoted: (row, column) => ends.at(cellAt(row, column)) >= quotedBit,
  };
}

function isBreak(code: number): boolean {
  return code === lineFeed || code === carriageReturn;
}
