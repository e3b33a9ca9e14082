/** Window and picture reach over what is drawn, and over nothing else. */
import { expect, it } from 'vitest';
import type { Plot, PlotGroup } from '../../../src-main/contract/plots.ts';
import { scalesOf } from '../../../src-main/export/plots/scale.ts';
import { pictureChart } from '../../../src-renderer/parts/fit/fit-charts.ts';
import type { Picture } from '../../../src-renderer/state/fit/pictures.ts';

const palette = new Proxy({}, { get: () => '#000000' }) as Record<string, string>;

function plotOf(group: Partial<PlotGroup>): Plot {
  const axis = (label: string) => ({ id: label, label, unit: '', scale: 'log' as const });
  const points = { x: [0, 0, 1, 1, 100, 100], y: [0.5, 0.3, 1, 2, 5, 6], predicted: [NaN, NaN, 1.5, 1.5, 5, 5] };
  return {
    ...{ of: 'loss', kind: 'comparison', prediction: null, by: null, x: axis('x'), y: axis('y') },
    groups: [{ key: null, points, ...group }],
  };
}

/** From where to where each axis of the window goes, and what of the picture's y has a place. */
function reachOf(plot: Plot) {
  const picture = { plot, group: 0, titles: { x: 'x', y: 'y' }, missed: [], layout: 'front' } as unknown as Picture;
  const { x, y } = pictureChart(picture, palette).options!.scales as Record<'x' | 'y', { min: number; max: number }>;
  const { at, ticks } = scalesOf(plot).y;
  return { x, y, least: at(1), ticks };
}

it.each<[string, Partial<PlotGroup>]>([
  ['a point', {}],
  ['an error bar', { means: { x: [0, 1, 100], y: [0.4, 1.5, 5.5], error: [0.4 - 1e-4, 0.1, 0.1] } }],
  ['the bar of a mean below 0', { means: { x: [1, 100, 200], y: [1.5, 5.5, -1], error: [0.1, 0.1, 1 + 1e-4] } }],
  ['a curve', { curve: { x: [0, 1, 100], y: [1e-4, 1, 5] } }],
])('leaves out %s that has no place', (_, group) => {
  const { x, y, least, ticks } = reachOf(plotOf(group));
  expect(x.min).toBeGreaterThan(0.5);
  expect(x.max).toBeLessThan(150);
  expect(y.min).toBeGreaterThan(0.5);
  expect(least).toBeLessThan(0.3);
  expect(Math.min(...ticks)).toBeGreaterThanOrEqual(0.5);
});

it('reaches over the bar of what is drawn, as far as it has a place', () => {
  const { y, least } = reachOf(plotOf({ means: { x: [1, 10, 100], y: [1.5, 2, 5.5], error: [1.49, 3, 0.1] } }));
  expect(y.min).toBeLessThan(0.01);
  expect(y.max).toBeGreaterThan(5.6);
  expect(least).toBeGreaterThan(0.5);
});
