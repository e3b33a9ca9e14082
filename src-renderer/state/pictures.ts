/** Which curves the Fit panel shows: one for each objective, or two of its groups side by side. */
import { bandsAlong } from './bands.ts';
import { draftName } from './draft.ts';
import type { PlotData } from './plot-data.ts';
import { plotData, unitOf } from './plot-data.ts';
import type { Studio } from './studio.svelte.ts';
import { staleSince } from './studying.svelte.ts';
import { blockOfReference } from './wiring.ts';

export interface Picture {
  readonly key: string;
  readonly title: string;
  /** What parts the data into groups. */
  readonly group: string;
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
function bandedReport({ uncertainty, draft, point }: Studio) {
  const last = [...uncertainty.findings.values()].findLast(
    (finding) => finding.report.bands !== undefined && staleSince(finding, draft, point).length === 0,
  );
  return last?.report;
}

/** `chosen`: which groups to show where there are several. */
export function pictures(studio: Studio, chosen: readonly number[]): Picture[] {
  const banded = bandedReport(studio);
  const found = studio.plots.flatMap((request): Picture[] => {
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
    if (data.series.length === 1)
      return [
        {
          key: request.objective,
          title: titles.y,
          note: studio.plots.length > 1 ? request.objective : '',
          data,
          series: 0,
          group: '',
          titles,
        },
      ];
    return chosen.slice(0, most).map((wanted, place): Picture => {
      const series = Math.min(wanted, data.series.length - 1);
      return {
        key: `${request.objective} ${place}`,
        title: `${group ?? draftName(studio.draft)} ${data.series[series]!.label}`,
        group: group ?? '',
        note: titles.y,
        data,
        series,
        titles,
      };
    });
  });
  return found.slice(0, most);
}
