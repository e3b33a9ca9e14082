/** What each canvas shows, so that a plot can be drawn once more elsewhere: on paper, in a file. */
import type { ChartConfiguration } from 'chart.js';

const shown = new WeakMap<HTMLCanvasElement, () => ChartConfiguration>();

/** `configure` gives a configuration of its own each time: Chart.js changes what it is given. */
export function showsChart(canvas: HTMLCanvasElement, configure: () => ChartConfiguration): void {
  shown.set(canvas, configure);
}

export function chartOn(canvas: HTMLCanvasElement): ChartConfiguration | undefined {
  return shown.get(canvas)?.();
}
