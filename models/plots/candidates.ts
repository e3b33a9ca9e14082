/** Where further observations could be made: along the abscissa of a comparison, in each of its groups. */
import { outputAt, type Link } from '../graph/checked.ts';
import type { Model } from '../load/model.ts';
import { abscissaOf, type Abscissa, type Between } from './abscissa.ts';
import { comparisonsOf, type Comparison } from './comparisons.ts';
import { onOtherRows } from './finer.ts';
import { scaleOf } from './grid.ts';
import { rowByRow, rowsBehind } from './rows.ts';

/** A comparison whose prediction is known between its rows. */
export interface Sampled {
  readonly comparison: Comparison;
  /** The column block of the abscissa. */
  readonly x: string;
  /** Of its table. */
  readonly column: string;
  readonly scale: 'linear' | 'log';
  readonly abscissa: Abscissa & { readonly between: Between };
  /** Of each element of the prediction the row of its table. */
  readonly behind: Int32Array;
}

/** An observation that could be made: of a group, at a value of the abscissa. */
export interface Site {
  readonly group: number;
  readonly at: number;
}

/** Those along which one more observation could be made. */
export function sampledIn(model: Model): Sampled[] {
  return comparisonsOf(model).flatMap((comparison): Sampled[] => {
    const abscissa = abscissaOf(model, comparison);
    const { x, between, values } = abscissa;
    if (x === undefined || !between) return [];
    return [
      {
        ...{ comparison, x: x.block, column: between.column, scale: scaleOf(values) },
        abscissa: { ...abscissa, between },
        behind: rowsBehind(model, between),
      },
    ];
  });
}

export interface AtSites {
  readonly model: Model;
  /** Those that the model's filters keep: of each element of the prediction, where it is. */
  readonly kept: readonly Site[];
}

/** Of the rest of its row, as of its sigma, a site has what the nearest row of its group has. */
export function modelAtSites(
  model: Model,
  { comparison, column, abscissa, behind }: Sampled,
  sites: readonly Site[],
): AtSites | undefined {
  const { values, groups, between } = abscissa;
  const members = groups.labels.map((_, group) =>
    [...values.keys()].filter((element) => groups.of[element] === group && Number.isFinite(values[element])),
  );
  const nearest = ({ group, at }: Site): number => {
    const far = (element: number): number => Math.abs(values[element]! - at);
    const own = members[group] ?? [];
    return behind[own.reduce((best, each) => (far(each) < far(best) ? each : best), own[0] ?? 0)]!;
  };
  const moved = new Map([[column, Float64Array.from(sites, ({ at }) => at)]]);
  const finer = onOtherRows(model, linksOf(comparison), [
    { table: between.table, moved, rows: Int32Array.from(sites, nearest) },
  ]);
  return finer && { model: finer, kept: Array.from(rowsBehind(finer, between), (row) => sites[row]!) };
}

export const linksOf = ({ arguments: given }: Comparison): Link[] =>
  given.filter((argument) => typeof argument !== 'number');

/** The arguments of the comparison that are arrays and not made row by row of the same table: nobody knows them at a site. */
export function unknownAtSites(model: Model, { comparison, abscissa }: Sampled): string[] {
  return linksOf(comparison).flatMap((link) => {
    if (outputAt(model, link).sizes.length === 0) return [];
    const known = rowByRow(model, link);
    const alike = known?.table === abscissa.between.table && `${known.filters}` === `${abscissa.between.filters}`;
    return alike ? [] : [link.block];
  });
}
