import { Chart, LinearScale, PointElement, ScatterController, type ChartDataset } from 'chart.js';
import { PointWithErrorBar, ScatterWithErrorBarsController } from 'chartjs-chart-error-bars';
import { describe, expect, it } from 'vitest';
import type { Plot, PlotGroup } from '../../../../src-main/contract/plots.ts';
import { groupMarks } from '../../../../src-renderer/parts/fit/group-marks.ts';
import type { Palette } from '../../../../src-renderer/parts/charts/plot-theme.ts';
import type { Picture } from '../../../../src-renderer/state/fit/pictures.ts';

Chart.register(LinearScale, PointElement, PointWithErrorBar, ScatterController, ScatterWithErrorBarsController);

const palette = { data: '#111111', panel: '#ffffff', 'ink-3': '#999999', band: '#eeeeee', curve: '#0000ff' } as Palette;

/** What Chart.js itself makes of a dataset: the look of each of its points, and the ends of its error bar. */
function drawn(dataset: ChartDataset) {
  const context = new Proxy(
    {},
    { get: (_, name) => (name === 'measureText' ? () => ({ width: 0 }) : () => undefined) },
  );
  const canvas = { width: 300, height: 200, style: {}, getContext: () => context, getAttribute: () => null };
  (context as { canvas?: unknown }).canvas = canvas;
  const chart = new Chart(canvas as never, {
    type: 'scatter',
    data: { datasets: [dataset] } as never,
    options: { animation: false, responsive: false, events: [] },
  });
  const { data } = chart.getDatasetMeta(0);
  const looks = data.map(({ options }): Record<string, unknown> => ({ ...(options as object) }));
  const bars = data.map((point) => {
    const { yMin, yMax } = point as { yMin?: number | null; yMax?: number | null };
    return [yMin, yMax];
  });
  chart.destroy();
  return { looks, bars };
}

describe.each([
  ['without errors', undefined],
  ['with errors', [0.1, 0.1, 0.1, 0.1]],
])('points %s', (_, error) => {
  const points = {
    x: [0, 1, 2, 3],
    y: [1, 2, 3, 4],
    ...(error && { error }),
    excluded: [false, true, false, false],
    censored: [null, null, 'left', 'right'],
  };
  const plot = {
    x: { scale: 'linear' },
    y: { scale: 'linear' },
    groups: [{ key: '', points } as unknown as PlotGroup],
  };
  const [observed] = groupMarks(
    { plot: plot as unknown as Plot, missed: [] as never } as unknown as Picture,
    0,
    palette,
  );

  it('point where the value lies, and look by whether they count', () => {
    const { looks } = drawn(observed!);
    expect(looks.map(({ pointStyle }) => pointStyle)).toEqual(['circle', 'rect', 'triangle', 'triangle']);
    // A triangle points up unless it is turned.
    expect(looks.map(({ rotation }) => rotation)).toEqual([0, 0, 180, 0]);
    expect(looks.map(({ borderColor }) => borderColor)).toEqual(['#111111', '#999999', '#111111', '#111111']);
    expect(new Set(looks.map(({ backgroundColor }) => backgroundColor))).toEqual(new Set(['#ffffff']));
    expect(looks.map(({ radius }) => radius)).toEqual([2.6, 2.6, 2.6 * 1.4, 2.6 * 1.4]);
    expect(looks[0]!['borderWidth']).toBe(1.25);
  });
});

it('draws no error bar of what has no place on a logarithmic axis', () => {
  const points = { x: [0, 0, 1, 2], y: [1, 2, 3, -1] };
  const means = { x: [0, 1, 2], y: [1.5, 3, -1], error: [0.7, 0.2, 2] };
  const log = { scale: 'log' };
  const plot = { x: log, y: log, groups: [{ key: '', points, means } as unknown as PlotGroup] };
  const [observed] = groupMarks(
    { plot: plot as unknown as Plot, missed: [] as never } as unknown as Picture,
    0,
    palette,
  );
  const ends = [expect.any(Number), expect.any(Number)];
  expect(drawn(observed!).bars).toEqual([[null, null], ends, [null, null]]);
});
