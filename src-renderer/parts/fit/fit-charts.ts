/** The charts of the Fit panel, as Chart.js configurations. */
import type { ChartConfiguration, ChartDataset } from 'chart.js';
import { formatNumber } from '../../state/words/number-format.ts';
import type { Picture, Stretch } from '../../state/fit/pictures.ts';
import type { Plot, PlotGroup } from '../../../src-main/contract/plots.ts';
import type { Point } from '../../state/fit/plot-data.ts';
import { curvePoints, pointsOf, predictedPoints } from '../../state/fit/plot-data.ts';
import type { Palette } from '../charts/plot-theme.ts';
import type { HistoryPoint } from '../../state/window/work.ts';
import { quantilePoints, quartileLine } from '../../state/fit/residuals.ts';
import {
  chartOptions as options,
  circlesOf,
  endsOf,
  endsOn,
  extentOf,
  lineOf,
  quantityText,
} from '../charts/chart-options.ts';
import { axisOf } from '../charts/plot-theme.ts';

/** Observed, with error bars where there are some; what counts for nothing is a hollow grey square. */
function observedOf(group: PlotGroup, palette: Palette): ChartDataset {
  const { x, y, error, excluded = [] } = group.points;
  const many = x.length > 120;
  const color = (i: number) => palette[excluded[i] ? 'ink-3' : 'data']!;
  const look = {
    pointRadius: many ? 1.75 : 2.6,
    pointHoverRadius: 4,
    backgroundColor: palette['panel']!,
    borderColor: palette['data']!,
    pointBackgroundColor: palette['panel']!,
    pointBorderColor: x.map((_, i) => color(i)),
    pointStyle: x.map((_, i) => (excluded[i] ? 'rect' : 'circle')),
    borderWidth: many ? 1 : 1.25,
    pointBorderWidth: many ? 1 : 1.25,
    // A point on an axis is drawn whole.
    clip: false as const,
    order: 0,
  };
  const points = pointsOf(group);
  if (!error) return { type: 'scatter', data: points, ...look };
  const data = points.map((point, i) => ({ ...point, yMin: y[i]! - error[i]!, yMax: y[i]! + error[i]! }));
  return errorBars(data, palette['data']!, look);
}

function errorBars(data: readonly object[], color: string, look: object): ChartDataset {
  return {
    type: 'scatterWithErrorBars',
    data,
    ...look,
    errorBarColor: color,
    errorBarWhiskerColor: color,
    errorBarLineWidth: 1,
    errorBarWhiskerLineWidth: 1,
    errorBarWhiskerSize: 5,
  } as unknown as ChartDataset;
}

/** Where nothing is known between the rows, what is predicted at them stands there as dots; with its band, if there is one. */
function predictedOf(group: PlotGroup, palette: Palette): ChartDataset {
  const color = palette['curve']!;
  const data = predictedPoints(group);
  const look = { pointRadius: 1.75, pointBackgroundColor: color, pointBorderWidth: 0, order: 1 };
  const ends = group.band?.confidence;
  if (!ends || data.length !== group.points.x.length) return { type: 'scatter', data, ...look };
  return errorBars(
    data.map((point, i) => ({ ...point, yMin: ends.lower[i]!, yMax: ends.upper[i]! })),
    color,
    look,
  );
}

/** Where the curve misses a shape: thick over it, or over the dots where there is none. */
function missedOf(group: PlotGroup, missed: readonly Stretch[], palette: Palette): ChartDataset[] {
  const line = group.curve ? curvePoints(group) : predictedPoints(group).sort((a, b) => a.x - b.x);
  return missed.map(({ from, to }) => ({
    ...lineOf(
      line.filter(({ x }) => x >= from && x <= to),
      palette['caution']!,
      { width: 4, order: 0.5 },
    ),
    pointHitRadius: 0,
  }));
}

/** Of a curve in the background fewer points will do. */
function curveOf(group: PlotGroup, color: string, width: number, order: number, most = Infinity): ChartDataset {
  const points = curvePoints(group);
  const stride = Math.max(1, Math.floor(points.length / most));
  return {
    type: 'line',
    data: points.filter((_, i) => i % stride === 0),
    // The points are as Chart.js wants them, and in order.
    parsing: false,
    normalized: true,
    borderColor: color,
    borderWidth: width,
    pointRadius: 0,
    pointHitRadius: 0,
    tension: 0,
    order,
  };
}

/** Where the group's effects are 0, dashed. */
function populationOf({ population }: PlotGroup, palette: Palette): ChartDataset[] {
  if (!population) return [];
  const points = population.x.map((x, i) => ({ x, y: population.y[i]! }));
  return [lineOf(points, palette['ink-2']!, { width: 1.1, dash: [6, 4], order: 2 })];
}

/** On the curve's own grid: the confidence band as a surface, the prediction band between thin lines. */
function bandOf({ curve, band }: PlotGroup, palette: Palette): ChartDataset[] {
  if (!curve || !band) return [];
  const edge = (ends: readonly number[], look: object): ChartDataset => ({
    ...lineOf(
      curve.x.map((x, i) => ({ x, y: ends[i]! })),
      palette['curve']!,
      { width: 0, order: 3 },
    ),
    pointHitRadius: 0,
    ...look,
  });
  const thin = { borderWidth: 0.75, borderDash: [2, 3] };
  const { confidence, prediction } = band;
  return [
    edge(confidence.lower, {}),
    edge(confidence.upper, { fill: '-1', backgroundColor: palette['band']! }),
    ...(prediction ? [edge(prediction.lower, thin), edge(prediction.upper, thin)] : []),
  ];
}

/** All groups share their axes, or they could not be compared. */
function rangeOf({ x, groups }: Plot): { x: { min?: number; max?: number }; y: { min?: number; max?: number } } {
  const xs = groups.flatMap(({ points, curve }) => [...points.x, ...(curve?.x ?? [])]);
  const ys = groups.flatMap(({ points, curve, population, band }) => [
    ...points.y,
    ...(curve?.y ?? points.predicted ?? []),
    ...(population?.y ?? []),
    ...(band && curve ? [...band.confidence.lower, ...band.confidence.upper] : []),
  ]);
  return { x: endsOn(xs, x.scale), y: endsOf(ys) };
}

/** Observed values and the fitted curve; the other groups stay in grey behind the chosen one. */
function curveChart({ plot, group: chosen, titles, missed }: Picture, palette: Palette): ChartConfiguration {
  const group = plot.groups[chosen];
  const range = rangeOf(plot);
  const others = plot.groups.filter((_, i) => i !== chosen);
  const datasets: ChartDataset[] = group
    ? [
        observedOf(group, palette),
        group.curve ? curveOf(group, palette['curve']!, 1.75, 1) : predictedOf(group, palette),
        ...populationOf(group, palette),
        ...missedOf(group, missed, palette),
        ...bandOf(group, palette),
        ...others.map((other) => curveOf(other, palette['other']!, 0.75, 2, 40)),
      ]
    : [];
  return {
    type: 'scatter',
    data: { datasets },
    options: options(
      palette,
      axisOf({ title: titles.x, grid: false, log: plot.x.scale === 'log', ...range.x }, palette),
      axisOf({ title: '', grid: true, ...range.y }, palette),
      ({ x, y }) => [quantityText(titles.x, x), quantityText(titles.y, y)],
    ),
  };
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
  const around = group ? bandOf(group, palette) : [];
  return {
    type: 'bar',
    data: { datasets: [bars, steps, ...around] },
    options: options(
      palette,
      { ...axisOf({ title: titles.x, grid: false, whole: plot.x.id === null, ...ends }, palette), offset: false },
      axisOf({ title: '', grid: true, min: 0 }, palette),
      ({ x, y }) => [quantityText(titles.x, x), quantityText(titles.y, y)],
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
  const points = residuals.groups.flatMap(pointsOf);
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
      axisOf(
        { title: titles.x, grid: false, log: residuals.x.scale === 'log', ...endsOn(xs, residuals.x.scale) },
        palette,
      ),
      axisOf({ title: '', grid: true }, palette),
      ({ x, y }) => [quantityText(titles.x, x), `${residuals.y.label}: ${formatNumber(y, 4)}`],
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
      axisOf({ title: '', grid: true }, palette),
      ({ x, y }) => [`normal quantile: ${formatNumber(x)}`, `residual: ${formatNumber(y, 4)}`],
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
      axisOf({ title: '', grid: true, log, ...bounds }, palette),
      ({ x, y }) => [`iteration ${x}`, `objective ${formatNumber(y, 6)}`],
    ),
  };
}

/** Where each start ended, the lowest first: steps are minima, and the width of the first is how sure one may be of it. */
export function waterfallChart(objectives: readonly number[], palette: Palette): ChartConfiguration {
  const points = objectives.flatMap((y, i) => (Number.isFinite(y) ? [{ x: i + 1, y }] : []));
  const [least = 1, greatest = 1] = [points[0]?.y, points.at(-1)?.y];
  const log = least > 0 && greatest / least > 10;
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
      axisOf({ title: '', grid: true, log }, palette),
      ({ x, y }) => [`start ${x}, lowest first`, `objective ${formatNumber(y, 6)}`],
    ),
  };
}
