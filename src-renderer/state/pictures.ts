/** Which curves the Fit panel can show: of each objective one, or one for each of its groups in front of the others. */
import { bandsAlong } from './bands.ts';
import { draftName } from './draft.ts';
import type { PlotData } from './plot-data.ts';
import { plotData, unitOf } from './plot-data.ts';
import type { Studio } from './studio.svelte.ts';
import { blockOfReference } from './wiring.ts';

export interface Picture {
  readonly key: string;
  readonly title: string;
  readonly note: string;
  readonly data: PlotData;
  /** Which series is in front. */
  readonly series: number;
  readonly titles: { readonly x: string; readonly y: string };
}

/** More than these would be too small to read. */
const most = 2;

function axisTitle(studio: Studio, reference: string | undefined, otherwise: string): string {
  if (reference === undefined) return otherwise;
  const unit = unitOf(studio.draft, reference);
  return unit === '' ? reference : `${reference}, ${unit}`;
}

/** The last report of uncertainty with bands, as long as it is of this document and no slider has moved. */
function bandedReport(studio: Studio) {
  const last = [...studio.uncertainty.findings.values()].findLast(
    (finding) => finding.report.bands !== undefined && studio.staleSince(finding).length === 0,
  );
  return last?.report;
}

/** All that there are, objective by objective and group by group. */
export function pictures(studio: Studio): Picture[] {
  const banded = bandedReport(studio);
  return studio.plots.flatMap((request): Picture[] => {
    const group = request.group === undefined ? undefined : blockOfReference(request.group);
    const labels = studio.checking.blocks.get(group ?? '')?.outputs[0]?.labels;
    const { values, curves } = studio.evaluation;
    const bands = banded && bandsAlong(request, values, banded);
    const data = plotData(request, values, labels, curves.get(request.objective), bands);
    if (!data) return [];
    const titles = {
      x: axisTitle(studio, data.x, data.form === 'counts' ? 'bin' : 'row'),
      y: axisTitle(studio, request.observed, ''),
    };
    const several = studio.plots.length > 1;
    return data.series.map(({ label }, series): Picture => {
      const shared = { key: `${request.objective} ${series}`, data, series, titles };
      if (data.series.length === 1) return { ...shared, title: titles.y, note: several ? request.objective : '' };
      const title = `${group ?? draftName(studio.draft)} ${label}`;
      return { ...shared, title: several ? `${request.objective}, ${title}` : title, note: titles.y };
    });
  });
}

/** Those that stand side by side: the chosen ones, as far as there are so many. */
export function sideBySide(all: readonly Picture[], chosen: readonly number[]): Picture[] {
  return chosen.slice(0, Math.min(most, all.length)).map((wanted) => all[Math.min(wanted, all.length - 1)]!);
}

/** One for each objective, whatever its groups. */
export function byObjective(all: readonly Picture[]): Picture[] {
  return all.filter(({ series }) => series === 0);
}
