/** The correlation of the free parameters as a triangle of squares, coloured from −1 through 0 to 1. */
import type { ChartConfiguration, Scale, ScriptableContext } from 'chart.js';
import { formatNumber } from '../../state/words/number-format.ts';
import { chartOptions } from '../charts/chart-options.ts';
import type { Palette } from '../charts/plot-theme.ts';
import { font } from '../charts/plot-theme.ts';

export type Pair = readonly [row: number, column: number];

export interface Correlations {
  readonly names: readonly string[];
  readonly matrix: readonly (readonly number[])[];
  readonly pair: Pair | undefined;
}

/** Below the diagonal, row by row. */
export function pairsOf(count: number): Pair[] {
  return Array.from({ length: count }, (_, i) => Array.from({ length: i }, (_, j): Pair => [i, j])).flat();
}

/** Between two colours `#rrggbb`. */
export function mixed(from: string, to: string, share: number): string {
  const channel = (color: string, at: number) => parseInt(color.slice(at, at + 2), 16);
  const mix = (at: number) => Math.round(channel(from, at) + (channel(to, at) - channel(from, at)) * share);
  return `#${[1, 3, 5].map((at) => mix(at).toString(16).padStart(2, '0')).join('')}`;
}

export function correlationChart({ names, matrix, pair }: Correlations, palette: Palette): ChartConfiguration {
  const pairs = pairsOf(names.length);
  const values = pairs.map(([i, j]) => matrix[i]?.[j] ?? NaN);
  const colors = values.map((value) =>
    Number.isFinite(value)
      ? mixed(palette['zero']!, palette[value < 0 ? 'neg' : 'pos']!, Math.min(1, Math.abs(value)))
      : palette['grid']!,
  );
  const isChosen = (i: number) => pairs[i]?.[0] === pair?.[0] && pairs[i]?.[1] === pair?.[1];
  /** A square's half diagonal, so that neighbours leave a line free. */
  const radius = ({ chart: { chartArea } }: ScriptableContext<'line'>) =>
    chartArea ? Math.SQRT1_2 * Math.max(2, Math.min(chartArea.width, chartArea.height) / (names.length - 1) - 1) : 2;
  /** The first row and the last column have no pair. */
  const axis = (reverse: boolean, from: number, to: number) => ({
    type: 'linear' as const,
    min: from - 0.5,
    max: to - 0.5,
    reverse,
    afterBuildTicks(scale: Scale) {
      scale.ticks = Array.from({ length: to - from }, (_, i) => ({ value: from + i }));
    },
    border: { display: false },
    grid: { display: false },
    ticks: {
      autoSkip: true,
      color: palette['ink-2']!,
      font,
      padding: 3,
      ...(reverse ? {} : { minRotation: 90, maxRotation: 90 }),
      callback: (value: number | string) => names[Number(value)] ?? '',
    },
  });
  const options = chartOptions(palette, axis(false, 0, names.length - 1), axis(true, 1, names.length), (_, index) => {
    const [i, j] = pairs[index]!;
    return `${names[i]} and ${names[j]}: ${formatNumber(values[index]!, 'rough')}`;
  });
  return {
    type: 'line',
    data: {
      datasets: [
        {
          type: 'line',
          showLine: false,
          data: pairs.map(([y, x]) => ({ x, y })),
          pointStyle: 'rect',
          pointRadius: radius,
          pointHoverRadius: radius,
          pointBackgroundColor: colors,
          pointBorderColor: pairs.map((_, i) => (isChosen(i) ? palette['ink']! : 'transparent')),
          pointBorderWidth: pairs.map((_, i) => (isChosen(i) ? 1.5 : 0)),
          clip: false,
        },
      ],
    },
    options,
  };
}
