/** Where further observations could be made: along the abscissa of a comparison, in each of its groups. */
import { upTo } from '../../engine/index.ts';
import { outputAt, type Link } from '../graph/checked.ts';
import type { Model } from '../load/model.ts';
import { abscissaOf, whyNotBetween, type Abscissa, type Between } from './abscissa.ts';
import { comparisonsOf, upstreamOf, type Comparison } from './comparisons.ts';
import { onOtherRows } from './finer.ts';
import { scaleOf } from './grid.ts';
import { rowByRow, rowsBehind } from './rows.ts';
import {
  atTimes,
  beginningsOf,
  columnOf,
  dataOf,
  lookingUp,
  solutionAt,
  solutionBehind,
  type LookedUpSolution,
} from './solution.ts';

/** A comparison whose prediction is known between its rows. */
export interface Sampled {
  readonly comparison: Comparison;
  /** The column block of the abscissa. */
  readonly x: string;
  /** Of its table. */
  readonly column: string;
  readonly scale: 'linear' | 'log';
  readonly abscissa: Abscissa;
  /** How: along the column of its table, or along the solution that its rows look up. */
  readonly known: Between | LookedUpSolution;
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
    const { prediction } = comparison;
    const abscissa = abscissaOf(model, comparison);
    const { x, values } = abscissa;
    const known = abscissa.between ?? (prediction && solutionBehind(model, prediction));
    if (x === undefined || !known) return [];
    const isSolution = 'ode' in known;
    return [
      {
        ...{ comparison, x: x.block, scale: scaleOf(values), abscissa, known },
        column: isSolution ? columnOf(model, x.block) : known.column,
        behind: isSolution ? new Int32Array(upTo(values.length)) : rowsBehind(model, known),
      },
    ];
  });
}

/** Why there is none. */
export function whyNowhere(model: Model): string {
  const whys = comparisonsOf(model).map((comparison) => whyNotBetween(model, comparison));
  return whys.find((why) => why !== undefined) ?? 'no prediction is made row by row of the columns of its table';
}

export interface AtSites {
  readonly model: Model;
  /** Those that the model's filters keep: of each element of the prediction, where it is. */
  readonly kept: readonly Site[];
}

/** Of the rest of its row, as of its sigma, a site has what the nearest row of its group has that is not without it. */
export function modelAtSites(
  model: Model,
  { comparison, column, abscissa, known, behind }: Sampled,
  sites: readonly Site[],
): AtSites | undefined {
  const { values, groups } = abscissa;
  const scales = scalesOf(model, comparison);
  const members = groups.labels.map((_, group) => {
    const own = [...values.keys()].filter(
      (element) => groups.of[element] === group && Number.isFinite(values[element]),
    );
    const counting = own.filter((element) => scales.every((scale) => scale[element]! > 0));
    return counting.length > 0 ? counting : own;
  });
  const nearest = ({ group, at }: Site): number => {
    const far = (element: number): number => Math.abs(values[element]! - at);
    const own = members[group] ?? [];
    return behind[own.reduce((best, each) => (far(each) < far(best) ? each : best), own[0] ?? 0)]!;
  };
  if ('ode' in known) return inSolution(model, comparison, known, sites, nearest);
  const moved = new Map([[column, Float64Array.from(sites, ({ at }) => at)]]);
  const finer = onOtherRows(model, linksOf(comparison), [
    { table: known.table, moved, rows: Int32Array.from(sites, nearest) },
  ]);
  return finer && { model: finer, kept: Array.from(rowsBehind(finer, known), (row) => sites[row]!) };
}

/** The columns that are arguments beside the prediction: a row without a sigma, or of weight 0, says nothing of others'. */
const scalesOf = (model: Model, { arguments: [, ...others] }: Comparison): ArrayLike<number>[] =>
  others.flatMap((argument) => {
    const data = typeof argument === 'number' ? undefined : outputAt(model, argument).data;
    return data && data.length > 1 ? [data] : [];
  });

/** Before a lane begins there is nothing to be seen in it. */
function inSolution(
  model: Model,
  comparison: Comparison,
  solution: LookedUpSolution,
  sites: readonly Site[],
  nearest: (site: Site) => number,
): AtSites | undefined {
  const begins = beginningsOf(model, solution);
  const at = dataOf(model, solution.places);
  const all = sites.map((site) => {
    const row = nearest(site);
    return { site, row, lane: at[row]! % solution.lanes, time: site.at };
  });
  const kept = all.filter(({ lane, time }) => time >= begins[lane]!);
  const wanted = Array.from(
    begins,
    (_, lane) => new Set(kept.flatMap((each) => (each.lane === lane ? [each.time] : []))),
  );
  const times = atTimes(model, solution, wanted);
  const rows = lookingUp(model, solution, times, kept);
  const finer = onOtherRows(model, linksOf(comparison), [rows], times.blocks);
  return finer && { model: finer, kept: kept.map(({ site }) => site) };
}

export const linksOf = ({ arguments: given }: Comparison): Link[] =>
  given.filter((argument) => typeof argument !== 'number');

/** The arguments of the comparison that are arrays and not made row by row of the same table: nobody knows them at a site. */
export function unknownAtSites(model: Model, { comparison, known }: Sampled): string[] {
  const filters = 'ode' in known ? [] : known.filters;
  return linksOf(comparison).flatMap((link) => {
    if (outputAt(model, link).sizes.length === 0) return [];
    const made = rowByRow(model, link);
    const alike = made?.table === known.table && `${made.filters}` === `${filters}`;
    const solved = 'ode' in known && upstreamOf(model, [link]).includes(known.ode);
    return alike && (!solved || solutionAt(model, link, known.places)) ? [] : [link.block];
  });
}
