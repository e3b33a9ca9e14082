/** The charts of the Fit panel, as Chart.js configurations. */
import type { ChartConfiguration, ChartDataset } from 'chart.js';
import { formatNumber } from '../state/number-format.ts';
import type { Picture } from '../state/pictures.ts';
import type { PlotData, Series } from '../state/plot-data.ts';
import type { Palette } from './plot-theme.ts';
import type { HistoryPoint } from '../state/work.ts';
import { quantilePoints, quartileLine, residualsOf } from '../state/residuals.ts';
import { chartOptions as options, circlesOf, endsOf, extentOf, lineOf, quantityText } from './chart-options.ts';
import { axisOf } from './plot-theme.ts';

function pointsOf(series: Series, palette: Palette): ChartDataset {
  const errors = series.points.some((mark) => mark.error !== undefined);
  const many = series.points.length > 120;
  const look = {
    pointRadius: many ? 1.75 : 2.6,
    pointHoverRadius: 4,
    backgroundColor: palette['panel']!,
    borderColor: palette['data']!,
    pointBackgroundColor: palette['panel']!,
    pointBorderColor: palette['data']!,
    borderWidth: many ? 1 : 1.25,
    pointBorderWidth: many ? 1 : 1.25,
    // A point on an axis is drawn whole.
    clip: false as const,
    order: 0,
  };
  const data = series.points.map(({ x, y, error }) =>
    error === undefined ? { x, y } : { x, y, yMin: y - error, yMax: y + error },
  );
  if (!errors) return { type: 'scatter', data, ...look };
  return {
    type: 'scatterWithErrorBars',
    data,
    ...look,
    errorBarColor: palette['data']!,
    errorBarWhiskerColor: palette['data']!,
    errorBarLineWidth: 1,
    errorBarWhiskerLineWidth: 1,
    errorBarWhiskerSize: 5,
  } as unknown as ChartDataset;
}

/** Of a curve in the background fewer points will do. */
function curveOf(series: Series, color: string, width: number, order: number, most = Infinity): ChartDataset {
  const stride = Math.max(1, Math.floor(series.curve.length / most));
  return {
    type: 'line',
    data: series.curve.filter((_, i) => i % stride === 0).map(([x, y]) => ({ x, y })),
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

/** The confidence band as a surface, the prediction band between thin lines. */
function bandOf({ band }: Series, palette: Palette): ChartDataset[] {
  const edge = (key: 'lower' | 'upper' | 'predictionLower' | 'predictionUpper', look: object): ChartDataset[] => {
    const data = band.map((point) => ({ x: point.x, y: point[key] }));
    return data.length < 2 || data.some(({ y }) => !Number.isFinite(y))
      ? []
      : [
          {
            ...lineOf(data, palette['curve']!, { width: 0, order: 3 }),
            pointHitRadius: 0,
            cubicInterpolationMode: 'monotone',
            ...look,
          },
        ];
  };
  const lower = edge('lower', {});
  const thin = { borderWidth: 0.75, borderDash: [2, 3] };
  return [
    ...lower,
    ...(lower.length > 0 ? edge('upper', { fill: '-1', backgroundColor: palette['band']! }) : []),
    ...edge('predictionLower', thin),
    ...edge('predictionUpper', thin),
  ];
}

/** All groups share their axes, or they could not be compared. */
function rangeOf(data: PlotData): { x: { min?: number; max?: number }; y: { min?: number; max?: number } } {
  const marks = data.series.flatMap((series) => series.points);
  const curve = data.series.flatMap((series) => series.curve);
  const bands = data.series.flatMap(({ band }) => band.flatMap(({ lower, upper }) => [lower, upper]));
  return {
    x: endsOf([...marks.map((mark) => mark.x), ...curve.map(([x]) => x)]),
    y: endsOf([...marks.map((mark) => mark.y), ...curve.map(([, y]) => y), ...bands]),
  };
}

/** Observed values and the fitted curve; the other groups stay in grey behind the chosen one. */
function curveChart({ data, series: chosen, titles }: Picture, palette: Palette): ChartConfiguration {
  const series = data.series[chosen];
  const range = rangeOf(data);
  const others = data.series.filter((_, i) => i !== chosen);
  const datasets: ChartDataset[] = series
    ? [
        pointsOf(series, palette),
        curveOf(series, palette['curve']!, 1.75, 1),
        ...bandOf(series, palette),
        ...others.map((other) => curveOf(other, palette['other']!, 0.75, 2, 40)),
      ]
    : [];
  return {
    type: 'scatter',
    data: { datasets },
    options: options(
      palette,
      axisOf({ title: titles.x, grid: false, ...range.x }, palette),
      axisOf({ title: '', grid: true, ...range.y }, palette),
      ({ x, y }) => [quantityText(titles.x, x), quantityText(titles.y, y)],
    ),
  };
}

/** Counts as bars, what the model expects as a line over them. */
function countsChart({ data, titles }: Picture, palette: Palette): ChartConfiguration {
  const series = data.series[0];
  const xs = (series?.points ?? []).map(({ x }) => x);
  const half = xs.length > 1 ? Math.abs(xs[1]! - xs[0]!) / 2 : 0.5;
  const extent = extentOf(xs);
  const ends = extent ? { min: extent[0] - half, max: extent[1] + half } : {};
  const bars: ChartDataset = {
    type: 'bar',
    data: (series?.points ?? []).map(({ x, y }) => ({ x, y })),
    backgroundColor: palette['line-2']!,
    borderWidth: 0,
    barPercentage: 1,
    categoryPercentage: 0.94,
    grouped: false,
    order: 2,
  };
  return {
    type: 'bar',
    data: { datasets: [bars, ...(series ? [curveOf(series, palette['curve']!, 1.75, 1)] : [])] },
    options: options(
      palette,
      { ...axisOf({ title: titles.x, grid: false, whole: data.x === undefined, ...ends }, palette), offset: false },
      axisOf({ title: '', grid: true, min: 0 }, palette),
      ({ x, y }) => [quantityText(titles.x, x), quantityText(titles.y, y)],
    ),
  };
}

export function pictureChart(picture: Picture, palette: Palette): ChartConfiguration {
  return picture.data.form === 'counts' ? countsChart(picture, palette) : curveChart(picture, palette);
}

/** Observed minus predicted, around zero. */
export function residualChart({ data, titles }: Picture, palette: Palette): ChartConfiguration {
  const points = residualsOf(data);
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
      axisOf({ title: titles.x, grid: false, ...endsOf(xs) }, palette),
      axisOf({ title: '', grid: true }, palette),
      ({ x, y }) => [quantityText(titles.x, x), `residual: ${formatNumber(y, 4)}`],
    ),
  };
}

/** Sorted residuals against normal quantiles; those of a normal lie on the line. */
export function quantileChart({ data }: Picture, palette: Palette): ChartConfiguration {
  const points = quantilePoints(residualsOf(data));
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
