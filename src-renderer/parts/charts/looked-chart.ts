/** A chart of a study as the document has it look: how its axes are divided, what stands at them, in what letters. */
import type { ChartConfiguration, ChartDataset } from 'chart.js';
import type { PlotLook } from '../../../models/notation/plot-look.ts';
import { fontOf } from '../../../src-main/contract/plot-styles.ts';
import { dividedOver } from './chart-options.ts';
import { axisOf, font as usual, type AxisOptions, type Palette } from './plot-theme.ts';

type Look = Pick<PlotLook, 'x' | 'y' | 'font'>;

/** The configuration itself where the look says nothing. Both axes are of numbers; `own`: the title of each without a look. */
export function lookedChart(
  configuration: ChartConfiguration,
  look: Look,
  palette: Palette,
  own: { readonly x: string; readonly y: string } = { x: '', y: '' },
): ChartConfiguration {
  if (!look.x && !look.y && !look.font) return configuration;
  const { data, options = {} } = configuration;
  const font = fontOf(look, usual);
  const x = lookedAxis('x');
  const y = lookedAxis('y');
  return {
    ...configuration,
    data: { ...data, datasets: data.datasets.map(across) },
    options: { ...options, scales: { ...options.scales, x: x.axis, y: y.axis } },
  };

  function lookedAxis(name: 'x' | 'y') {
    const { scale, title = own[name] } = look[name] ?? {};
    const before = (options.scales?.[name] ?? {}) as AxisOptions & Ends;
    const { min, max, grid } = before;
    // What leads from one end of the axis to the other is drawn for the axis, which is drawn for all else.
    const values = data.datasets
      .filter((dataset) => !isAcross(dataset.data))
      .flatMap((dataset) => (dataset.data as readonly unknown[]).filter(isPoint).map((point) => point[name]));
    const ends: Ends = scale === undefined ? { min, max } : dividedOver(values, scale);
    const drawn = axisOf({ title, grid: grid?.drawOnChartArea === true, few: true, font, ...ends }, palette);
    // Counts are whole numbers, whatever the look says.
    return {
      axis: { ...drawn, ticks: { ...wholeOf(before), ...drawn.ticks } } as AxisOptions,
      before: { min, max },
      ends,
    };
  }

  function across(dataset: ChartDataset): ChartDataset {
    if (!isAcross(dataset.data)) return dataset;
    const moved = (value: number, { before, ends }: ReturnType<typeof lookedAxis>): number =>
      value === before.min ? (ends.min ?? value) : value === before.max ? (ends.max ?? value) : value;
    const points = (dataset.data as readonly unknown[]).filter(isPoint);
    return {
      ...dataset,
      data: points.map((point) => ({ x: moved(point.x, x), y: moved(point.y, y) })),
    };
  }
}

interface Ends {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** A line between two places: a cut-off, an interval, the value of the fit. */
const isAcross = (data: readonly unknown[]): boolean => data.length === 2;

const wholeOf = ({ ticks }: AxisOptions): object => {
  const { precision } = (ticks ?? {}) as { precision?: number };
  return precision === undefined ? {} : { precision };
};

function isPoint(value: unknown): value is { readonly x: number; readonly y: number } {
  const { x, y } = (value ?? {}) as { x?: unknown; y?: unknown };
  return typeof x === 'number' && typeof y === 'number';
}
