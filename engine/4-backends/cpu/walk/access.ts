/**
 * Accesses in memory. A cursor is a local that holds the byte address (for an index source: the value itself) at the
 * current point of a walk; loops add strides to it instead of multiplying indices.
 */
import type { Size } from '../../../0-ir/sizes.ts';
import { withoutAxis, type ElementType } from '../../../0-ir/types.ts';
import type { Access, Source, Table } from '../../../3-plan/plan.ts';
import type { Kernel } from '../kernel.ts';
import { bytesPerElement, constant } from '../representation.ts';
import { add, apply, get, i32, load, multiply, select, type Expression, type Local } from '../wasm/expression.ts';

export interface Cursor {
  readonly at: Local;
  /** Its value at the domain's first point. */
  readonly start: Expression;
  /** In units, an axis each. */
  readonly strides: readonly Size[];
  /** Bytes to a unit; 1 for an index. */
  readonly unit: number;
  /** What is found there; an index source is its own value. */
  readonly element: ElementType | 'index';
  /** What stands there is the row of this table where the element is found. */
  readonly table?: RowTable;
}

/** Rows so many bytes apart; of several elements, of which a cursor of its own walks over the first row's. */
export interface RowTable {
  readonly first: Expression;
  readonly columns?: Cursor;
  readonly rowBytes: Expression;
  readonly rows: Expression;
  readonly outside: 'nan' | 'zero';
}

export function accessCursor(k: Kernel, access: Access, element: ElementType): Cursor {
  const bytes = bytesPerElement(k.precision)[element];
  const { buffer, offset, strides } = access;
  const start = k.parameter({ kind: 'address', buffer, offset, bytes });
  return { at: k.f.local('i32'), start, strides, unit: bytes, element };
}

export function sourceCursor(k: Kernel, source: Source): Cursor {
  if (source.kind === 'array') return accessCursor(k, source, source.element);
  if (source.kind === 'gathered')
    return {
      ...accessCursor(k, source, 'int'),
      element: source.element,
      table: rowTable(k, source.table, source.element),
    };
  return { at: k.f.local('i32'), start: k.size(source.offset), strides: source.strides, unit: 1, element: 'index' };
}

function rowTable(k: Kernel, table: Table, element: ElementType): RowTable {
  const { stride, rows, outside } = table;
  const bytes = bytesPerElement(k.precision)[element];
  const columns = accessCursor(k, table, element);
  const several = columns.strides.some((own) => own !== 0);
  const row = { rowBytes: k.size(stride, bytes), rows: k.size(rows), outside };
  return several ? { ...row, first: get(columns.at), columns } : { ...row, first: columns.start };
}

/** The cursors with those that walk over rows beside them. */
export function withColumns(cursors: readonly Cursor[]): Cursor[] {
  return cursors.flatMap((cursor) => (cursor.table?.columns ? [cursor, cursor.table.columns] : [cursor]));
}

export function read(k: Kernel, cursor: Pick<Cursor, 'at' | 'element' | 'table'>): Expression {
  if (cursor.element === 'index') return get(cursor.at);
  if (cursor.table) return readRow(k, cursor.element, cursor.table, readAt(k, 'int', get(cursor.at)));
  return readAt(k, cursor.element, get(cursor.at));
}

/** Both sides are cheap: of a row out of range the first is read instead, and not used. */
function readRow(k: Kernel, element: ElementType, table: RowTable, row: Expression): Expression {
  const wanted = get(k.f.keep(row));
  // Unsigned, so that a negative row is out of range too.
  const isInside = get(k.f.keep(apply('i32.lt_u', wanted, table.rows)));
  const place = multiply(select(wanted, i32(0), isInside), table.rowBytes);
  const outside = constant(k.precision, { type: element, value: table.outside === 'nan' ? NaN : 0 });
  return select(readAt(k, element, add(table.first, place)), outside, isInside);
}

export function readAt(k: Kernel, element: ElementType, address: Expression, offset = 0): Expression {
  return load(element === 'real' ? `${k.precision}.load` : 'i32.load', address, offset);
}

export function writeAt(k: Kernel, element: ElementType, address: Expression, value: Expression, offset = 0): void {
  k.f.store(element === 'real' ? `${k.precision}.store` : 'i32.store', address, value, offset);
}

export function write(k: Kernel, cursor: Cursor, value: Expression): void {
  if (cursor.element === 'index') throw new TypeError('an index cannot be written');
  writeAt(k, cursor.element, get(cursor.at), value);
}

/** A cursor over a domain, taken apart: one over the domain without an axis, and one that runs along that axis. */
export interface Line {
  readonly item: Cursor;
  readonly along: Cursor;
  readonly stride: Size;
}

export function lineOf(k: Kernel, cursor: Cursor, axis: number): Line {
  return {
    item: { ...cursor, strides: withoutAxis(cursor.strides, axis) },
    along: { ...cursor, at: k.f.local('i32') },
    stride: cursor.strides[axis]!,
  };
}
