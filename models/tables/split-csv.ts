/** Delimited text into rows of cells (RFC 4180), keeping which cells were quoted: papaparse forgets it, and it decides types. */
import { TableError } from './table.ts';

export interface CsvRow {
  readonly cells: readonly string[];
  readonly quoted: readonly boolean[];
  /** Where the row begins, from 1. */
  readonly line: number;
}

/**
 * Blank lines are skipped; white space around an unquoted cell is no part of it. At most `limit` rows.
 * Throws `TableError` for a quote that is not closed or is followed by text.
 */
export function splitCsv(text: string, delimiter: string, limit = Infinity): CsvRow[] {
  const rows: CsvRow[] = [];
  let at = 0;
  let line = 1;
  while (at < text.length && rows.length < limit) {
    const cells: string[] = [];
    const quoted: boolean[] = [];
    const first = line;
    for (;;) {
      at = skipBlanks(text, at, delimiter);
      if (text[at] === '"') {
        const cell = quotedCell(text, at, line);
        line += cell.lines;
        at = skipBlanks(text, cell.end, delimiter);
        if (at < text.length && text[at] !== delimiter && !isBreak(text[at]))
          throw new TableError(`line ${line}: ${JSON.stringify(text[at])} after a closing quote`);
        cells.push(cell.value);
        quoted.push(true);
      } else {
        const start = at;
        while (at < text.length && text[at] !== delimiter && !isBreak(text[at])) at++;
        cells.push(text.slice(start, at).trim());
        quoted.push(false);
      }
      if (text[at] !== delimiter) break;
      at++;
    }
    at += text.startsWith('\r\n', at) ? 2 : 1;
    line++;
    const blank = cells.length === 1 && cells[0] === '' && quoted[0] === false;
    if (!blank) rows.push({ cells, quoted, line: first });
  }
  return rows;
}

function quotedCell(text: string, open: number, line: number): { value: string; end: number; lines: number } {
  let end = open + 1;
  for (;;) {
    const quote = text.indexOf('"', end);
    if (quote < 0) throw new TableError(`line ${line}: a quote that is not closed`);
    end = quote + 1;
    if (text[end] !== '"') break;
    end++;
  }
  const inside = text.slice(open + 1, end - 1);
  return { value: inside.replaceAll('""', '"'), end, lines: inside.split(/\r\n|\r|\n/).length - 1 };
}

function skipBlanks(text: string, at: number, delimiter: string): number {
  while (text[at] !== delimiter && (text[at] === ' ' || text[at] === '\t')) at++;
  return at;
}

function isBreak(character: string | undefined): boolean {
  return character === '\n' || character === '\r';
}
