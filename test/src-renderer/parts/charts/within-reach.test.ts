import type { ChartConfiguration } from 'chart.js';
import { expect, it } from 'vitest';
import { withinReach } from '../../../../src-renderer/parts/charts/within-reach.ts';
import { histogramChart, pairChart, traceChart } from '../../../../src-renderer/parts/study/uncertainty-charts.ts';
import type { Palette } from '../../../../src-renderer/parts/charts/plot-theme.ts';

const palette = new Proxy({}, { get: () => '#000000' }) as Palette;
const run = [Float64Array.of(0.07, 3e12, -1e308, 1.76e308, Infinity, 0.08), Float64Array.of(1.7e308, 1, 2, 3, 4, 5)];
const samples = { chains: run, value: 0.07, lower: 5e306, upper: 1.76e308 };

/** Every number of a configuration that says where something lies. */
function places({ data, options }: ChartConfiguration): number[] {
  const points = data.datasets.flatMap((dataset) => dataset.data as unknown[]);
  const ends = Object.values(options?.scales ?? {}).flatMap((axis) => {
    const { min, max } = axis as { min?: number; max?: number };
    return [min ?? 0, max ?? 0];
  });
  const of = (point: unknown): number[] =>
    typeof point === 'number' ? [point] : Object.values(point ?? {}).filter((value) => typeof value === 'number');
  return [...points.flatMap(of), ...ends];
}

it.each([
  ['histogram', histogramChart(samples, palette)],
  ['trace', traceChart(samples, palette)],
  ['pair', pairChart({ x: { name: 'Km', ...samples }, y: { name: 'Vmax', ...samples } }, palette)],
])('no chart asks for an axis that cannot be divided: %s of chains that ran away', (_, configuration) => {
  expect(places(configuration).some((value) => Math.abs(value) > 1e300)).toBe(true);
  const near = places(withinReach(configuration));
  expect(near.filter((value) => Math.abs(value) > 1e300)).toEqual([]);
});

it('leaves what can be drawn as it is', () => {
  const data = [{ x: 1, y: -1e299 }];
  const configuration = { type: 'scatter', data: { datasets: [{ data }] } } as ChartConfiguration;
  expect(withinReach(configuration).data.datasets[0]!.data).toBe(data);
});
