/** When a search that doubts the end of a profile goes on, and when it may stop. */
import { describe, expect, it } from 'vitest';
import { coordinates } from '../../../../engine/6-fit/coordinates.ts';
import type { Ending } from '../../../../engine/6-fit/problem.ts';
import { fittedFrom } from '../../../../engine/7-study/uncertainty/fitted.ts';
import { apart, whileOpen, type Ended } from '../../../../engine/7-study/uncertainty/profile-doubts.ts';
import { curveProblem, scalarParameter } from '../../../support/study-problems.ts';

/** Of one parameter at 0 with standard error 1. */
function fittedOf(formula: string) {
  const problem = curveProblem({ formula, x: [0, 1], y: [0, 0], parameters: [scalarParameter('p', 0)] });
  const estimates = [{ name: 'p', value: 0, standardError: 1 }];
  expect(coordinates(problem.parameters)).toHaveLength(1);
  return fittedFrom(problem, {
    correlation: { names: ['p'], matrix: [[1]] },
    energy: 0,
    status: 'converged',
    estimates,
  });
}

const smooth = fittedOf('p + x');
const kinked = fittedOf('abs(p) + x');

const atItsEnd: Ending = {
  status: 'converged',
  reason: 'at its end',
  point: Float64Array.of(0),
  iterations: 0,
  history: [],
};

/** A search over these points with these energies, one after the other: how it ended, and after how many. */
async function followed(fitted: typeof smooth, ends: readonly Ended[], steps: readonly (readonly [number, number])[]) {
  let seen = 0;
  const ending = await whileOpen(
    fitted,
    { enough: 1, scale: 2, ends },
    (point) => point,
    660,
    (onIteration) => {
      for (const [i, [at, energy]] of steps.entries()) {
        seen++;
        onIteration(i, energy, Float64Array.of(at));
      }
      return Promise.resolve(atItsEnd);
    },
  );
  return { seen, ending };
}

const pace = (by: number, from = 1.2) => Array.from({ length: 40 }, (_, i) => [10 + i, from - by * i] as const);

describe('a search that doubts an end', () => {
  it('stops where another has ended lower, and not where that ended higher', async () => {
    const steps = [
      [5, 9],
      [3.05, 2],
      [3, 1.9],
    ] as const;
    const lower = [{ point: Float64Array.of(3), energy: 1.9 }];
    const { seen, ending } = await followed(smooth, lower, steps);
    expect([seen, ending.status, ending.history.at(-1)]).toEqual([2, 'not-converged', 2]);
    expect((await followed(smooth, [{ point: Float64Array.of(3), energy: 2.5 }], steps)).seen).toBe(3);
    expect((await followed(smooth, [{ point: Float64Array.of(2.5), energy: 1.9 }], steps)).seen).toBe(3);
    // At a kink another minimum may lie as near.
    expect((await followed(kinked, lower, steps)).seen).toBe(3);
  });

  it('stops where it creeps and will not come down in time, and not where it will, or is far above', async () => {
    expect((await followed(smooth, [], pace(1e-6))).seen).toBe(11);
    expect((await followed(smooth, [], pace(1e-3))).seen).toBe(40);
    expect((await followed(smooth, [], pace(1e-6, 5))).seen).toBe(40);
    // What is not excluded is followed to its end.
    expect((await followed(smooth, [], pace(1e-6, 0.9))).seen).toBe(40);
  });

  it('takes no pace over from a search before it', async () => {
    let seen = 0;
    await whileOpen(
      smooth,
      { enough: 1, scale: 2, ends: [] },
      (point) => point,
      660,
      (onIteration) => {
        for (const from of [1.2, 1.4])
          for (let i = 0; i < 10; i++) {
            seen++;
            onIteration(i, from - 1e-6 * i, Float64Array.of(10 + i));
          }
        return Promise.resolve(atItsEnd);
      },
    );
    expect(seen).toBe(20);
  });

  it('keeps an error', async () => {
    const failing = whileOpen(
      smooth,
      { enough: 1, scale: 2, ends: [] },
      (point) => point,
      660,
      () => {
        return Promise.reject(new Error('of the device'));
      },
    );
    await expect(failing).rejects.toThrow('of the device');
  });
});

it('of ends beside each other the lowest is kept, but where there may be kinks', () => {
  const ends = [
    [3, 2],
    [3.05, 1.9],
    [4, 5],
    [6, NaN],
  ].map(([at, energy]) => ({ point: Float64Array.of(at!), energy: energy! }));
  expect(apart(smooth, ends).map(({ point }) => point[0])).toEqual([3.05, 4]);
  expect(apart(kinked, ends).map(({ point }) => point[0])).toEqual([3.05, 3, 4]);
});
