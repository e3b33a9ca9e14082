/** Observations that somebody has excluded: they count for nothing, and stand hollow where they were measured. */
import type { TypedColumn } from '../tables/type-column.ts';
import type { Model } from '../load/model.ts';
import type { Abscissa } from './abscissa.ts';
import type { Comparison } from './comparisons.ts';

export interface ExcludedPoints {
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** The group of each; one of no group that is left is not among them. */
  readonly group: readonly number[];
}

const none: ExcludedPoints = { x: [], y: [], group: [] };

/** Where observations and abscissa are columns of one table; of what is made of columns, none. */
export function excludedOf(model: Model, { observed }: Comparison, { x, groups }: Abscissa): ExcludedPoints {
  const seen = columnAt(model, observed.block);
  const along = x === undefined ? undefined : columnAt(model, x);
  const by = groups.by.map((id) => columnAt(model, id));
  const [ys, xs] = [seen?.typed.excluded, along?.typed.excluded];
  if (!ys || !xs || ys.length !== xs.length || seen?.table !== along?.table) return none;
  const sameGroup = (row: number): number => {
    const kept = by[0]?.typed.values ?? [];
    const at = Array.from(kept).findIndex((_, i) =>
      by.every((column) => column?.typed.values[i] === column?.typed.excluded?.[row]),
    );
    return by.length === 0 ? 0 : at < 0 ? -1 : (groups.of[at] as number);
  };
  const rows = Array.from(ys, (_, row) => ({ x: xs[row] as number, y: ys[row] as number, group: sameGroup(row) }));
  const shown = rows.filter((row) => Number.isFinite(row.x) && Number.isFinite(row.y) && row.group >= 0);
  return { x: shown.map((row) => row.x), y: shown.map((row) => row.y), group: shown.map((row) => row.group) };
}

function columnAt(model: Model, id: string): { readonly table: string; readonly typed: TypedColumn } | undefined {
  const checked = model.blocks.get(id);
  const block = checked?.node.block;
  if (block?.kind !== 'column') return undefined;
  return { table: block.table, typed: (checked?.detail as { readonly typed: TypedColumn }).typed };
}
