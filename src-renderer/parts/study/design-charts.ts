/** The curve with the samples that are suggested, and below it on the same axis what one more sample brings: the lane. */
import type { ChartConfiguration } from 'chart.js';
import { digitsApart } from '../../../models/notation/digits.ts';
import type { DesignReport } from '../../../src-main/contract/studies.ts';
import type { Plot, PlotGroup } from '../../../src-main/contract/plots.ts';
import type { Point } from '../../state/fit/plot-data.ts';
import { curvePoints, pointsOf, predictedPoints } from '../../state/fit/plot-data.ts';
import type { DesignCurve } from '../../state/study/design-view.ts';
import { criterionText, criterionValue, suggestedOn } from '../../state/study/design-view.ts';
import { formatNumber } from '../../state/words/number-format.ts';
import {
  chartOptions,
  circlesOf,
  dividedOver,
  endsOf,
  extentOf,
  layoutPadding,
  lineOf,
  quantityText,
} from '../charts/chart-options.ts';
import type { Named } from '../charts/name-labels.ts';
import type { AxisOptions, Palette } from '../charts/plot-theme.ts';
import { axisOf } from '../charts/plot-theme.ts';

export interface Shown {
  readonly report: DesignReport;
  readonly curve: DesignCurve;
  readonly plot: Plot | undefined;
  readonly group: PlotGroup | undefined;
  /** `time, h`. */
  readonly title: string;
  /** Where the pointer is, on the abscissa. */
  readonly at: number | undefined;
}

/** Both plots begin at the same pixel, whatever their numbers, and at this one at least. */
const axisWidth = 56;

function widthOf({ curve, group }: Shown): number {
  const widest = [group?.points.y ?? [], curve.after].map((values) => {
    const [low, high] = extentOf(values) ?? [0, 0];
    return Math.max(...[low, high].map((end) => formatNumber(end, digitsApart([low, high], 2)).length));
  });
  return Math.max(axisWidth, 14 + 6.5 * Math.max(...widest));
}

function fixed(axis: AxisOptions, shown: Shown): AxisOptions {
  const width = widthOf(shown);
  return { ...axis, afterFit: (scale: { width: number }) => void (scale.width = width) };
}

/** Of data and candidates, the first and the last. */
const endsAlong = ({ curve, group }: Pick<Shown, 'curve' | 'group'>): readonly [number, number] =>
  extentOf([...curve.x, ...(group?.points.x ?? [])]) ?? [0, 1];

/** How far the abscissa of both plots begins and ends within them, in pixels. */
export function insetOf(shown: Shown): { readonly left: number; readonly right: number } {
  const { left, right } = layoutPadding;
  return { left: left + widthOf(shown), right };
}

/** Divided as the plot of the fit is. */
function abscissa(shown: Shown, palette: Palette): AxisOptions {
  const [min, max] = endsAlong(shown);
  const { division, near } = dividedOver([...shown.curve.x], shown.plot?.x.scale ?? 'linear');
  return axisOf({ title: shown.title, grid: false, division, near, min, max }, palette);
}

function heightAt(line: readonly Point[], at: number): number {
  const next = line.findIndex(({ x }) => x >= at);
  const [a, b] = [line[Math.max(0, next - 1)], line[next]];
  if (!a || !b) return line.at(-1)?.y ?? NaN;
  return b.x === a.x ? b.y : a.y + ((at - a.x) / (b.x - a.x)) * (b.y - a.y);
}

function upright(at: number | undefined, [low, high]: readonly [number, number], palette: Palette) {
  if (at === undefined) return [];
  return [
    lineOf(
      [
        { x: at, y: low },
        { x: at, y: high },
      ],
      palette['accent']!,
      { width: 1.25, order: 1 },
    ),
  ];
}

export function dataChart(shown: Shown, palette: Palette): ChartConfiguration {
  const { group, report, curve, plot, title, at } = shown;
  const line = group ? (group.curve ? curvePoints(group) : predictedPoints(group)) : [];
  const points = group ? pointsOf(group) : [];
  const rings = suggestedOn(report, curve).map(({ number, x }) => ({ number, x, y: heightAt(line, x) }));
  const ends = dividedOver(
    [...line, ...points, ...rings].map(({ y }) => y),
    plot?.y.scale ?? 'linear',
  );
  const names: Named = { names: rings.map(({ number }) => String(number)), nameColor: palette['ink']! };
  return {
    type: 'scatter',
    data: {
      datasets: [
        { ...circlesOf(rings, palette, palette['accent']!, 5), ...names },
        circlesOf(points, palette, palette['data']!),
        lineOf(line, palette['curve']!, { width: 1.75, order: 2 }),
        ...upright(at, [ends.min ?? 0, ends.max ?? 1], palette),
      ],
    },
    options: chartOptions(
      palette,
      { ...abscissa({ ...shown, title: '' }, palette) },
      fixed(axisOf({ title: '', grid: true, ...ends }, palette), shown),
      ({ x, y }) => [quantityText(title, x), quantityText(plot?.y.label ?? 'value', y)],
    ),
  };
}

/** The filled part is the gain. */
export function laneChart(shown: Shown, palette: Palette): ChartConfiguration {
  const { curve, report, title, at } = shown;
  const line = curve.x.flatMap((x, i) => (Number.isFinite(curve.after[i]) ? [{ x, y: curve.after[i]! }] : []));
  const now = Number.isFinite(report.now) ? report.now : undefined;
  const values = [...line.map(({ y }) => y), ...(now === undefined ? [] : [now])];
  const ends = endsOf(values);
  const [first, last] = [line[0]?.x ?? 0, line.at(-1)?.x ?? 1];
  const level = (y: number) => [
    { x: first, y },
    { x: last, y },
  ];
  const here = at === undefined ? [] : [{ x: at, y: heightAt(line, at) }];
  return {
    type: 'scatter',
    data: {
      datasets: [
        circlesOf(here, palette, palette['accent']!, 4),
        {
          ...lineOf(line, palette['curve']!, { order: 2 }),
          ...(now !== undefined && { fill: '+1', backgroundColor: palette['band']! }),
        },
        ...(now === undefined ? [] : [lineOf(level(now), palette['ink-3']!, { width: 1, dash: [4, 3], order: 3 })]),
        ...upright(at, [ends.min ?? 0, ends.max ?? 1], palette),
      ],
    },
    options: chartOptions(
      palette,
      abscissa(shown, palette),
      fixed(axisOf({ title: '', grid: true, few: true, ...ends }, palette), shown),
      ({ x, y }) => [quantityText(title, x), `${criterionText(report)}: ${criterionValue(report, y)}`],
    ),
  };
}
