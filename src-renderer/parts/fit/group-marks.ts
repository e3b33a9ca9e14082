/** What is drawn of a group: points, curve, bands, and where a shape is missed. */
import type { ChartDataset } from 'chart.js';
import { groupStyle, type GroupStyle } from '../../../src-main/contract/plot-styles.ts';
import { isCrowd, isPlaced, shownPoints, type Plot, type PlotGroup } from '../../../src-main/contract/plots.ts';
import type { Picture, Stretch } from '../../state/fit/pictures.ts';
import type { Point } from '../../state/fit/plot-data.ts';
import { curvePoints, pointsOf, predictedPoints } from '../../state/fit/plot-data.ts';
import { lineOf } from '../charts/chart-options.ts';
import type { Palette } from '../charts/plot-theme.ts';

/** A token's colour, or the colour itself. */
export const colorOf = ({ color = '' }: GroupStyle, palette: Palette, usual: string): string =>
  color.startsWith('#') ? color : palette[color === '' ? usual : color]!;

const pointStyles = {
  circle: 'circle',
  square: 'rect',
  triangle: 'triangle',
  diamond: 'rectRot',
  cross: 'crossRot',
} as const;

/** Some opacity of a colour, as the bands of the visual language have. */
const faint = (color: string): string => `${color}22`;

export function groupMarks({ plot, missed }: Picture, index: number, palette: Palette): ChartDataset[] {
  const group = plot.groups[index];
  if (!group) return [];
  const style = groupStyle(plot, index);
  const curve = colorOf(style, palette, 'curve');
  const band = style.color === undefined ? palette['band']! : faint(curve);
  const placed = (dataset: ChartDataset): ChartDataset => withPlaces(dataset, plot);
  return [
    observedOf(group, style, palette),
    group.curve ? curveOf(group, curve, { width: 1.75, order: 1, dash: style.dash }) : predictedOf(group, curve),
    ...populationOf(group, palette),
    ...missedOf(group, missed, palette),
    ...bandOf(group, curve, band),
  ].map(placed);
}

/** Without the points that have no place on the axes as they are divided. */
function withPlaces(dataset: ChartDataset, plot: Plot): ChartDataset {
  if (![plot.x, plot.y].some(({ scale }) => scale === 'log' || scale === 'reciprocal')) return dataset;
  const data = dataset.data as readonly Point[];
  const has = ({ x, y }: Point) => isPlaced(plot, x, y);
  if (data.every(has)) return dataset;
  // They stay in the list, so that lists beside it keep their order; without the ends of an error bar, which would be drawn.
  const nowhere = { x: NaN, y: NaN };
  return { ...dataset, data: data.map((point) => (has(point) ? point : nowhere)) };
}

/**
 * One value where all are the same: Chart.js then works the look of a point out once, and once for each where there is a list
 * (7 of the 8 ms of a chart of 1,000 points).
 */
const alike = <T>(values: readonly T[]): T | readonly T[] =>
  values.length > 0 && values.every((value) => value === values[0]) ? values[0]! : values;

/** Observed, with error bars where there are some; what counts for nothing is a hollow grey square, a limit a triangle. */
function observedOf(group: PlotGroup, style: GroupStyle, palette: Palette): ChartDataset {
  const shown = shownPoints(group);
  const { x, y, error, excluded = [], censored = [] } = shown;
  const own = colorOf(style, palette, 'data');
  const many = isCrowd(shown);
  const apart = style.symbol === 'square' ? 'diamond' : 'square';
  const symbolAt = (i: number) => (censored[i] ? 'triangle' : excluded[i] ? apart : style.symbol);
  const color = (i: number) => (excluded[i] ? palette['ink-3']! : own);
  const look = {
    pointRadius: alike(x.map((_, i) => (censored[i] ? 1.4 : 1) * (many ? 1.75 : 2.6))),
    pointHoverRadius: 4,
    backgroundColor: palette['panel']!,
    borderColor: own,
    pointBackgroundColor: palette['panel']!,
    pointBorderColor: alike(x.map((_, i) => color(i))),
    pointStyle: alike(x.map((_, i) => pointStyles[symbolAt(i)])),
    pointRotation: alike(x.map((_, i) => (censored[i] === 'left' ? 180 : 0))),
    borderWidth: many ? 1 : 1.25,
    pointBorderWidth: many ? 1 : 1.25,
    // A point on an axis is drawn whole.
    clip: false as const,
    order: many ? 1.5 : 0,
  };
  const points = group.means ? x.map((value, i) => ({ x: value, y: y[i]! })) : pointsOf(group);
  if (!error) return { type: 'scatter', data: points, ...look };
  const data = points.map((point, i) => {
    const half = Number.isFinite(error[i]) ? error[i]! : 0;
    return { ...point, yMin: y[i]! - half, yMax: y[i]! + half };
  });
  return errorBars(data, own, look);
}

/** Chart.js reads the looks of a point by the name of its element, and this one's is no `point`. */
const ofAnyElement = (look: object): object =>
  Object.fromEntries(
    Object.entries(look).map(([name, value]: [string, unknown]) => [
      name.replace(/^point(?!Style)./, (start) => start.slice(-1).toLowerCase()),
      value,
    ]),
  );

function errorBars(data: readonly object[], color: string, look: object): ChartDataset {
  return {
    type: 'scatterWithErrorBars',
    data,
    ...ofAnyElement(look),
    errorBarColor: color,
    errorBarWhiskerColor: color,
    errorBarLineWidth: 1,
    errorBarWhiskerLineWidth: 1,
    errorBarWhiskerSize: 5,
  } as unknown as ChartDataset;
}

/** Where nothing is known between the rows, what is predicted at them stands there as dots; with its band, if there is one. */
function predictedOf(group: PlotGroup, color: string): ChartDataset {
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
  return missed
    .filter(({ key }) => key === group.key)
    .map(({ from, to }) => ({
      ...lineOf(
        line.filter(({ x }) => x >= from && x <= to),
        palette['caution']!,
        { width: 4, order: 0.5 },
      ),
      pointHitRadius: 0,
    }));
}

/** Of a curve in the background fewer points will do. */
export function curveOf(
  group: PlotGroup,
  color: string,
  {
    width,
    order,
    dash = [],
    most = Infinity,
  }: { width: number; order: number; dash?: readonly number[]; most?: number },
): ChartDataset {
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
    borderDash: [...dash],
    pointRadius: 0,
    pointHitRadius: 0,
    // With none at all Chart.js joins the points of one pixel to a bar from the least to the most: a step where the curve has none.
    tension: Number.EPSILON,
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
export function bandOf({ curve, band }: PlotGroup, color: string, surface: string): ChartDataset[] {
  if (!curve || !band) return [];
  const edge = (ends: readonly number[], look: object): ChartDataset => ({
    ...lineOf(
      curve.x.map((x, i) => ({ x, y: ends[i]! })),
      color,
      { width: 0, order: 3 },
    ),
    pointHitRadius: 0,
    ...look,
  });
  const thin = { borderWidth: 0.75, borderDash: [2, 3] };
  const { confidence, prediction } = band;
  return [
    edge(confidence.lower, {}),
    edge(confidence.upper, { fill: '-1', backgroundColor: surface }),
    ...(prediction ? [edge(prediction.lower, thin), edge(prediction.upper, thin)] : []),
  ];
}
