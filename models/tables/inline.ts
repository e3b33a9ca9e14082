/** A table out of a file, written as columns of a document: every block that takes a column finds there what it found before. */
import { cellNumber, isMissing, type RawColumn } from './cells.ts';
import { columnTable } from './json-table.ts';
import { columnLength, TableError, type Table } from './table.ts';
import { typeColumn, type ColumnFault, type ColumnType, type TypedColumn } from './type-column.ts';

export type InlineCell = number | string | null;

/** As which types blocks take a column; undefined where the cells decide. */
export type Uses = ReadonlyMap<string, readonly (ColumnType | undefined)[]>;

/** A document is read whole: more cells than these are better off in a file. */
const mostCells = 200_000;

/** Throws `TableError` where there are too many cells, or where a column would become another in a document. */
export function inlineColumns(table: Table, uses: Uses): Record<string, InlineCell[]> {
  const cells = table.rows * table.columns.size;
  if (cells > mostCells)
    throw new TableError(
      `the table has ${cells} cells; a document takes ${mostCells} of them, more stay in their file`,
    );
  const columns = [...table.columns].map(([name, column]): [string, InlineCell[]] => {
    const types = uses.get(name) ?? [undefined];
    // Of a category the text is the label ("007"), of anything else the number it stands for.
    const found = [asValues(column), asTexts(column)].find((written) => types.every(isSame(name, column, written)));
    if (!found) throw new TableError(`the column ${JSON.stringify(name)} would be another in a document`);
    return [name, found];
  });
  return Object.fromEntries(columns);
}

const asValues = (column: RawColumn): InlineCell[] =>
  column.kind === 'numbers' ? Array.from(column.values, written) : cellsOf(column, (text) => numberIn(text, column));

const asTexts = (column: RawColumn): InlineCell[] =>
  column.kind === 'numbers' ? asValues(column) : cellsOf(column, (text) => text);

type TextColumn = Extract<RawColumn, { kind: 'text' }>;

function cellsOf(column: TextColumn, taken: (text: string, row: number) => InlineCell): InlineCell[] {
  return Array.from({ length: columnLength(column) }, (_, row) => {
    const text = column.cell(row);
    if (isMissing(text, column.quoted(row))) return null;
    return column.quoted(row) ? text : taken(text, row);
  });
}

function numberIn(text: string, { decimal }: TextColumn): InlineCell {
  const value = cellNumber(text, decimal);
  return value === undefined ? text : written(value);
}

/** JSON has no other way to write them. */
const written = (value: number): InlineCell =>
  Number.isNaN(value) ? null : Number.isFinite(value) ? value : String(value);

const isSame =
  (name: string, column: RawColumn, cells: readonly InlineCell[]) =>
  (type: ColumnType | undefined): boolean => {
    const read = columnTable(name, undefined, [[name, cells]]).columns.get(name);
    return read !== undefined && alike(typeColumn(column, type), typeColumn(read, type));
  };

function alike(a: TypedColumn | ColumnFault, b: TypedColumn | ColumnFault): boolean {
  if ('wanted' in a || 'wanted' in b) return 'wanted' in a && 'wanted' in b;
  const told = ({ element, category, dates, missing }: TypedColumn): string =>
    JSON.stringify([element, category, dates, missing]);
  return told(a) === told(b) && a.values.every((value, row) => Object.is(value, b.values[row]));
}
