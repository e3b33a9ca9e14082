import { describe, expect, it } from 'vitest';
import { decimated, mostPoints } from '../../../../src-renderer/state/fit/decimate.ts';

const wave = (count: number) => Array.from({ length: count }, (_, x) => ({ x, y: Math.sin(x / 1000) }));

describe('long series', () => {
  it('leaves those alone that can be drawn', () => {
    const points = wave(mostPoints);
    expect(decimated(points, undefined, 400)).toBe(points);
    const bars = Array.from({ length: mostPoints + 1 }, (_, i) => i);
    expect(decimated(bars, undefined, 400)).toBe(bars);
  });

  it('keeps what stands out, the ends and the order, at four points for a pixel', () => {
    const points = wave(200_000);
    points[123_456] = { x: 123_456, y: 7 };
    const kept = decimated(points, undefined, 400);
    expect(kept.length).toBeLessThanOrEqual(4 * 401);
    expect(kept).toContain(points[123_456]);
    expect([kept[0], kept.at(-1)]).toEqual([points[0], points.at(-1)]);
    expect([...kept].sort((a, b) => a.x - b.x)).toEqual(kept);
  });

  it('shows more of a part that is looked at closely, and one neighbour on either side', () => {
    const points = wave(200_000);
    const kept = decimated(points, { min: 1000, max: 1100 }, 400);
    expect(kept.filter(({ x }) => x >= 1000 && x <= 1100)).toHaveLength(101);
    expect(kept).toContain(points[999]);
    expect(kept).toContain(points[1101]);
    expect(kept.length).toBeLessThan(120);
  });
});
