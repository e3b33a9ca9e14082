/** Which curves the Fit panel can show: of each objective one, or one for each of its groups in front of the others. */
import {
  axisTitle,
  censoredText,
  heldText,
  undrawnText,
  type Plot,
  type PlotGroup,
} from '../../../src-main/contract/plots.ts';
import type { FitReport } from '../../../src-main/contract/contract.ts';
import type { Plotted } from './plot-data.ts';
import { excludedIn, plottedOf } from './plot-data.ts';

export interface Picture extends Plotted {
  readonly key: string;
  readonly title: string;
  readonly note: string;
  /** How many points of what is in front count for nothing, in words; empty where all count. */
  readonly excluded: string;
  /** Which group is in front. */
  readonly group: number;
  /** One group in front of the others, all in one plot, or a small plot each. */
  readonly layout: 'front' | 'one' | 'panels';
  readonly titles: { readonly x: string; readonly y: string };
  /** Where the fit that is shown misses a shape, on the abscissa. */
  readonly missed: readonly Stretch[];
}

export interface Stretch {
  /** Of which group. */
  readonly key: string | null;
  readonly from: number;
  readonly to: number;
}

/** More than these would be too small to read. */
const most = 2;

/**
 * All that there are, objective by objective and group by group. They are made of what the engine plotted and of nothing that
 * follows a slider at once: a chart is drawn when its picture is another, and until the engine has answered it is not.
 */
export function pictures(of: {
  readonly plots: readonly Plot[];
  /** Of the fit, where it is the one that is shown. */
  readonly misfits: NonNullable<FitReport['misfits']>;
  /** Of the document, for groups of rows that have none. */
  readonly name: string;
}): Picture[] {
  const { misfits, name } = of;
  const all = plottedOf(of.plots);
  // Each by what was observed, where that tells them apart, else by its objective.
  const observed = new Set(all.map(({ plot }) => plot.y.label));
  const apart = all.length > 1 && observed.size === all.length;
  return all.flatMap((plotted): Picture[] => {
    const { of, x, y, by, groups } = plotted.plot;
    const titles = { x: axisTitle(x), y: axisTitle(y) };
    const several = all.length > 1;
    const { layout, title: own } = plotted.plot.look ?? {};
    const asidesOf = (shown: readonly PlotGroup[]): string[] => [
      censoredText({ groups: shown }),
      undrawnText({ ...plotted.plot, groups: shown }),
    ];
    if (layout !== undefined && groups.length > 1 && plotted.plot.kind === 'comparison') {
      const ranges = misfits.flatMap((misfit) => (misfit.of === of ? misfit.ranges : []));
      const note = [by === null ? '' : `by ${by}`, ...asidesOf(groups)].filter((text) => text !== '').join('; ');
      const excluded = excludedText(groups);
      return [
        { ...plotted, key: of, group: 0, layout, titles, missed: ranges, excluded, title: own ?? titles.y, note },
      ];
    }
    return groups.map(({ key, band }, group): Picture => {
      const noted = (...notes: readonly string[]): string =>
        [...notes, ...asidesOf([groups[group]!]), heldText(band)].filter((note) => note !== '').join('; ');
      const missed = misfits.flatMap((misfit) =>
        misfit.of === of ? misfit.ranges.filter((range) => range.key === key) : [],
      );
      const shared = {
        ...plotted,
        key: `${of} ${group}`,
        group,
        titles,
        missed,
        layout: 'front' as const,
        excluded: excludedText([groups[group]!]),
      };
      if (key === null) return { ...shared, title: own ?? titles.y, note: noted(several ? of : '') };
      // A label says what it is of; a number does so beside the name of what it counts.
      const isLabel = by !== null && (by.includes(', ') || Number.isNaN(Number(key)));
      const title = isLabel ? key : `${by ?? name} ${key}`;
      if (apart) return { ...shared, title: `${own ?? y.label}, ${title}`, note: noted(of) };
      return { ...shared, title: several ? `${of}, ${title}` : title, note: noted(own ?? titles.y) };
    });
  });
}

/** Those that stand side by side: the chosen ones, as far as there are so many. */
export function sideBySide(all: readonly Picture[], chosen: readonly number[]): Picture[] {
  return chosen.slice(0, Math.min(most, all.length)).map((wanted) => all[Math.min(wanted, all.length - 1)]!);
}

/** One for each objective, whatever its groups. */
export function byObjective(all: readonly Picture[]): Picture[] {
  return all.filter(({ group }) => group === 0);
}

/** How many residuals have no place, how they are scaled, against what they stand, and at which values, if that is to be said. */
export function residualsNote({ residuals, titles }: Picture, at = ''): string {
  const about = [`${residuals.y.label}, against ${titles.x}`, at].filter((text) => text !== '').join(', ');
  return afterUndrawn(residuals, about);
}

/** Where every row is left out or has no value there is nothing to draw, and axes from 0 to 1 would be of nothing. */
export const hasResiduals = ({ residuals }: Picture): boolean =>
  residuals.groups.some(({ points }) => points.y.some(Number.isFinite));

/** What is said of a plot, first how many points have no place in it: of a long note the end may be cut off. */
export function afterUndrawn(plot: Plot, note: string): string {
  return [undrawnText(plot), note].filter((text) => text !== '').join('; ');
}

function excludedText(groups: readonly PlotGroup[]): string {
  const { left, all } = excludedIn(groups);
  return left === 0 ? '' : `${left} of ${all} excluded`;
}
