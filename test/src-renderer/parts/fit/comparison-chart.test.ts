import { expect, it } from 'vitest';
import type { Plot } from '../../../../src-main/contract/plots.ts';
import { comparisonChart } from '../../../../src-renderer/parts/fit/comparison-chart.ts';

const palette = new Proxy({}, { get: () => '#000000' }) as Record<string, string>;

it('draws of several runs nothing that has no place on a logarithmic axis', () => {
  const axis = (label: string, scale: 'log' | 'linear') => ({ id: label, label, unit: '', scale });
  const points = { x: [0, 1, 10], y: [50, 1, 2], predicted: [40, 1, 2] };
  const plot: Plot = {
    ...{ of: 'loss', kind: 'comparison', prediction: null, by: null, x: axis('x', 'log'), y: axis('y', 'linear') },
    groups: [{ key: null, points }],
  };
  const { data, options } = comparisonChart({ runs: [{ plot }], group: 0 }, palette);
  for (const { data: drawn } of data.datasets)
    expect((drawn as { x: number; y: number }[]).map(({ x, y }) => [x, y])).toEqual([
      [1, 1],
      [10, 2],
    ]);
  expect((options!.scales!['y'] as { max: number }).max).toBeLessThan(5);
});
