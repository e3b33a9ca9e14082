/** A chart of a study as the document has it look: how its axes are divided, what stands at them, in what letters. */
import type { ChartConfiguration } from 'chart.js';
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
  const points = data.datasets.flatMap((dataset) => dataset.data as readonly unknown[]).filter(isPoint);
  const font = fontOf(look, usual);
  const axis = (name: 'x' | 'y'): AxisOptions => {
    const { scale, title = own[name] } = look[name] ?? {};
    const before = (options.scales?.[name] ?? {}) as AxisOptions;
    const { min, max } = before as { min?: number; max?: number };
    const values = points.map((point) => point[name]);
    const divided = scale === undefined ? { min, max } : dividedOver(values, scale);
    const looked = axisOf({ title, grid: name === 'y', few: true, font, ...divided }, palette);
    // Counts are whole numbers, whatever the look says.
    return { ...looked, ticks: { ...wholeOf(before), ...looked.ticks } } as AxisOptions;
  };
  return {
    ...configuration,
    options: {
      ...options,
      scales: { ...options.scales, x: axis('x'), y: axis('y') },
    } as ChartConfiguration['options'] & object,
  };
}

const wholeOf = ({ ticks }: AxisOptions): object => {
  const { precision } = (ticks ?? {}) as { precision?: number };
  return precision === undefined ? {} : { precision };
};

function isPoint(value: unknown): value is { readonly x: number; readonly y: number } {
  const { x, y } = (value ?? {}) as { x?: unknown; y?: unknown };
  return typeof x === 'number' && typeof y === 'number';
}
