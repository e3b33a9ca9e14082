/** Observations that somebody has excluded: they count for nothing, and stand hollow where they were measured. */
import type { TypedColumn } from '../tables/type-column.ts';
import type { Model } from '../load/model.ts';
import { groupLabel, type Abscissa } from './abscissa.ts';
import type { Comparison } from './comparisons.ts';

export interface ExcludedPoints {
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** The group of each. */
  readonly group: readonly number[];
  /** Of groups of which no row counts, which are numbered after the others. */
  readonly labels: readonly string[];
}

const none: ExcludedPoints = { x: [], y: [], group: [], labels: [] };

/** Where observations and abscissa are columns of one table; of what is made of columns, none. */
export function excludedOf(model: Model, { observed }: Comparison, { x, groups }: Abscissa): ExcludedPoints {
  const seen = columnAt(model, observed.block);
  const along = x === undefined ? undefined : columnAt(model, x.block);
  const by = groups.by.map((id) => ({ id, ...columnAt(model, id) }));
  const [ys, xs] = [seen.typed?.excluded, along?.typed?.excluded];
  if (!ys || !xs || ys.length !== xs.length || seen.table !== along?.table) return none;
  const keyOf = (values: readonly (number | undefined)[]): string => values.join(' ');
  const numbers = new Map<string, number>();
  groups.of.forEach((group, row) => numbers.set(keyOf(by.map(({ typed }) => typed?.values[row])), group));
  const labels: string[] = [];
  const groupAt = (row: number): number => {
    const values = by.map(({ typed }) => typed?.excluded?.[row]);
    const key = keyOf(values);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const number = groups.labels.length + labels.length;
    numbers.set(key, number);
    labels.push(groupLabel(by.map(({ id, typed }, i) => ({ id, value: values[i] ?? NaN, category: typed?.category }))));
    return number;
  };
  const points = Array.from(ys, (y, row) => ({ row, x: xs[row] as number, y }));
  const shown = points.filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));
  const group = shown.map(({ row }) => groupAt(row));
  return { x: shown.map((point) => point.x), y: shown.map((point) => point.y), group, labels };
}

function columnAt(
  model: Model,
  id: string,
): { readonly table: string; readonly typed: TypedColumn } | { readonly table?: never; readonly typed?: never } {
  const checked = model.blocks.get(id);
  const block = checked?.node.block;
  if (block?.kind !== 'column') return {};
  return { table: block.table, typed: (checked?.detail as { readonly typed: TypedColumn }).typed };
}
