/** The charts of the Uncertainty panel, as Chart.js configurations. */
import type { ChartConfiguration, ChartDataset } from 'chart.js';
import type { PlotLook } from '../../../models/notation/plot-look.ts';
import { binned, thinned } from '../../state/canvas/bins.ts';
import { formatNumber } from '../../state/words/number-format.ts';
import type { ProfilePlot } from '../../state/study/uncertainty-view.ts';
import { chartOptions, circlesOf, endsOf, hueOf, lineOf } from '../charts/chart-options.ts';
import { lookedChart } from '../charts/looked-chart.ts';
import type { Palette } from '../charts/plot-theme.ts';
import { axisOf } from '../charts/plot-theme.ts';

/** An interval as a surface between two heights; an end that does not exist is the end of the axis. */
function intervalOf(
  ends: { readonly lower: number; readonly upper: number },
  axis: { readonly min?: number; readonly max?: number },
  [bottom, top]: readonly [number, number],
  palette: Palette,
): ChartDataset {
  const { min = ends.lower, max = ends.upper } = axis;
  const from = Math.max(ends.lower, min);
  const to = Math.min(ends.upper, max);
  return {
    type: 'line',
    data: Number.isNaN(from + to)
      ? []
      : [
          { x: from, y: top },
          { x: to, y: top },
        ],
    fill: { value: bottom },
    backgroundColor: palette['band']!,
    borderWidth: 0,
    pointRadius: 0,
    pointHitRadius: 0,
    order: 3,
  };
}

/** How the document has what is drawn of a parameter look. */
interface Looking {
  readonly look?: PlotLook;
}

/** One profile with its cut-off, its interval, and what covariance would have (dotted). */
export function profileChart(plot: ProfilePlot & Looking, palette: Palette): ChartConfiguration {
  return lookedChart(plainProfile(plot, palette), plot.look ?? {}, palette);
}

function plainProfile(plot: ProfilePlot, palette: Palette): ChartConfiguration {
  const { points, quadratic, cutoffs, squared, value } = plot;
  const x = endsOf(points.map((point) => point.x));
  const heights = [...points.map((point) => point.y), ...cutoffs];
  const top = Math.max(...heights.filter(Number.isFinite), 1);
  const bottom = squared ? 0 : Math.min(...heights.filter(Number.isFinite), -1);
  const { min = 0, max = 1 } = x;
  const across = (y: number) => [
    { x: min, y },
    { x: max, y },
  ];
  return {
    type: 'scatter',
    data: {
      datasets: [
        circlesOf([{ x: value, y: 0 }], palette, palette['curve']!, 3),
        lineOf(points, palette['curve']!),
        lineOf(quadratic, palette['ink-3']!, { width: 1, dash: [1, 2], order: 2 }),
        ...cutoffs.map((y) => lineOf(across(y), palette['ink-2']!, { width: 1, dash: [4, 3], order: 2 })),
        intervalOf(plot, x, [bottom, top], palette),
      ],
    },
    options: chartOptions(
      palette,
      axisOf({ title: '', grid: false, min, max, few: true }, palette),
      axisOf({ title: '', grid: false, min: bottom, max: top, few: true }, palette),
      (point) => `${formatNumber(point.x, 'fine')}: ${formatNumber(point.y)}`,
    ),
  };
}

export interface Samples extends Looking {
  readonly chains: readonly Float64Array[];
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

/** All samples of one element, with the fit's value and the interval. The look of y is that of the profile: here are counts. */
export function histogramChart(samples: Samples, palette: Palette): ChartConfiguration {
  return lookedChart(plainHistogram(samples, palette), withoutY(samples.look), palette);
}

const withoutY = ({ y: _, ...look }: PlotLook = {}): PlotLook => look;

function plainHistogram({ chains, value, lower, upper }: Samples, palette: Palette): ChartConfiguration {
  const bins = binned(Float64Array.from(chains.flatMap((chain) => [...chain])));
  const top = Math.max(...bins.map(({ count }) => count), 1);
  const axis = { min: bins[0]?.from ?? 0, max: bins.at(-1)?.to ?? 1 };
  const outline = bins.flatMap(({ from, to, count }) => [
    { x: from, y: count },
    { x: to, y: count },
  ]);
  return {
    type: 'scatter',
    data: {
      datasets: [
        {
          ...lineOf(outline, palette['ink-3']!, { width: 1, order: 2 }),
          fill: 'origin',
          backgroundColor: palette['line-2']!,
        },
        lineOf(
          [
            { x: value, y: 0 },
            { x: value, y: top },
          ],
          palette['curve']!,
          { width: 1.5 },
        ),
        intervalOf({ lower, upper }, axis, [0, top], palette),
      ] as ChartDataset[],
    },
    options: chartOptions(
      palette,
      axisOf({ title: '', grid: false, ...axis, few: true }, palette),
      axisOf({ title: '', grid: false, min: 0, max: top, few: true, whole: true }, palette),
      ({ x, y }) => `${formatNumber(x, 'fine')}: ${formatNumber(y)}`,
    ),
  };
}

const tracePoints = 240;

/** The chains one over the other, as they were drawn. */
export function traceChart({ chains }: Samples, palette: Palette): ChartConfiguration {
  return {
    type: 'line',
    data: {
      datasets: chains.map((chain, c) =>
        lineOf(
          thinned(chain, tracePoints).map(({ at, value }) => ({ x: at, y: value })),
          hueOf(c, palette).color,
          { width: 0.75, order: c },
        ),
      ),
    },
    options: chartOptions(
      palette,
      axisOf(
        { title: '', grid: false, whole: true, few: true, min: 0, max: Math.max(...chains.map((c) => c.length), 1) },
        palette,
      ),
      axisOf({ title: '', grid: false, few: true }, palette),
      ({ x, y }) => `draw ${formatNumber(x)}: ${formatNumber(y, 'fine')}`,
    ),
  };
}

export interface Pair {
  readonly x: Looking & { readonly name: string; readonly chains: readonly Float64Array[]; readonly value: number };
  readonly y: Pair['x'];
  /** By chain, the draws whose trajectories diverged. */
  readonly divergent?: readonly (readonly number[])[];
}

const pairPoints = 1500;

/**
 * The samples of two elements, one against the other, looked at closely: no zero is forced into view. The fit is the circle.
 * Each axis looks as its parameter does.
 */
export function pairChart(pair: Pair, palette: Palette): ChartConfiguration {
  const { look: { x, font } = {}, name: across } = pair.x;
  const { look: { x: y } = {}, name: up } = pair.y;
  const look = { ...(x && { x }), ...(y && { y }), ...(font && { font }) };
  return lookedChart(plainPair(pair, palette), look, palette, { x: across, y: up });
}

function plainPair({ x, y, divergent = [] }: Pair, palette: Palette): ChartConfiguration {
  const points = x.chains.flatMap((chain, c) =>
    Array.from(chain, (value, k) => ({ x: value, y: y.chains[c]?.[k] ?? NaN })),
  );
  const shown = thinned(points, pairPoints).map(({ value }) => value);
  const diverged = divergent.flatMap((draws, c) =>
    draws.map((k) => ({ x: x.chains[c]?.[k] ?? NaN, y: y.chains[c]?.[k] ?? NaN })),
  );
  return {
    type: 'scatter',
    data: {
      datasets: [
        circlesOf([{ x: x.value, y: y.value }], palette, palette['curve']!, 4),
        {
          type: 'scatter',
          data: diverged,
          pointRadius: 2.5,
          pointHitRadius: 0,
          pointBorderWidth: 0,
          pointBackgroundColor: palette['caution']!,
          order: 1,
        },
        {
          type: 'scatter',
          data: shown,
          pointRadius: 1.25,
          pointHitRadius: 0,
          pointBorderWidth: 0,
          pointBackgroundColor: `${palette['ink-3']!}88`,
          order: 2,
        },
      ],
    },
    options: chartOptions(
      palette,
      axisOf(
        {
          title: x.name,
          grid: false,
          few: true,
          ...endsOf(
            shown.map((point) => point.x),
            true,
          ),
        },
        palette,
      ),
      axisOf(
        {
          title: y.name,
          grid: false,
          few: true,
          ...endsOf(
            shown.map((point) => point.y),
            true,
          ),
        },
        palette,
      ),
      (point) => `${formatNumber(point.x, 'fine')}, ${formatNumber(point.y, 'fine')}`,
    ),
  };
}
