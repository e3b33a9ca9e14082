/** The charts of the Sensitivity panel, as Chart.js configurations. */
import { figureTitle } from '../../../models/facts/figures.ts';
import type { ChartConfiguration, ChartDataset } from 'chart.js';
import type { SensitivityReport } from '../../../src-main/contract/studies.ts';
import { formatNumber } from '../../state/words/number-format.ts';
import type { Bar, Course } from '../../state/study/sensitivity-view.ts';
import {
  bars,
  convergenceLines,
  courseAxis,
  courseKeys,
  courses,
  firstDirection,
  mostBars,
  numberOf,
  rankedBy,
} from '../../state/study/sensitivity-view.ts';
import { chartOptions, circlesOf, endsOf, extentOf, hueOf, lineOf, roomForNames } from '../charts/chart-options.ts';
import type { Palette } from '../charts/plot-theme.ts';
import { axisOf, nameAxis } from '../charts/plot-theme.ts';

interface BarGroup {
  readonly title: string;
  readonly color: string | readonly string[];
  readonly bars: readonly Bar[];
}

/** What of a bar the axis has room for. */
const reachOf = ({ from, to, interval = [to, to] }: Bar): number[] => [from, to, ...interval];

/** Bars that lie, one row for each element, most influential on top; with their own intervals where they have them. */
function barChart(groups: readonly BarGroup[], title: string, palette: Palette): ChartConfiguration {
  const names = groups[0]?.bars.map(({ name }) => name) ?? [];
  /** What is the same in every row is to be seen too. */
  const least = 0.002 * (extentOf(groups.flatMap(({ bars: rows }) => rows.map(({ to }) => Math.abs(to))))?.[1] ?? 0);
  const spanOf = ({ from, to }: Bar): [number, number] => (from === to ? [from - least, to + least] : [from, to]);
  const datasets = groups.map(({ title: label, color, bars: rows }): ChartDataset => {
    const look = {
      label,
      backgroundColor: color as string,
      borderWidth: 0,
      maxBarThickness: 14,
      categoryPercentage: 0.7,
      barPercentage: 0.85,
    };
    if (!rows.some(({ interval }) => interval)) return { type: 'bar', data: rows.map(spanOf), ...look };
    return {
      type: 'barWithErrorBars',
      data: rows.map(({ to, interval }, i) => ({ x: to, y: i, xMin: interval?.[0] ?? to, xMax: interval?.[1] ?? to })),
      ...look,
      errorBarColor: palette['ink']!,
      errorBarWhiskerColor: palette['ink']!,
      errorBarLineWidth: 1.5,
      errorBarWhiskerLineWidth: 1.5,
      errorBarWhiskerRatio: 0,
      errorBarWhiskerSize: 8,
    } as unknown as ChartDataset;
  });
  const ends = endsOf([0, ...groups.flatMap(({ bars: rows }) => rows.flatMap(reachOf))]);
  const options = chartOptions(
    palette,
    axisOf({ title, grid: true, ...ends }, palette),
    nameAxis(palette),
    ({ x }, index) => {
      const bar = groups[0]?.bars[index];
      return `${bar?.name ?? ''}: ${formatNumber(x)}`;
    },
  );
  return { type: 'bar', data: { labels: names, datasets }, options: { ...options, indexAxis: 'y' } };
}

/** What raises the output and what lowers it. */
function tornado(rows: readonly Bar[], title: string, palette: Palette): ChartConfiguration {
  const colors = rows.map(({ from, to }) => (from + to < 0 ? palette['neg']! : palette['pos']!));
  return barChart([{ title, color: colors, bars: rows }], title, palette);
}

/** Mean magnitude against spread: far right is influential, far up depends on the others or is curved. */
function morrisChart({ indices }: SensitivityReport, palette: Palette): ChartConfiguration {
  const points = indices.map((row) => ({ x: numberOf(row, 'muStar'), y: numberOf(row, 'sigma') }));
  const named = {
    ...circlesOf(points, palette, palette['curve']!, 3.5),
    names: indices.map(({ name }) => name),
    nameColor: palette['ink-2']!,
  };
  const most = Math.max(...points.flatMap(({ x, y }) => [x, y]).filter(Number.isFinite), 0);
  const even = [
    { x: 0, y: 0 },
    { x: most, y: most },
  ];
  return {
    type: 'scatter',
    data: { datasets: [named, lineOf(even, palette['line-3']!, { width: 1, dash: [2, 3], order: 2 })] },
    options: chartOptions(
      palette,
      axisOf({ title: 'μ*, mean magnitude of the elementary effects', grid: false, min: 0 }, palette),
      axisOf({ title: 'σ, their spread', grid: true, min: 0 }, palette),
      ({ x, y }, index) => `${indices[index]?.name ?? ''}: μ* ${formatNumber(x)}, σ ${formatNumber(y)}`,
    ),
  };
}

function sobolChart(report: SensitivityReport, palette: Palette): ChartConfiguration {
  return barChart(
    [
      { title: 'S₁', color: palette['accent']!, bars: bars(report, 'S1') },
      { title: 'Sᴛ', color: palette['other']!, bars: bars(report, 'ST') },
    ],
    'share of the variance: S₁ alone (blue, above), Sᴛ with interactions (grey, below)',
    palette,
  );
}

/** The chart that ranks, for each method. */
export const rankingCharts: {
  readonly [M in SensitivityReport['method']]: (report: SensitivityReport, palette: Palette) => ChartConfiguration;
} = {
  local: (report, palette) => {
    const key = rankedBy(report);
    const over = report.shape.length > 0 ? ', over the rows' : '';
    return tornado(bars(report, key), `${figureTitle(key)} of ${report.of}${over}`, palette);
  },
  morris: morrisChart,
  sobol: sobolChart,
  dgsm: (report, palette) => {
    const rows = bars(report, 'bound');
    return barChart([{ title: 'bound', color: palette['accent']!, bars: rows }], 'upper bound on Sᴛ', palette);
  },
  'active-subspace': (report, palette) =>
    barChart(
      [{ title: 'activity score', color: palette['accent']!, bars: bars(report, 'activityScore') }],
      'activity score',
      palette,
    ),
};

/** Lines with their names at the end; they differ in dash as well as in colour. */
function linesChart(
  lines: readonly Course[],
  { title, log, y }: { readonly title: string; readonly log: boolean; readonly y: string },
  palette: Palette,
): ChartConfiguration {
  const last = extentOf(lines.flatMap(({ points }) => points.map(({ x }) => x)))?.[1];
  const options = chartOptions(
    palette,
    axisOf({ title, grid: false, log, max: last }, palette),
    axisOf({ title: y, grid: true }, palette),
    (point) => `${title} ${formatNumber(point.x)}: ${formatNumber(point.y)}`,
  );
  return {
    type: 'line',
    data: {
      datasets: lines.map(({ name, points }, i) => {
        const { color, dash } = hueOf(i, palette);
        const names = points.map((_, k) => (k === points.length - 1 ? name : ''));
        return { ...lineOf(points, color, { width: 1.5, dash }), names, nameColor: color };
      }),
    },
    options: { ...options, layout: roomForNames(lines.map(({ name }) => name)) },
  };
}

function convergenceChart(report: SensitivityReport, palette: Palette): ChartConfiguration {
  return linesChart(convergenceLines(report, 'ST'), { title: 'samples', log: true, y: '' }, palette);
}

/** Along the rows of an array: the figure that ranks, of Sobol' both. */
function courseCharts(report: SensitivityReport): FurtherChart[] {
  return courseKeys(report).map((key) => {
    const y = figureTitle(key.replace(/Course$/, ''));
    return {
      title: `${y} ${report.along ? `over ${report.along.x.label}` : 'along the rows'}`,
      draw: (of, palette) => linesChart(courses(of, key), { ...courseAxis(of), y }, palette),
    };
  });
}

function eigenvalueChart({ eigenvalues = [] }: SensitivityReport, palette: Palette): ChartConfiguration {
  const points = eigenvalues.flatMap((y, i) => (y > 0 ? [{ x: i + 1, y }] : []));
  return {
    type: 'scatter',
    data: {
      datasets: [
        circlesOf(points, palette, palette['curve']!, 3),
        lineOf(points, palette['line-3']!, { width: 1, order: 2 }),
      ],
    },
    options: chartOptions(
      palette,
      axisOf({ title: 'direction', grid: false, whole: true, min: 0.5, max: eigenvalues.length + 0.5 }, palette),
      axisOf({ title: '', grid: true, log: true }, palette),
      ({ x, y }) => `direction ${formatNumber(x)}: ${formatNumber(y)}`,
    ),
  };
}

/** Rows of bars need their height, and no more of it. */
export function rankingHeight({ method, indices }: SensitivityReport): number | undefined {
  if (method === 'morris') return undefined;
  return 96 + Math.min(indices.length, mostBars) * (method === 'sobol' ? 44 : 26);
}

export interface FurtherChart {
  readonly title: string;
  readonly draw: (report: SensitivityReport, palette: Palette) => ChartConfiguration;
}

/** What stands beside the ranking. */
export function furtherCharts(report: SensitivityReport): FurtherChart[] {
  if (report.method === 'active-subspace')
    return [
      { title: 'Eigenvalues', draw: eigenvalueChart },
      {
        title: 'First direction',
        draw: (of, palette) => tornado(firstDirection(of), 'weight, by half-ranges', palette),
      },
    ];
  const settling = (report.convergence ?? []).length > 1;
  return [...courseCharts(report), ...(settling ? [{ title: 'Sᴛ as the sample grows', draw: convergenceChart }] : [])];
}
