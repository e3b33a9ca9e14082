/** What several runs predict, one over the other, with what was observed. */
import type { ChartConfiguration } from 'chart.js';
import type { PlotData } from '../state/plot-data.ts';
import { chartOptions, circlesOf, endsOf, hueOf, lineOf, quantityText } from './chart-options.ts';
import type { Palette } from './plot-theme.ts';
import { axisOf } from './plot-theme.ts';

export interface ComparedCurves {
  readonly runs: readonly { readonly data: PlotData }[];
  /** Which group, where there are several. */
  readonly group: number;
}

export function comparisonChart({ runs, group }: ComparedCurves, palette: Palette): ChartConfiguration {
  const series = runs.flatMap(({ data }) => data.series[Math.min(group, data.series.length - 1)] ?? []);
  const first = runs[0]?.data;
  const marks = series[0]?.points ?? [];
  const lines = series.map((of, i) => {
    const { color, dash } = hueOf(i, palette);
    return lineOf(
      of.curve.map(([x, y]) => ({ x, y })),
      color,
      { width: 1.5, dash },
    );
  });
  const heights = [...marks.map(({ y }) => y), ...series.flatMap((of) => of.curve.map(([, y]) => y))];
  return {
    type: 'scatter',
    data: { datasets: [circlesOf(marks, palette, palette['data']!), ...lines] },
    options: chartOptions(
      palette,
      axisOf({ title: first?.x ?? 'row', grid: false, ...endsOf(marks.map(({ x }) => x)) }, palette),
      axisOf({ title: first?.observed ?? '', grid: true, ...endsOf(heights) }, palette),
      ({ x, y }) => [quantityText(first?.x ?? 'row', x), quantityText(first?.observed ?? '', y)],
    ),
  };
}
