/** What several runs predict, one over the other, with what was observed. */
import type { ChartConfiguration } from 'chart.js';
import { hasPlace } from '../../../models/notation/scales.ts';
import { axisTitle, type Plot } from '../../../src-main/contract/plots.ts';
import type { Point } from '../../state/fit/plot-data.ts';
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
  const placed = (points: readonly Point[]) => points.filter(({ x }) => hasPlace(first?.x.scale ?? 'linear', x));
  const marks = groups[0] ? placed(pointsOf(groups[0])) : [];
  const lines = groups.map((group) => placed(group.curve ? curvePoints(group) : predictedPoints(group)));
  const drawn = groups.map((group, i) => {
    const { color, dash } = hueOf(i, palette);
    const line = lines[i]!;
    return group.curve ? lineOf(line, color, { width: 1.5, dash }) : circlesOf(line, palette, color, 1.75);
  });
  const heights = [marks, ...lines].flat();
  const titles = { x: first ? axisTitle(first.x) : '', y: first ? axisTitle(first.y) : '' };
  return {
    type: 'scatter',
    data: { datasets: [circlesOf(marks, palette, palette['data']!), ...drawn] },
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
