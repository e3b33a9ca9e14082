import { expect, it } from 'vitest';
import { sketchOf } from '../../../../src-renderer/state/import/contest-sketch.ts';

const size = { width: 224, height: 128 };
const line = (x: number[], y: number[]) => ({ x, y });
const none = line([], []);
const drawn = (points: { x: number[]; y: number[] }[], more = {}) => ({
  ...{
    points,
    excluded: points.map(() => none),
    binWidth: null,
    x: { scale: 'linear' as const },
    y: { scale: 'linear' as const },
  },
  ...more,
});

it('draws points and curves by group, and leaves out what is far beyond the data', () => {
  const two = [line([0, 1, 2], [0, 1, 2]), line([0, 1], [2, 2])];
  const sketch = sketchOf(drawn(two), [line([0, 1, 2], [0, 1, 1e9]), line([0, 1], [2, 2])], size);
  expect(sketch.groups.map(({ points }) => points.length)).toEqual([3, 2]);
  expect(sketch.groups[0]?.curve.match(/[ML]/g)).toEqual(['M', 'L']);
  for (const [x, y] of sketch.groups.flatMap(({ points }) => points)) {
    expect(x).toBeGreaterThan(40);
    expect(y).toBeLessThan(110);
  }
  expect(sketch.labels.map(({ text }) => text)).toEqual(['2', '0', '0', '2']);
});

it('spaces powers of ten evenly on a log axis, with what has no logarithm at its left end', () => {
  const x = { scale: 'log' as const };
  const { groups } = sketchOf(drawn([line([0, 1, 10, 100], [1, 2, 3, 4])], { x }), [], size);
  const [zero, one, ten, hundred] = groups[0]!.points.map(([across]) => across);
  expect(zero).toBe(one);
  expect(hundred! - ten!).toBeCloseTo(ten! - one!, 9);
});

it('draws powers of ten of y evenly too, and has room for the figures of both ends', () => {
  const y = { scale: 'log' as const };
  const { groups, labels, axes } = sketchOf(drawn([line([1, 2, 3], [6.858e-4, 6.858e-3, 6.858e-2])], { y }), [], size);
  const [first, second, third] = groups[0]!.points.map(([, up]) => up);
  expect(third! - second!).toBeCloseTo(second! - first!, 9);
  const widest = Math.max(...labels.slice(0, 2).map(({ text }) => text.length));
  expect(labels[0]!.x).toBeGreaterThanOrEqual(6 * widest);
  expect(axes.startsWith(`M${labels[0]!.x + 4.5} `)).toBe(true);
});

it('stands counts on 0 as bars side by side', () => {
  const { bars } = sketchOf(drawn([line([0.5, 1.5], [4, 2])], { binWidth: 1 }), [], size);
  expect(bars[0]!.height).toBeCloseTo(2 * bars[1]!.height, 9);
  expect(bars[0]!.y + bars[0]!.height).toBeCloseTo(bars[1]!.y + bars[1]!.height, 9);
});

it('draws what there is of nothing, one point and a constant', () => {
  expect(sketchOf(drawn([none]), [], size).groups).toEqual([]);
  for (const y of [[3], [3, 3]]) {
    const { groups } = sketchOf(
      drawn([
        line(
          y.map((_, i) => i),
          y,
        ),
      ]),
      [],
      size,
    );
    expect(groups[0]!.points.flat().every(Number.isFinite)).toBe(true);
  }
});
