import { expect, it } from 'vitest';
import { sketchOf } from '../../../../src-renderer/state/canvas/sketch.ts';

const size = { width: 280, height: 168 };

it('draws points and a curve, and leaves out what is far beyond the data', () => {
  const sketch = sketchOf({ x: [0, 1, 2], y: [0, 1, 2], grid: [0, 1, 2] }, [0, 1, 1e9], size);
  expect(sketch.points).toHaveLength(3);
  expect(sketch.curve.match(/[ML]/g)).toEqual(['M', 'L']);
  for (const [x, y] of sketch.points) {
    expect(x).toBeGreaterThan(46);
    expect(y).toBeLessThan(148);
  }
  expect(sketch.labels.map(({ text }) => text)).toEqual(['2', '0', '0', '2']);
});

it('draws what there is of nothing, one point and a constant', () => {
  expect(sketchOf({ x: [], y: [], grid: [] }, [], size).points).toEqual([]);
  for (const y of [[3], [3, 3]]) {
    const sketch = sketchOf({ x: y.map((_, i) => i), y, grid: [] }, [], size);
    expect(sketch.points.flat().every(Number.isFinite)).toBe(true);
  }
});
