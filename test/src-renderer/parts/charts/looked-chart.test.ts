/** Charts of studies as the document has them look. */
import { expect, it } from 'vitest';
import { histogramChart, pairChart, profileChart } from '../../../../src-renderer/parts/study/uncertainty-charts.ts';
import type { Palette } from '../../../../src-renderer/parts/charts/plot-theme.ts';

const palette = new Proxy({}, { get: () => '#000000' }) as Palette;
const profile = {
  ...{ name: 'k', squared: true, value: 1, lower: 0.1, upper: 10, tone: 'ok' as const, quadratic: [], cutoffs: [3.84] },
  points: [0.01, 0.1, 1, 10, 100].map((x) => ({ x, y: Math.log(x) ** 2 })),
};
const scalesOf = ({ options }: ReturnType<typeof profileChart>) =>
  options?.scales as unknown as Record<
    'x' | 'y',
    {
      type: string;
      division?: string;
      min?: number;
      max?: number;
      title: { text: string };
      ticks: { font: object; precision?: number };
    }
  >;

it('divides and names the axes of a profile, in the letters that are asked for', () => {
  const plain = profileChart(profile, palette);
  const written = (chart: typeof plain) => JSON.stringify(chart);
  expect(written(profileChart({ ...profile, look: { title: 'Rate' } }, palette))).toBe(written(plain));
  const look = { x: { scale: 'log', title: 'rate, 1/h' }, font: { family: 'serif', size: 9 } } as const;
  const { x, y } = scalesOf(profileChart({ ...profile, look }, palette));
  expect(x).toMatchObject({ division: 'log', title: { text: 'rate, 1/h' }, ticks: { font: { size: 12 } } });
  expect(x.min).toBeGreaterThan(0);
  expect(y).toMatchObject({ type: 'linear', min: 0, ticks: { font: { size: 12 } } });
  // The cut-off leads from end to end of the axis as it now is.
  const cutoff = profileChart({ ...profile, look }, palette).data.datasets[3]!.data as { x: number }[];
  expect(cutoff.map((point) => point.x)).toEqual([x.min, x.max]);
  // What is drawn is what was computed, however its axes are divided.
  const dataOf = (chart: typeof plain) => chart.data.datasets.slice(0, 2).map(({ data }) => data);
  expect(dataOf(profileChart({ ...profile, look }, palette))).toEqual(dataOf(plain));
});

it('leaves counts as they are, and gives each axis of a pair the look of its parameter', () => {
  const chains = [Float64Array.of(0.1, 1, 10)];
  const look = { x: { scale: 'log' }, y: { scale: 'symlog' } } as const;
  const counts = scalesOf(histogramChart({ chains, value: 1, lower: 0.1, upper: 10, look }, palette));
  expect([counts.x.division, counts.y.type, counts.y.ticks.precision]).toEqual(['log', 'linear', 0]);
  const pair = scalesOf(
    pairChart({ x: { name: 'a', chains, value: 1 }, y: { name: 'b', chains, value: 1, look } }, palette),
  );
  expect([pair.x.type, pair.x.title.text, pair.y.division, pair.y.title.text]).toEqual(['linear', 'a', 'log', 'b']);
});
