/** Tables as they are worked on: taken out of their files, cells written and pasted, rows added, rows excluded with a reason. Nothing is deleted. */
import type { Draft } from './draft.ts';
import { isRecord, own, same, withEntry } from './draft.ts';
import { readNumber } from '../words/read-number.ts';

export type Cell = number | string | null;

export interface Excluded {
  readonly row: number;
  readonly why?: string;
}

export interface TableEdit {
  readonly table: string;
  readonly cells?: readonly (readonly [column: string, row: number, value: Cell])[];
  /** Its cells, written in the document in place of the file that they are in. */
  readonly inline?: Readonly<Record<string, readonly Cell[]>>;
  /** All rows that are excluded from now on. */
  readonly excluded?: readonly Excluded[];
}

/** Cells beyond the last row make new rows, which are empty elsewhere. */
export function editTable(draft: Draft, { table, cells = [], inline, excluded }: TableEdit): Draft {
  const entry = own(draft['tables'], table);
  if (!isRecord(entry)) return draft;
  const left = own(entry, 'excluded');
  let next = inline ? { columns: inline, ...(left !== undefined && { excluded: left }) } : entry;
  const { columns } = next;
  if (cells.length > 0 && isRecord(columns)) {
    const rows = Math.max(rowsOf(next), ...cells.map(([, row]) => row + 1));
    const written = new Map(
      Object.entries(columns).map(([name, values]) => [
        name,
        Array.from(
          { length: rows },
          (_, row): unknown => (Array.isArray(values) ? (values as unknown[])[row] : null) ?? null,
        ),
      ]),
    );
    for (const [column, row, value] of cells) {
      const values = written.get(column);
      if (values) values[row] = value;
    }
    next = withEntry(next, 'columns', Object.fromEntries(written));
  }
  if (excluded) next = withEntry(next, 'excluded', excluded.length > 0 ? excluded : undefined);
  return { ...draft, tables: withEntry(draft['tables'], table, next) };
}

/** Whether its cells stand in the document, and not in a file beside it. */
export function isInline(draft: Draft, table: string): boolean {
  return isRecord(own(own(draft['tables'], table), 'columns'));
}

/** Whether a column of a table has the same cells in two drafts, and the same rows of them count. */
export function sameCells(a: Draft, b: Draft, table: string, column: string): boolean {
  const [before, now] = [own(a['tables'], table), own(b['tables'], table)];
  if (before === now) return true;
  const [was, is] = [own(own(before, 'columns'), column), own(own(now, 'columns'), column)];
  const sameRest = same(withEntry(before, 'columns', undefined), withEntry(now, 'columns', undefined));
  if (!sameRest || !Array.isArray(was) || !Array.isArray(is)) return sameRest && was === is;
  return was.length === is.length && was.every((cell, row) => cell === (is as unknown[])[row]);
}

function rowsOf(entry: unknown): number {
  const columns = own(entry, 'columns');
  if (!isRecord(columns)) return 0;
  return Math.max(0, ...Object.values(columns).map((values) => (Array.isArray(values) ? values.length : 0)));
}

export function rowCount(draft: Draft, table: string): number {
  return rowsOf(own(draft['tables'], table));
}

/** Reasons by row; '' where none is given. */
export function exclusionsOf(draft: Draft, table: string): ReadonlyMap<number, string> {
  const listed = own(own(draft['tables'], table), 'excluded');
  return new Map(
    (Array.isArray(listed) ? (listed as unknown[]) : []).flatMap((each): [number, string][] => {
      const [row, why] = [own(each, 'row'), own(each, 'why')];
      return typeof row === 'number' ? [[row, typeof why === 'string' ? why : '']] : [];
    }),
  );
}

/** The rows excluded for a reason; undefined takes them in again. */
export function withExclusion(
  draft: Draft,
  table: string,
  rows: readonly number[],
  why: string | undefined,
): Excluded[] {
  const known = new Map(exclusionsOf(draft, table));
  for (const row of rows) {
    if (why === undefined) known.delete(row);
    else known.set(row, why);
  }
  return [...known].sort(([a], [b]) => a - b).map(([row, reason]) => ({ row, ...(reason !== '' && { why: reason }) }));
}

/** The edit that excludes rows for a reason, or takes them in again, and what it is called. */
export function exclusion(
  draft: Draft,
  table: string,
  rows: readonly number[],
  why: string | undefined,
): TableEdit & { readonly what: string } {
  const named = rows.length > 5 ? `${rows.length} rows` : `row${rows.length === 1 ? '' : 's'} ${rows.join(', ')}`;
  const what = `${why === undefined ? 'Include' : 'Exclude'} ${named} of ${table}`;
  return { what, table, excluded: withExclusion(draft, table, rows, why) };
}

/** A cell as it is typed: a number where it is one, nothing where it is empty, else words. */
export function readCell(text: string): Cell {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const number = readNumber(trimmed);
  return Number.isFinite(number) ? number : trimmed;
}

/** What is pasted at a cell fills the cells from there on; what would stand beyond the last column is left out. */
export function pastedCells(
  columns: readonly string[],
  column: string,
  row: number,
  text: string,
): NonNullable<TableEdit['cells']> {
  const first = columns.indexOf(column);
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  return lines.flatMap((line, i) =>
    line.split('\t').flatMap((cell, j) => {
      const name = columns[first + j];
      return first < 0 || name === undefined ? [] : [[name, row + i, readCell(cell)] as const];
    }),
  );
}
