/** Observations that somebody has excluded: they count for nothing, and stand hollow where they were measured. */
import { Fault } from '../../engine/index.ts';
import { outputAt, type Link } from '../graph/checked.ts';
import { computeOutput } from '../graph/data.ts';
import type { Model } from '../load/model.ts';
import { parseReference } from '../notation/references.ts';
import { groupLabel, type Abscissa } from './abscissa.ts';
import type { Comparison } from './comparisons.ts';
import { onExcludedRows } from './finer.ts';
import { rowsBehind } from './rows.ts';
import type { TableRows } from './table-rows.ts';

export interface ExcludedPoints {
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** The row of the table that each is. */
  readonly rows: readonly number[];
  /** The group of each. */
  readonly group: readonly number[];
  /** Of groups of which no row counts, which are numbered after the others. */
  readonly labels: readonly string[];
}

const none: ExcludedPoints = { x: [], y: [], rows: [], group: [], labels: [] };

/**
 * Observations, abscissa and groups as they are on the excluded rows alone. None where observations are not made row by
 * row of a table, or the abscissa of another; nor where they are not to be computed there.
 */
export function excludedOf(
  model: Model,
  { observed }: Comparison,
  { x, groups }: Pick<Abscissa, 'x' | 'groups'>,
  of: TableRows | undefined,
): ExcludedPoints {
  const left = (of && model.tables.get(of.table)?.excluded) ?? [];
  if (!of || left.length === 0) return none;
  const by = groups.by.map((id) => linkTo(model, id));
  const links = [observed, ...(x ? [x] : []), ...by];
  const aside = onExcludedRows(model, links, of.table);
  if (!aside || links.some((link) => outputAt(aside, link).computed)) return none;
  try {
    const rows = Array.from(rowsBehind(aside, of.known), (row) => left[row]!);
    const [ys, ...others] = links.map((link) => valuesAt(aside, link, of)) as [ArrayLike<number>];
    const xs: ArrayLike<number> = x ? (others.shift() ?? []) : rows;
    if ([ys, xs, ...others].some(({ length }) => length !== rows.length)) return none;
    const isShown = (i: number): boolean => Number.isFinite(xs[i]) && Number.isFinite(ys[i]);
    const shown = [...rows.keys()].filter(isShown);
    const taken = (values: ArrayLike<number>): number[] => shown.map((i) => values[i]!);
    const { group, labels } = groupsAt(
      model,
      of,
      groups,
      shown.map((i) => others.map((values) => values[i] as number)),
    );
    return { x: taken(xs), y: taken(ys), rows: taken(rows), group, labels };
  } catch (error) {
    if (error instanceof Fault) return none;
    throw error;
  }
}

/** `values`: of each excluded row those by which groups part. */
function groupsAt(
  model: Model,
  of: TableRows,
  groups: Abscissa['groups'],
  values: readonly (readonly number[])[],
): Pick<ExcludedPoints, 'group' | 'labels'> {
  const by = groups.by.map((id) => ({ id, link: linkTo(model, id) }));
  const known = by.map(({ link }) => valuesAt(model, link, of));
  const keyOf = (each: readonly (number | undefined)[]): string => each.join(' ');
  const numbers = new Map<string, number>();
  groups.of.forEach((group, row) => numbers.set(keyOf(known.map((column) => column[row])), group));
  const labels: string[] = [];
  const group = values.map((own) => {
    const found = numbers.get(keyOf(own));
    if (found !== undefined) return found;
    const number = groups.labels.length + labels.length;
    numbers.set(keyOf(own), number);
    const told = by.map(({ id, link }, i) => ({ id, value: own[i] ?? NaN, category: outputAt(model, link).category }));
    labels.push(groupLabel(told));
    return number;
  });
  return { group, labels };
}

/** One for each observation: a column has one for each row of its table, whichever a filter keeps. */
function valuesAt(model: Model, link: Link, { table, known }: TableRows): ArrayLike<number> {
  const values = outputAt(model, link).data ?? computeOutput(model.blocks, link);
  const block = model.blocks.get(link.block)?.node.block;
  if (block?.kind !== 'column' || block.table !== table) return values;
  return Array.from(rowsBehind(model, known), (row) => values[row]!);
}

/** What a reference as it would be written leads to. */
function linkTo({ blocks }: Model, id: string): Link {
  const { block, output = '' } = blocks.has(id) ? { block: id } : (parseReference(id) ?? { block: id });
  const outputs = blocks.get(block)?.outputs ?? [];
  return {
    block,
    output: Math.max(
      0,
      outputs.findIndex(({ name }) => name === output),
    ),
  };
}
