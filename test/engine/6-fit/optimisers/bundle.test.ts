/** Minima at kinks: where they are, and what is none. */
import { describe, expect, it } from 'vitest';
import { nearestToZero } from '../../../../engine/6-fit/algebra/convex-hull.ts';
import { minimumAtKink } from '../../../../engine/6-fit/optimisers/bundle.ts';

const free = { lower: -Infinity, upper: Infinity };
const by = (value: (p: number[]) => number, gradient: (p: number[]) => number[]) => (u: Float64Array) =>
  Promise.resolve({ value: value([...u]), gradient: Float64Array.from(gradient([...u])) });
const minimum = (slope: ReturnType<typeof by>, start: number[], bounds = start.map(() => free)) =>
  minimumAtKink(slope, bounds, Float64Array.from(start), () => false);

describe('the nearest point of a hull', () => {
  it('is that of a triangle about 0', () => {
    const corners = [
      [1, 0],
      [-1, 1],
      [-1, -1],
    ].map((corner) => Float64Array.from(corner));
    const shares = nearestToZero(corners, [0, 0, 0]);
    [0.5, 0.25, 0.25].forEach((share, i) => expect(shares[i]).toBeCloseTo(share, 9));
  });

  it('minds what corners cost, and those that say the same', () => {
    const corners = [1, -1, -1, -1].map((x) => Float64Array.of(x));
    // ½(2λ − 1)² + c·(1 − λ), least at λ = ½ + c/4.
    expect(nearestToZero(corners, [0, 0.4, 0.4, 9])[0]).toBeCloseTo(0.6, 9);
  });
});

describe('a minimum at a kink', () => {
  it('is found at a corner and in a curved ravine', async () => {
    const corner = by(
      ([x = NaN, y = NaN]) => 3 * Math.abs(x - 1) + Math.abs(x + y),
      ([x = NaN, y = NaN]) => [3 * Math.sign(x - 1) + Math.sign(x + y), Math.sign(x + y)],
    );
    const found = await minimum(corner, [4, 7]);
    expect(found?.isMinimum).toBe(true);
    expect(found?.point[0]).toBeCloseTo(1, 9);
    expect(found?.point[1]).toBeCloseTo(-1, 9);
    // Rosenbrock's function with its square bent into a kink: least at (1, 1).
    const ravine = by(
      ([x = NaN, y = NaN]) => (1 - x) ** 2 + Math.abs(y - x * x) + 1,
      ([x = NaN, y = NaN]) => {
        const side = Math.sign(y - x * x);
        return [-2 * (1 - x) - 2 * x * side, side];
      },
    );
    const bent = await minimum(ravine, [0.7, 0.4]);
    expect(bent?.isMinimum).toBe(true);
    bent?.point.forEach((u) => expect(Math.abs(u - 1)).toBeLessThan(1e-5));
  });

  it('is the whole level between two kinks', async () => {
    const median = by(
      ([x = NaN]) => Math.abs(x - 1) + Math.abs(x - 2),
      ([x = NaN]) => [Math.sign(x - 1) + Math.sign(x - 2)],
    );
    const found = await minimum(median, [9]);
    expect(found).toMatchObject({ isMinimum: true, value: 1 });
  });

  it('may lie at a bound', async () => {
    const held = by(
      ([x = NaN, y = NaN]) => 1 + Math.abs(x) + Math.abs(y - x),
      ([x = NaN, y = NaN]) => [Math.sign(x) - Math.sign(y - x), Math.sign(y - x)],
    );
    const found = await minimum(held, [2, 5], [{ lower: 2, upper: Infinity }, free]);
    expect(found).toMatchObject({ isMinimum: true });
    found?.point.forEach((u) => expect(u).toBeCloseTo(2, 9));
    const left = await minimum(held, [-2, 5], [{ lower: -2, upper: Infinity }, free]);
    expect(left).toMatchObject({ isMinimum: true });
    left?.point.forEach((u) => expect(u).toBeCloseTo(0, 9));
  });

  it('is none where the function goes on down, fades or has a smooth minimum', async () => {
    const roof = by(
      ([x = NaN]) => -Math.abs(x),
      ([x = NaN]) => [-Math.sign(x)],
    );
    const fading = by(
      ([x = NaN]) => Math.exp(-x),
      ([x = NaN]) => [-Math.exp(-x)],
    );
    const bowl = by(
      ([x = NaN]) => 1 + x * x,
      ([x = NaN]) => [2 * x],
    );
    for (const slope of [roof, fading, bowl]) expect((await minimum(slope, [3]))?.isMinimum ?? false).toBe(false);
  });
});
