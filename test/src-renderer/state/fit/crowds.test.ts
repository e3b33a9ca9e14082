/** A curve can be seen: over points that are many, under those of which each counts. */
import { expect, it } from 'vitest';
import type { Plot } from '../../../../src-main/contract/plots.ts';
import { plotSvg } from '../../../../src-main/export/plots/svg.ts';
import type { Palette } from '../../../../src-renderer/parts/charts/plot-theme.ts';
import { groupMarks } from '../../../../src-renderer/parts/fit/group-marks.ts';
import type { Picture } from '../../../../src-renderer/state/fit/pictures.ts';

function plotOf(points: number): Plot {
  const x = Array.from({ length: points }, (_, i) => i);
  const axis = { id: 'x', label: 'x', unit: '', scale: 'linear' } as const;
  return {
    ...{ of: 'loss', kind: 'comparison', prediction: 'curve', by: null, x: axis, y: axis },
    groups: [{ key: null, points: { x, y: x }, curve: { x: [0, points], y: [0, points] } }],
  };
}

it.each([
  [120, false],
  [121, true],
])('%i points: the curve over them %s', (count, over) => {
  const plot = plotOf(count);
  const palette = new Proxy({}, { get: () => '#000000' }) as Palette;
  const [points, curve] = groupMarks({ plot, missed: [] } as unknown as Picture, 0, palette);
  // What has the lower order is drawn later.
  expect(curve!.order! < points!.order!).toBe(over);
  const svg = plotSvg(plot);
  expect(svg.indexOf('class="curve"') > svg.lastIndexOf('class="data"')).toBe(over);
});
