/** The charts of the Fit panel, as Chart.js configurations. */
import type { ChartConfiguration, ChartDataset } from 'chart.js';
import { fontOf, groupStyle } from '../../../src-main/contract/plot-styles.ts';
import { barEnds, drawnValues, type Drawn } from '../../../src-main/contract/drawn-values.ts';
import { axisTitle, isPlaced, shownPoints, type Plot } from '../../../src-main/contract/plots.ts';
import { formatNumber } from '../../state/words/number-format.ts';
import type { Picture } from '../../state/fit/pictures.ts';
import type { Point } from '../../state/fit/plot-data.ts';
import { curvePoints, pointsOf, predictedPoints } from '../../state/fit/plot-data.ts';
import type { HistoryPoint } from '../../state/window/work.ts';
import { quantilePoints, quartileLine } from '../../state/fit/residuals.ts';
import {
  chartOptions as options,
  circlesOf,
  dividedOver,
  endsOf,
  extentOf,
  lineOf,
  quantityText,
  roomForNames,
} from '../charts/chart-options.ts';
import type { Palette } from '../charts/plot-theme.ts';
import { axisOf, font as usualFont } from '../charts/plot-theme.ts';
import { bandOf, colorOf, curveOf, groupMarks } from './group-marks.ts';

/** All groups share their axes, or they could not be compared. */
function rangeOf(plot: Plot) {
  const drawn = plot.groups.flatMap((group): Drawn[] => {
    const { points, means, curve, population, band } = group;
    const { x, y, error = [] } = shownPoints(group);
    const { lower, upper } = band?.confidence ?? {};
    return [
      { x, y, ...(means && { ends: barEnds(y, error) }) },
      curve ?? { x: points.x, y: points.predicted ?? [] },
      ...(population ? [population] : []),
      ...(curve && lower && upper ? [lower, upper].map((ends) => ({ x: curve.x, y: ends })) : []),
    ];
  });
  const { x, y } = drawnValues(plot, drawn);
  return { x: dividedOver(x, plot.x.scale), y: dividedOver(y, plot.y.scale) };
}

/** What a point says when it is pointed at. */
const saying =
  (titles: Picture['titles']) =>
  ({ x, y }: Point) => [quantityText(titles.x, x), quantityText(titles.y, y)];

/** The chosen group with its curve, the other groups in grey behind it; or all groups, each in its own look. */
function curveChart(picture: Picture, palette: Palette): ChartConfiguration {
  const { plot, group: chosen, titles } = picture;
  const together = picture.layout === 'one';
  const [across, up] = [rangeOf(plot), titles];
  const font = fontOf(plot.look, usualFont);
  const drawn = together ? plot.groups.map((_, i) => i) : [chosen];
  const datasets = drawn.flatMap((index) => groupMarks(picture, index, palette));
  const others = picture.layout === 'front' ? plot.groups.filter((_, i) => i !== chosen) : [];
  const behind = others.map((other) => curveOf(other, palette['other']!, { width: 0.75, order: 2, most: 40 }));
  const names = together ? groupNames(plot, palette) : [];
  const made = options(
    palette,
    axisOf({ title: up.x, grid: false, font, ...across.x }, palette),
    axisOf({ title: up.y, captioned: true, grid: true, font, ...across.y }, palette),
    saying(titles),
  );
  return {
    type: 'scatter',
    data: { datasets: [...(plot.groups[chosen] ? datasets : []), ...behind, ...names] },
    options: together ? { ...made, layout: roomForNames(plot.groups.map(({ key }) => key ?? '')) } : made,
  };
}

/** Each name at the end of its curve. */
function groupNames(plot: Plot, palette: Palette): ChartDataset[] {
  return plot.groups.flatMap((group, i): ChartDataset[] => {
    const points = group.curve ? curvePoints(group) : predictedPoints(group).sort((a, b) => a.x - b.x);
    const last = points.filter(({ x, y }) => isPlaced(plot, x, y)).at(-1);
    if (!last || group.key === null) return [];
    const named = { names: [group.key], nameColor: colorOf(groupStyle(plot, i), palette, 'ink') };
    return [{ ...lineOf([last], 'transparent', { width: 0 }), pointHitRadius: 0, ...named }];
  });
}

/** Counts as bars over the quantity that is counted, what the model expects as a line across each. */
function histogramChart({ plot, group: chosen, titles }: Picture, palette: Palette): ChartConfiguration {
  const group = plot.groups[chosen];
  const counts = group ? pointsOf(group) : [];
  const { edges } = plot;
  const half = counts.length > 1 ? Math.abs(counts[1]!.x - counts[0]!.x) / 2 : 0.5;
  const extent = edges ? extentOf(edges) : extentOf(counts.flatMap(({ x }) => [x - half, x + half]));
  const ends = extent ? { min: extent[0], max: extent[1] } : {};
  const bars: ChartDataset = {
    type: 'bar',
    data: counts,
    backgroundColor: palette['line-2']!,
    borderWidth: 0,
    barPercentage: 1,
    categoryPercentage: 0.94,
    grouped: false,
    order: 2,
  };
  const expected = group ? predictedPoints(group) : [];
  const line = group?.curve ? curvePoints(group) : stepsOf(expected, half, edges);
  const steps: ChartDataset = { ...lineOf(line, palette['curve']!, { width: 1.75 }), pointHitRadius: 0 };
  const around = group ? bandOf(group, palette['curve']!, palette['band']!) : [];
  const font = fontOf(plot.look, usualFont);
  return {
    type: 'bar',
    data: { datasets: [bars, steps, ...around] },
    options: options(
      palette,
      { ...axisOf({ title: titles.x, grid: false, whole: plot.x.id === null, font, ...ends }, palette), offset: false },
      axisOf({ title: titles.y, captioned: true, grid: true, min: 0, font }, palette),
      saying(titles),
    ),
  };
}

/** A line at the height of each, from where its bin begins to where it ends. */
function stepsOf(points: readonly Point[], half: number, edges: Plot['edges']): Point[] {
  return points.flatMap(({ x, y }, i) => [
    { x: edges?.[i] ?? x - half, y },
    { x: edges?.[i + 1] ?? x + half, y },
  ]);
}

export function pictureChart(picture: Picture, palette: Palette): ChartConfiguration {
  return picture.plot.kind === 'histogram' ? histogramChart(picture, palette) : curveChart(picture, palette);
}

/** As the loss scales them, around zero. */
export function residualChart({ residuals, titles }: Picture, palette: Palette): ChartConfiguration {
  const points = residuals.groups.flatMap(pointsOf).filter(({ x, y }) => isPlaced(residuals, x, y));
  const xs = points.map((point) => point.x);
  const ends = extentOf(xs) ?? [];
  return {
    type: 'scatter',
    data: {
      datasets: [
        circlesOf(points, palette, palette['data']!),
        lineOf(
          ends.map((x) => ({ x, y: 0 })),
          palette['line-3']!,
          { width: 1, order: 2 },
        ),
      ],
    },
    options: options(
      palette,
      axisOf({ title: titles.x, grid: false, ...dividedOver(xs, residuals.x.scale) }, palette),
      axisOf({ title: axisTitle(residuals.y), captioned: true, grid: true }, palette),
      ({ x, y }) => [quantityText(titles.x, x), `${residuals.y.label}: ${formatNumber(y)}`],
    ),
  };
}

/** Sorted residuals against normal quantiles; those of a normal lie on the line. */
export function quantileChart({ residuals }: Picture, palette: Palette): ChartConfiguration {
  const points = quantilePoints(residuals.groups.flatMap(pointsOf));
  const line = quartileLine(points);
  const ends = [points[0]?.x ?? -1, points.at(-1)?.x ?? 1];
  const datasets = [circlesOf(points, palette, palette['data']!)];
  if (line)
    datasets.push(
      lineOf(
        ends.map((x) => ({ x, y: line.offset + line.slope * x })),
        palette['curve']!,
        { width: 1.25, order: 2 },
      ),
    );
  return {
    type: 'scatter',
    data: { datasets },
    options: options(
      palette,
      axisOf({ title: 'normal quantile', grid: false, ...endsOf(points.map(({ x }) => x)) }, palette),
      axisOf({ title: axisTitle(residuals.y), captioned: true, grid: true }, palette),
      ({ x, y }) => [`normal quantile: ${formatNumber(x)}`, `residual: ${formatNumber(y)}`],
    ),
  };
}

/** The objective by iteration; by powers of ten where it spans more than one. */
export function historyChart(history: readonly HistoryPoint[], palette: Palette): ChartConfiguration {
  const [least, greatest] = extentOf(history.map(({ y }) => y)) ?? [1, 1];
  const log = least > 0 && greatest / least > 10;
  const bounds = log ? { min: 10 ** Math.floor(Math.log10(least)), max: 10 ** Math.ceil(Math.log10(greatest)) } : {};
  return {
    type: 'line',
    data: {
      datasets: [
        {
          type: 'line',
          data: [...history],
          borderColor: palette['curve']!,
          borderWidth: 1.75,
          pointRadius: ({ dataset }: { dataset: { data: readonly unknown[] } }) => (dataset.data.length < 2 ? 2 : 0),
          pointHitRadius: 6,
        },
      ],
    },
    options: options(
      palette,
      axisOf(
        { title: 'iteration', grid: false, whole: true, min: 0, max: Math.max(history.at(-1)?.x ?? 0, 1) },
        palette,
      ),
      axisOf({ title: 'objective', captioned: true, grid: true, log, ...bounds }, palette),
      ({ x, y }) => [`iteration ${x}`, `objective ${formatNumber(y, 'finest')}`],
    ),
  };
}

/** Where each start ended, the lowest first: steps are minima, and the width of the first is how sure one may be of it. */
export function waterfallChart(objectives: readonly number[], palette: Palette): ChartConfiguration {
  const points = objectives.flatMap((y, i) => (Number.isFinite(y) ? [{ x: i + 1, y }] : []));
  const [least = 1, greatest = 1] = [points[0]?.y, points.at(-1)?.y];
  const log = least > 0 && greatest / least > 10;
  // What differs by rounding alone is one minimum, and drawn as one.
  const size = Math.max(Math.abs(least), Math.abs(greatest));
  const isOne = greatest - least < 1e-6 * size;
  const ends = isOne ? { min: least - 0.1 * size, max: greatest + 0.1 * size } : {};
  return {
    type: 'scatter',
    data: {
      datasets: [
        circlesOf(points, palette, palette['curve']!, 2),
        lineOf(points, palette['line-3']!, { width: 1, order: 2 }),
      ],
    },
    options: options(
      palette,
      axisOf({ title: 'starts, lowest first', grid: false, whole: true, min: 0, max: objectives.length + 1 }, palette),
      axisOf({ title: 'objective', captioned: true, grid: true, log, ...ends }, palette),
      ({ x, y }) => [`start ${x}, lowest first`, `objective ${formatNumber(y, 'finest')}`],
    ),
  };
}
