import { expect, it } from 'vitest';
import { waterfallChart } from '../../../../src-renderer/parts/fit/fit-charts.ts';

const ends = (objectives: readonly number[]) => {
  const { min, max } = waterfallChart(objectives, {}).options!.scales!['y']!;
  return [min, max];
};

it('draws starts that differ by rounding alone as one minimum, and minima that differ apart', () => {
  const [low, high] = ends([0.124551388944, 0.124551388945, 0.124551388946]);
  expect(low).toBeLessThan(0.12);
  expect(high).toBeGreaterThan(0.13);
  expect(ends([0.1245, 0.1246, 0.3])).toEqual([undefined, undefined]);
  expect(ends([-3, -3 + 1e-12])[0]).toBeCloseTo(-3.3);
  expect(ends([0, 0])).toEqual([undefined, undefined]);
});
