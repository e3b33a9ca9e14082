/** The model as it is on other rows of its tables: some columns with other values, the others as they stand in chosen rows. */
import type { Block } from '../blocks/block.ts';
import { checkGraph } from '../load/check.ts';
import type { Link } from '../graph/checked.ts';
import { defaultAvailableBytes } from '../load/memory.ts';
import type { Model } from '../load/model.ts';
import { hasErrors } from '../notation/problem.ts';
import { onlyRows, withoutRows } from '../tables/excluded.ts';
import type { Table } from '../tables/table.ts';
import { typeColumn, type ColumnFault, type ColumnType, type TypedColumn } from '../tables/type-column.ts';
import { upstreamOf } from './comparisons.ts';

export interface OtherRows {
  readonly table: string;
  /** Columns of the table that have other values, and these. */
  readonly moved: ReadonlyMap<string, Float64Array | Int32Array>;
  /** For each of them the row of the table in which all other columns are taken. */
  readonly rows: Int32Array;
}

/**
 * The blocks that `links` are made of, on the other rows; undefined where they do not go together there (a column that is to be
 * whole and is not, say). Categories keep all their labels. `blocks` stand for those of the same ids.
 */
export function onOtherRows(
  model: Model,
  links: readonly Link[],
  others: readonly OtherRows[],
  blocks?: ReadonlyMap<string, Block>,
): Model | undefined {
  const typed = (table: Table, column: string, type: ColumnType | undefined) => {
    const other = others.find((each) => each.table === table.name);
    return other && typedAt(table, column, type, other);
  };
  return onTables(model, links, typed, blocks);
}

/** The same on the rows that the table excludes, and on no other. */
export function onExcludedRows(model: Model, links: readonly Link[], name: string): Model | undefined {
  return onTables(model, links, (table, column, type) => {
    const raw = table.name === name ? table.columns.get(column) : undefined;
    return raw && onlyRows(typeColumn(raw, type), table.excluded ?? []);
  });
}

/** `typed`: a column as it is in place of what its table holds; undefined leaves it. */
function onTables(
  model: Model,
  links: readonly Link[],
  typed: (table: Table, column: string, type: ColumnType | undefined) => TypedColumn | ColumnFault | undefined,
  replaced?: ReadonlyMap<string, Block>,
): Model | undefined {
  const needed = new Set(upstreamOf(model, links));
  const graph = { ...model.graph, nodes: model.graph.nodes.filter(({ id }) => needed.has(id)) };
  const { blocks, problems } = checkGraph(graph, {
    tables: model.tables,
    tableNames: [...model.tables.keys()],
    broken: new Set(),
    availableBytes: defaultAvailableBytes,
    typed,
    ...(replaced && { replaced }),
  });
  return hasErrors(problems) ? undefined : { ...model, graph, blocks, objective: [] };
}

function typedAt(
  table: Table,
  name: string,
  type: ColumnType | undefined,
  { moved, rows }: OtherRows,
): TypedColumn | ColumnFault | undefined {
  const raw = table.columns.get(name);
  const known = raw && withoutRows(typeColumn(raw, type), table.excluded ?? []);
  if (!known || 'row' in known) return known;
  const values = moved.get(name);
  if (values) {
    const element = values instanceof Int32Array ? 'int' : 'real';
    if (known.element === 'int' && element === 'real')
      return { row: 0, cell: String(values[0]), wanted: 'a whole number' };
    return { element, values, missing: 0 };
  }
  const { dates } = known;
  const at = (row: number): number => known.values[row]!;
  return {
    ...known,
    values: known.element === 'int' ? Int32Array.from(rows, at) : Float64Array.from(rows, at),
    ...(dates && { dates: Array.from(rows, (row) => dates[row]!) }),
  };
}
