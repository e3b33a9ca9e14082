/** What part of its axes a chart shows, and the gestures that change it: drag a box, wheel with Ctrl, keys. */
import type { Chart, ChartConfiguration } from 'chart.js';
import { pan, zoom } from 'chartjs-plugin-zoom';
import type { ZoomPluginOptions } from 'chartjs-plugin-zoom/types/options';
import type { ScaleName } from '../../../models/notation/scales.ts';
import { decimated } from '../../state/fit/decimate.ts';
import type { Palette } from './plot-theme.ts';

interface Range {
  readonly min: number;
  readonly max: number;
}

/** Null is all of it. */
export type View = { readonly [axis in 'x' | 'y']: Range } | null;

export function viewOf({ scales }: Chart): View {
  const { x, y } = scales;
  return x && y ? { x: { min: x.min, max: x.max }, y: { min: y.min, max: y.max } } : null;
}

/** Rows by name are all looked at, or none. */
export function canZoom({ options }: ChartConfiguration): boolean {
  return [options?.scales?.['x'], options?.scales?.['y']].every((axis) => axis?.type !== 'category');
}

/** How both axes are divided, as one word. */
export function divisionOf({ options }: ChartConfiguration): string {
  const { x, y } = options?.scales ?? {};
  return [x, y].map((axis) => (axis as { division?: ScaleName } | undefined)?.division ?? axis?.type ?? '').join(' ');
}

export function gestures(palette: Palette, changed: () => void): ZoomPluginOptions {
  return {
    zoom: {
      mode: 'xy',
      wheel: { enabled: true, modifierKey: 'ctrl' },
      drag: {
        enabled: true,
        threshold: 8,
        backgroundColor: palette['band']!,
        borderColor: palette['curve']!,
        borderWidth: 1,
      },
      onZoomComplete: changed,
    },
  };
}

/** The chart as it is looked at. A curve of very many points keeps those that can be told apart on `width` pixels. */
export function viewed(
  configuration: ChartConfiguration,
  view: View,
  width: number,
  zooming: ZoomPluginOptions | undefined,
): ChartConfiguration {
  const { data, options = {} } = configuration;
  const { scales = {}, plugins } = options;
  const seen = view ?? undefined;
  const datasets = data.datasets.map((dataset) => ({ ...dataset, data: decimated(dataset.data, seen?.x, width) }));
  return {
    ...configuration,
    data: { ...data, datasets } as ChartConfiguration['data'],
    options: {
      ...options,
      scales: seen ? { ...scales, x: { ...scales['x'], ...seen.x }, y: { ...scales['y'], ...seen.y } } : scales,
      plugins: { ...plugins, ...(zooming && { zoom: zooming }) },
    },
  };
}

const step = 40;
const moves = new Map<string, (chart: Chart) => void>([
  ['+', (chart) => zoom(chart, 1.25, 'none')],
  ['=', (chart) => zoom(chart, 1.25, 'none')],
  ['-', (chart) => zoom(chart, 0.8, 'none')],
  ['ArrowLeft', (chart) => pan(chart, { x: step }, undefined, 'none')],
  ['ArrowRight', (chart) => pan(chart, { x: -step }, undefined, 'none')],
  ['ArrowUp', (chart) => pan(chart, { y: step }, undefined, 'none')],
  ['ArrowDown', (chart) => pan(chart, { y: -step }, undefined, 'none')],
]);

/** Whether the key meant something. Arrow keys move only what has been zoomed: else they scroll. */
export function moveByKey(chart: Chart, key: string, view: View): boolean {
  const move = moves.get(key);
  if (!move || (key.startsWith('Arrow') && !view)) return false;
  move(chart);
  return true;
}
