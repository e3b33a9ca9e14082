import { describe, expect, it } from 'vitest';
import { nearestToZero } from '../../../../engine/6-fit/algebra/convex-hull.ts';
import { dot, numbers } from '../../../../engine/6-fit/algebra/vectors.ts';
import { partSeed, randomFrom } from '../../../../engine/6-fit/ensembles/random.ts';
import '../../../support/seed.ts';

const promised = (corners: readonly Float64Array[], costs: readonly number[], shares: Float64Array): number => {
  const point = numbers(corners[0]!.length, (c) => corners.reduce((sum, g, i) => sum + shares[i]! * g[c]!, 0));
  return dot(point, point) / 2 + costs.reduce((sum, cost, i) => sum + shares[i]! * cost, 0);
};

/** At the minimum no corner promises more than those that have a share: ½‖p‖² + Σλα falls by moving to none of them. */
function gain(corners: readonly Float64Array[], costs: readonly number[], shares: Float64Array): number {
  const point = numbers(corners[0]!.length, (c) => corners.reduce((sum, g, i) => sum + shares[i]! * g[c]!, 0));
  const slopes = corners.map((g, i) => dot(g, point) + costs[i]!);
  const level = slopes.reduce((sum, slope, i) => sum + shares[i]! * slope, 0);
  return level - Math.min(...slopes);
}

describe('the point of a hull that is nearest to 0', () => {
  const drawn = (seed: number, dimensions: number, count: number) => {
    const random = randomFrom(partSeed(seed, 11));
    const corners = Array.from({ length: count }, () => numbers(dimensions, () => random.normal() + 0.7));
    return { corners, costs: corners.map(() => (seed % 2 === 0 ? 0 : random.uniform())) };
  };

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('is where no corner leads nearer: drawn %d', (seed) => {
    const { corners, costs } = drawn(seed, 1 + (seed % 4), 3 + 5 * seed);
    const shares = nearestToZero(corners, costs);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
    expect(gain(corners, costs, shares)).toBeLessThan(1e-9);
  });

  it('takes one of many corners that say the same', () => {
    const { corners, costs } = drawn(3, 2, 6);
    const alone = nearestToZero(corners, costs);
    const many = corners.flatMap((corner) => Array.from({ length: 40 }, () => corner.slice()));
    const shares = nearestToZero(
      many,
      costs.flatMap((cost) => Array.from({ length: 40 }, () => cost)),
    );
    expect(shares.filter((share) => share > 0).length).toBe(alone.filter((share) => share > 0).length);
    expect(
      promised(
        many,
        costs.flatMap((cost) => Array.from({ length: 40 }, () => cost)),
        shares,
      ),
    ).toBeCloseTo(promised(corners, costs, alone), 9);
  });
});
