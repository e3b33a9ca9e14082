/** Delimited text of any dialect as a source. */
import type { RawColumn } from '../cells.ts';
import { TableError } from '../table.ts';
import { splitText, type DialectChoices, type Split } from './dialect.ts';
import { distinct, type Source, type SourceColumn } from './source.ts';
import { spannedName } from './header.ts';
import { bareUnit, isUnit, unitOfName } from './units-row.ts';

/** Throws `TableError`, with the line where there is one. */
export function readTextSource(
  text: string,
  encoding: string,
  choices: DialectChoices,
  onProgress?: (share: number) => void,
): Source {
  const split = splitText(text, encoding, choices, onProgress);
  const { rows, first, dialect } = split;
  if (rows.count === 0) throw new TableError('the file is empty');
  const width = widthOf(split);
  const heads = Array.from({ length: width }, (_, j) => {
    const { name, unit } = headOf(split, j);
    const below = dialect.units ? bareUnit(cellOr(rows, first - 1, j)) : '';
    return { name, unit: below === '' || below === '-' ? unit : below };
  });
  const names = distinct(heads.map(({ name }) => name));
  const short = shortRows(split, width);
  const columns = heads.map(({ unit }, j): SourceColumn => ({
    name: names[j]!,
    unit,
    raw: columnAt(split, j, short === undefined),
  }));
  const further = [short, repeatedHeads(split, width)].filter((note) => note !== undefined);
  const notes = [...split.notes, ...further];
  return {
    format: 'text',
    columns,
    rows: rows.count - first,
    line: (row) => rows.line(row + first),
    dialect,
    parts: [],
    notes,
  };
}

/** Its name, and its unit where that stands in the name; or below the name of a column that spans no other. */
function headOf({ rows, dialect, names, spanned }: Split, column: number): ReturnType<typeof unitOfName> {
  if (!dialect.header) return unitOfName(names?.[column] ?? '');
  if (!spanned) return unitOfName(cellOr(rows, 0, column));
  const { above, below } = spannedName(rows, column);
  const span = unitOfName(above);
  if (above === '' || below === '') return above === '' ? unitOfName(below) : span;
  // A 1 counts the first of its readings.
  if (below !== '1' && isUnit(bareUnit(below))) return { name: span.name, unit: bareUnit(below) };
  const own = unitOfName(below);
  return { name: `${span.name} ${own.name}`, unit: own.unit ?? span.unit };
}

function cellOr(rows: Split['rows'], row: number, column: number): string {
  return row < rows.count && column < rows.width(row) ? rows.cell(row, column) : '';
}

/** The head decides; cells beyond it must be empty. Without a head, the widest row. A last column without name or cell goes. */
function widthOf({ rows, first, dialect, names, spanned }: Split): number {
  let widest = 0;
  for (let row = first; row < rows.count; row++) widest = Math.max(widest, rows.width(row));
  let width = dialect.header ? Math.max(rows.width(0), spanned ? rows.width(1) : 0) : (names?.length ?? widest);
  if (rows.count === first) return width;
  for (let row = first; row < rows.count; row++)
    for (let column = width; column < rows.width(row); column++)
      if (rows.cell(row, column) !== '')
        throw new TableError(
          `line ${rows.line(row)} has ${rows.width(row)} cells, and the ${dialect.header ? 'header' : 'table'} has ${width}`,
        );
  const emptyAt = (column: number): boolean => {
    if (dialect.header && cellOr(rows, 0, column) !== '') return false;
    if (spanned && cellOr(rows, 1, column) !== '') return false;
    for (let row = first; row < rows.count; row++)
      if (column < rows.width(row) && rows.cell(row, column) !== '') return false;
    return true;
  };
  while (width > 1 && emptyAt(width - 1)) width--;
  return width;
}

/** `whole`: every row has this cell. */
function columnAt({ rows, first, dialect }: Split, column: number, whole: boolean): RawColumn {
  const has = (row: number): boolean => column < rows.width(row + first);
  return {
    kind: 'text',
    length: rows.count - first,
    cell: (row) => (has(row) ? rows.cell(row + first, column) : ''),
    quoted: (row) => has(row) && rows.quoted(row + first, column),
    ...(whole && { plain: () => rows.plain(column, first, dialect.decimal) }),
    decimal: dialect.decimal,
  };
}

function shortRows({ rows, first }: Split, width: number): string | undefined {
  let [count, line] = [0, 0];
  for (let row = first; row < rows.count; row++)
    if (rows.width(row) < width) {
      if (count === 0) line = rows.line(row);
      count++;
    }
  if (count === 0) return undefined;
  const which = count === 1 ? `Line ${line} has` : `${count} lines, first line ${line}, have`;
  return `${which} fewer cells than the table has columns. What is not there counts as missing.`;
}

/** A head that comes again begins a page, or another curve: which of them it is nothing says. */
function repeatedHeads({ rows, first, dialect }: Split, width: number): string | undefined {
  if (!dialect.header || cellOr(rows, 0, 0) === '') return undefined;
  const isHead = (row: number): boolean => {
    for (let column = 0; column < width; column++)
      if (cellOr(rows, row, column) !== cellOr(rows, 0, column)) return false;
    return true;
  };
  const lines: number[] = [];
  for (let row = first; row < rows.count; row++) if (isHead(row)) lines.push(rows.line(row));
  if (lines.length === 0) return undefined;
  const which =
    lines.length === 1 ? `Line ${lines[0]!} repeats` : `${lines.length} lines, first line ${lines[0]!}, repeat`;
  return `${which} the head. What is below counts as more rows of one table: where it is another curve, a column must say so.`;
}
