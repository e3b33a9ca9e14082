/** Steps within bounds: the minimum of ‖A·u + b‖² over a box is where the projected gradient is zero. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Coordinate } from '../../../../engine/6-fit/coordinates.ts';
import { levenbergMarquardt } from '../../../../engine/6-fit/optimisers/levenberg-marquardt.ts';
import { scalarParameter } from '../../../support/study-problems.ts';

const parameter = scalarParameter('x', 0);
const unknowns = 4;
const rows = 5;
const numbers = (length: number) =>
  fc.array(
    fc.integer({ min: -200, max: 200 }).map((value) => value / 100),
    { minLength: length, maxLength: length },
  );

it('ends where no coordinate can go down, from any start in the box', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(numbers(unknowns), { minLength: rows, maxLength: rows }),
      numbers(rows),
      numbers(unknowns),
      async (a, b, from) => {
        const all: Coordinate[] = from.map((_, element) => ({ parameter, element, lower: -1, upper: 1 }));
        const jacobian = from.map((_, j) => Float64Array.from(a, (row) => row[j]!));
        const residualsAt = (u: Float64Array) =>
          Float64Array.from(a, (row, i) => row.reduce((sum, x, j) => sum + x * u[j]!, 5 * b[i]!));
        const linearise = (u: Float64Array) => Promise.resolve({ residuals: residualsAt(u), jacobian });
        const start = Float64Array.from(from, (value) => value / 2);
        const { status, point } = await levenbergMarquardt(linearise, all, start, { maxIterations: 500 });
        expect(status).toBe('converged');
        const residuals = residualsAt(point);
        const size = Math.hypot(...residuals) || 1;
        jacobian.forEach((column, j) => {
          const slope = column.reduce((sum, x, i) => sum + x * residuals[i]!, 0) / size;
          if (slope > 1e-5) expect(point[j]).toBeCloseTo(-1, 9);
          if (slope < -1e-5) expect(point[j]).toBeCloseTo(1, 9);
        });
      },
    ),
    { numRuns: 300 },
  );
});
