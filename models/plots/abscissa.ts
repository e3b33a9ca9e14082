/** Against what a prediction is looked at, and by which groups its rows part. */
import type { Output } from '../blocks/kind.ts';
import { outputAt, type Link } from '../graph/checked.ts';
import type { Model } from '../load/model.ts';
import { upstreamOf, type Comparison } from './comparisons.ts';
import { rowByRow, type RowByRow } from './rows.ts';

export interface Groups {
  /** The group of each row; groups are numbered in the order of their labels, or of their first rows. */
  readonly of: Int32Array;
  /** One for each group; null where there is one only. */
  readonly labels: readonly (string | null)[];
  /** The columns that tell them apart. */
  readonly by: readonly string[];
}

export interface Abscissa {
  /** The column block; undefined where it is the number of the row. */
  readonly x: string | undefined;
  readonly values: Float64Array;
  readonly groups: Groups;
  /** Where the prediction is known between the rows: its table, in each group the same but for x. */
  readonly between: (RowByRow & { readonly column: string; readonly rows: readonly number[] }) | undefined;
}

export function abscissaOf(model: Model, { prediction, observed }: Comparison): Abscissa {
  const rows = outputAt(model, observed).sizes[0]?.value ?? 0;
  const measured = new Set(upstreamOf(model, [observed]));
  const columns = upstreamOf(model, [prediction]).flatMap((id): Column[] => {
    const output = model.blocks.get(id)?.outputs[0];
    const { block } = model.blocks.get(id)?.node ?? {};
    if (block?.kind !== 'column' || !output?.data || output.data.length !== rows || measured.has(id)) return [];
    return [{ id, table: block.table, name: block.column, output, data: output.data }];
  });
  const known = rowByRow(model, prediction);
  return (known && between(known, columns, rows)) ?? atRows(model, prediction, columns, rows, !known);
}

interface Column {
  readonly id: string;
  readonly table: string;
  readonly name: string;
  readonly output: Output;
  readonly data: ArrayLike<number>;
}

/** The prediction along one column, the others constant in each group. Undefined where most rows would be groups of their own. */
function between(known: RowByRow, columns: readonly Column[], rows: number): Abscissa | undefined {
  const own = columns.filter(({ id }) => known.columns.includes(id));
  if (own.length < known.columns.length) return undefined;
  const x = mostDistinct(own.filter(({ output }) => output.element === 'real'));
  if (!x) return undefined;
  // Another block may take the same column: it moves with the abscissa.
  const others = own.filter((column) => column.name !== x.name);
  const groups = groupsBy(others, rows);
  if (groups.labels.length > Math.max(1, rows / 2)) return undefined;
  const first = groups.labels.map((_, group) => groups.of.indexOf(group));
  return {
    x: x.id,
    values: Float64Array.from(x.data),
    groups,
    between: { ...known, column: x.name, rows: first },
  };
}

/** Where rows hang together (`tied`) an abscissa must follow them, in every group; else it is the row's number. */
function atRows(model: Model, prediction: Link, columns: readonly Column[], rows: number, tied: boolean): Abscissa {
  const by = partingColumn(model, prediction, columns);
  const groups = groupsBy(by ? [by] : [], rows);
  const candidates = columns.filter(
    ({ data, output, id }) => id !== by?.id && !output.category && (!tied || follows(data, groups)),
  );
  const x = mostDistinct(candidates);
  const values = x ? Float64Array.from(x.data) : Float64Array.from({ length: rows }, (_, row) => row);
  return { x: x?.id, values, groups, between: undefined };
}

/** The column by which parameters are gathered, else the nearest category, if it parts the rows into few. */
function partingColumn(model: Model, prediction: Link, columns: readonly Column[]): Column | undefined {
  const gathered = new Set(
    upstreamOf(model, [prediction]).flatMap((id) => {
      const { node, links } = model.blocks.get(id) ?? {};
      return node?.block.kind === 'gather' ? [links?.get('indices')?.block] : [];
    }),
  );
  return [...columns.filter(({ id }) => gathered.has(id)), ...columns.filter(({ output }) => output.category)].find(
    ({ data }) => new Set(Array.from(data)).size <= data.length / 2,
  );
}

/** The column with the most distinct values says most; of equals the nearest. */
function mostDistinct(columns: readonly Column[]): Column | undefined {
  let best: Column | undefined;
  let most = 1;
  for (const column of columns) {
    const distinct = new Set(Array.from(column.data)).size;
    if (distinct > most) [best, most] = [column, distinct];
  }
  return best;
}

function follows(data: ArrayLike<number>, groups: Groups): boolean {
  const last = new Map<number, number>();
  return Array.from(data).every((value, row) => {
    const group = groups.of[row] as number;
    const before = last.get(group);
    last.set(group, value);
    return before === undefined || value >= before;
  });
}

/** Rows that agree in all of these columns; a category that tells them apart by itself names them. */
function groupsBy(columns: readonly Column[], rows: number): Groups {
  const known = new Map<string, number>();
  const first: number[] = [];
  const of = Int32Array.from({ length: rows }, (_, row) => {
    const key = columns.map(({ data }) => data[row]).join(' ');
    const group = known.get(key) ?? known.size;
    if (!known.has(key)) {
      known.set(key, group);
      first.push(row);
    }
    return group;
  });
  if (first.length <= 1) return { of, labels: [null], by: [] };
  const alone = columns.find(
    ({ data, output }) => output.category && new Set(first.map((row) => data[row])).size === first.length,
  );
  const by = alone ? [alone] : columns;
  return { of, labels: first.map((row) => labelOf(by, row)), by: by.map(({ id }) => id) };
}

/** The value of the one column that tells the groups apart; else of each, with its name. */
function labelOf(columns: readonly Column[], row: number): string {
  const valueIn = ({ data, output }: Column): string => {
    const value = data[row] as number;
    return output.category?.[value] ?? String(value);
  };
  const [only] = columns;
  return columns.length === 1 && only
    ? valueIn(only)
    : columns.map((column) => `${column.id} ${valueIn(column)}`).join(', ');
}
