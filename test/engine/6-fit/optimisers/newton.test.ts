/** Newton's steps within bounds: the minimum of a convex quadratic over a box is where the projected gradient is zero. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Coordinate } from '../../../../engine/6-fit/coordinates.ts';
import type { Quadratic } from '../../../../engine/6-fit/expansion.ts';
import { newton } from '../../../../engine/6-fit/optimisers/newton.ts';
import { scalarParameter } from '../../../support/study-problems.ts';

const parameter = scalarParameter('x', 0);
const numbers = (length: number) =>
  fc.array(
    fc.integer({ min: -200, max: 200 }).map((value) => value / 100),
    { minLength: length, maxLength: length },
  );

/** ½·uᵀ(AᵀA + 10⁻⁴·I)u + bᵀu: long valleys, which a step that is cut at the bounds may leave uphill. */
function quadratic(a: readonly (readonly number[])[], b: readonly number[]): (u: Float64Array) => Promise<Quadratic> {
  const n = b.length;
  const hessian = Array.from({ length: n }, (_, i) =>
    Float64Array.from({ length: n }, (_, j) => a.reduce((sum, row) => sum + row[i]! * row[j]!, i === j ? 1e-4 : 0)),
  );
  return (u) => {
    const product = hessian.map((row) => row.reduce((sum, h, j) => sum + h * u[j]!, 0));
    const gradient = Float64Array.from(product, (p, i) => p + b[i]!);
    const value = product.reduce((sum, p, i) => sum + u[i]! * (0.5 * p + b[i]!), 0);
    return Promise.resolve({ value, gradient, hessian });
  };
}

it('ends where no coordinate can go down, from any start in the box', async () => {
  const n = 4;
  await fc.assert(
    fc.asyncProperty(
      fc.array(numbers(n), { minLength: 2, maxLength: 2 }),
      numbers(n),
      numbers(n),
      async (a, b, from) => {
        const all: Coordinate[] = b.map((_, element) => ({ parameter, element, lower: -1, upper: 1 }));
        const start = Float64Array.from(from, (value) => value / 2);
        const expand = quadratic(
          a,
          b.map((value) => 5 * value),
        );
        const { status, point } = await newton(expand, all, start, { maxIterations: 100 });
        expect(status).toBe('converged');
        const { gradient } = await expand(point);
        point.forEach((value, j) => {
          const slope = gradient[j]!;
          if (slope > 1e-6) expect(value).toBeCloseTo(-1, 9);
          if (slope < -1e-6) expect(value).toBeCloseTo(1, 9);
        });
      },
    ),
    { numRuns: 300 },
  );
});
