/** Points and weights of Gauss and Hermite, against what they integrate exactly and what they must be alike. */
import { expect, it } from 'vitest';
import { hermiteGrid } from '../../../../engine/6-fit/marginal/quadrature.ts';

it.each([1, 2, 7, 25, 50, 100, 200])(
  '%i points integrate powers of a normal variable, and tails that are twice as wide',
  (n) => {
    const { points, logWeights } = hermiteGrid(n, 1);
    const mean = (f: (z: number) => number): number =>
      points.reduce((sum, [z = 0], k) => sum + Math.exp(logWeights[k]! - (z * z) / 2) * f(z), 0);
    expect(mean(() => 1)).toBeCloseTo(1, 13);
    if (n > 2) expect(mean((z) => z ** 4)).toBeCloseTo(3, 12);
    // ∫ N(z; 0, 1)·exp(½z² − ⅛z²) dz = 2: where the outermost weights are lost in rounding, this is not.
    const wide = points.reduce((sum, [z = 0], k) => sum + Math.exp(logWeights[k]! - (z * z) / 8), 0);
    if (n >= 50) expect(wide).toBeCloseTo(2, n >= 100 ? 12 : 6);
    for (const k of points.keys()) {
      expect(points[k]![0]! + points[n - 1 - k]![0]!).toBeCloseTo(0, 12);
      expect(logWeights[k]! - logWeights[n - 1 - k]!).toBeCloseTo(0, 12);
    }
  },
);
