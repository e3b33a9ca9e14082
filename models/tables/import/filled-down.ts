/**
 * Labels that stand once, in the first of the rows that they are of, as merged cells of a spreadsheet come: each row has its own.
 * Only the first columns have such: further to the right what is empty was not read.
 */
import { cellNumber } from '../cells.ts';
import type { TextColumn } from './gathered.ts';
import type { Source, SourceColumn } from './source.ts';

const remark = /note|comment|remark|flag|bemerkung|anmerkung|kommentar|outlier|ausrei(?:ß|ss)er/i;

export function filledDown(source: Source): Source {
  const notes: string[] = [];
  const columns: SourceColumn[] = [];
  for (const column of source.columns) {
    const { raw, name } = column;
    if (raw.kind !== 'text' || raw.length < 2) break;
    // Most columns are told by two cells.
    const isFilled = raw.cell(1) === '' && isGrouping(raw, columns.length) && !remark.test(name);
    if (!isFilled && (raw.cell(1) === '' || !isLabel(raw, 0))) break;
    if (isFilled && isAlone(source, columns.length)) break;
    columns.push(isFilled ? { ...column, raw: filled(raw) } : column);
    if (isFilled)
      notes.push(`${name} stands once for the rows that follow: its empty cells are taken as the one above.`);
  }
  if (notes.length === 0) return source;
  return {
    ...source,
    columns: [...columns, ...source.columns.slice(columns.length)],
    notes: [...source.notes, ...notes],
  };
}

const isLabel = (raw: TextColumn, row: number): boolean => cellNumber(raw.cell(row), raw.decimal) === undefined;

/** Runs of two rows or more below two labels or more; below numbers, which may as well be readings, runs of one length. */
function isGrouping(raw: TextColumn, place: number): boolean {
  const begins = Array.from({ length: raw.length }, (_, row) => row).filter((row) => raw.cell(row) !== '');
  const runs = begins.map((row, i) => (begins[i + 1] ?? raw.length) - row);
  const labels = new Set(begins.map((row) => raw.cell(row)));
  if (begins[0] !== 0 || labels.size < 2 || runs.some((run) => run < 2)) return false;
  return (
    begins.every((row) => isLabel(raw, row)) || (place === 0 && runs.length > 2 && runs.every((run) => run === runs[0]))
  );
}

/** No column to its right has a cell in each row. */
function isAlone({ columns, rows }: Source, place: number): boolean {
  return !columns
    .slice(place + 1)
    .some(({ raw }) => raw.kind === 'text' && Array.from({ length: rows }).every((_, row) => raw.cell(row) !== ''));
}

function filled(raw: TextColumn): TextColumn {
  const from = new Int32Array(raw.length);
  for (let row = 1; row < raw.length; row++) from[row] = raw.cell(row) === '' ? from[row - 1]! : row;
  const { length, decimal } = raw;
  return {
    ...{ kind: 'text', length, decimal },
    cell: (row) => raw.cell(from[row]!),
    quoted: (row) => raw.quoted(from[row]!),
  };
}
