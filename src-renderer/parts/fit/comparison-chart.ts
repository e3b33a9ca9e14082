/** What several runs predict, one over the other, with what was observed. */
import type { ChartConfiguration } from 'chart.js';
import { axisTitle, type Plot } from '../../../src-main/contract/plots.ts';
import { curvePoints, pointsOf, predictedPoints } from '../../state/fit/plot-data.ts';
import { chartOptions, circlesOf, dividedOver, endsOf, hueOf, lineOf, quantityText } from '../charts/chart-options.ts';
import type { Palette } from '../charts/plot-theme.ts';
import { axisOf } from '../charts/plot-theme.ts';

export interface ComparedCurves {
  readonly runs: readonly { readonly plot: Plot }[];
  /** Which group, where there are several. */
  readonly group: number;
}

export function comparisonChart({ runs, group: chosen }: ComparedCurves, palette: Palette): ChartConfiguration {
  const groups = runs.flatMap(({ plot }) => plot.groups[Math.min(chosen, plot.groups.length - 1)] ?? []);
  const first = runs[0]?.plot;
  const marks = groups[0] ? pointsOf(groups[0]) : [];
  const lines = groups.map((group, i) => {
    const { color, dash } = hueOf(i, palette);
    return group.curve
      ? lineOf(curvePoints(group), color, { width: 1.5, dash })
      : circlesOf(predictedPoints(group), palette, color, 1.75);
  });
  const heights = [marks, ...groups.map((group) => (group.curve ? curvePoints(group) : predictedPoints(group)))].flat();
  const titles = { x: first ? axisTitle(first.x) : '', y: first ? axisTitle(first.y) : '' };
  return {
    type: 'scatter',
    data: { datasets: [circlesOf(marks, palette, palette['data']!), ...lines] },
    options: chartOptions(
      palette,
      axisOf(
        {
          title: titles.x,
          grid: false,
          ...dividedOver(
            marks.map(({ x }) => x),
            first?.x.scale ?? 'linear',
          ),
        },
        palette,
      ),
      axisOf({ title: titles.y, grid: true, ...endsOf(heights.map(({ y }) => y)) }, palette),
      ({ x, y }) => [quantityText(titles.x, x), quantityText(titles.y, y)],
    ),
  };
}
