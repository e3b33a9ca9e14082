/** Many starts as one batch. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/5-runtime/cpu/cpu-device.ts';
import type { Device } from '../../../engine/5-runtime/device.ts';
import { fit } from '../../../engine/6-fit/fit.ts';
import { fitFromStarts } from '../../../engine/6-fit/multistart.ts';
import { startingPoints } from '../../../engine/6-fit/starting-points.ts';
import type { FitMethod } from '../../../engine/6-fit/methods.ts';
import type { FitProblem } from '../../../engine/6-fit/problem.ts';
import { nistFormulas, readNist } from '../../nist/problems.ts';
import { curveProblem, densityProblem, scalarParameter } from '../../support/study-problems.ts';

let device: Device;
beforeAll(() => {
  device = cpuDevice();
});
afterAll(() => device.close());

function misra(): FitProblem {
  const { starts, columns } = readNist('Misra1a');
  const parameters = [
    scalarParameter('b1', starts[1][0]!, { lower: [10], upper: [1000] }),
    scalarParameter('b2', starts[1][1]!, { lower: [1e-5], upper: [1e-2], scale: 'log' }),
  ];
  return curveProblem({
    formula: nistFormulas['Misra1a']!,
    x: columns.get('x') ?? [],
    y: columns.get('y') ?? [],
    parameters,
  });
}

/** Three minima, the lowest near -2. */
const valleys = (): FitProblem => {
  const parameters = [scalarParameter('p', 3, { lower: [-10], upper: [10] })];
  return densityProblem('(p^2 - 4)^2 + p', parameters);
};

describe('starting points', () => {
  const parameters = [
    scalarParameter('a', 2, { lower: [1], upper: [100], scale: 'log' }),
    scalarParameter('b', -3),
    scalarParameter('c', 7, { fixed: true }),
  ];
  const drawn = (seed: number) =>
    [...startingPoints(parameters, 64, seed)].map((all) => all.map(({ initial }) => initial[0]));

  it('begin with the problem’s own, and keep what is fixed', () => {
    expect(drawn(1)[0]).toEqual([2, -3, 7]);
    expect(drawn(1).every(([, , c]) => c === 7)).toBe(true);
    expect(drawn(1)).toEqual(drawn(1));
    expect(drawn(1)).not.toEqual(drawn(2));
  });

  it('fill the ranges evenly, on a log scale in logarithms', () => {
    const others = drawn(3).slice(1) as [number, number, number][];
    expect(others.every(([a, b]) => a >= 1 && a <= 100 && b >= -33 && b <= 27)).toBe(true);
    // Of 63 scrambled Sobol' points each half holds 31 or 32.
    expect(Math.abs(others.filter(([a]) => a < 10).length - 31.5)).toBeLessThan(1);
    expect(Math.abs(others.filter(([, b]) => b < -3).length - 31.5)).toBeLessThan(1);
  });
});

describe('a fit from many starts', () => {
  it.each<FitMethod>(['levenberg-marquardt', 'l-bfgs-b', 'newton-cg'])(
    'ends where one after another would, by %s',
    async (method) => {
      const problem = misra();
      const found = await fitFromStarts(problem, device, { method, starts: 6, seed: 4 });
      const alone = [];
      for (const parameters of startingPoints(problem.parameters, 6, 4))
        alone.push(await fit({ ...problem, parameters }, device, { method }));
      expect(found.status).toBe('converged');
      expect(found.starts?.ends.map(({ start }) => start).sort()).toEqual([0, 1, 2, 3, 4, 5]);
      for (const { start, objective, status } of found.starts?.ends ?? []) {
        expect(status, `start ${start}`).toBe(alone[start]?.status);
        const there = alone[start]!.objective;
        expect(Math.abs(objective / there - 1), `start ${start}`).toBeLessThan(1e-8);
      }
      const lowest = Math.min(...alone.map(({ objective }) => objective));
      expect(Math.abs(found.objective / lowest - 1)).toBeLessThan(1e-10);
      expect(found.starts?.atBest).toBe(
        alone.filter(({ status, objective }) => status === 'converged' && objective < lowest * (1 + 1e-6)).length,
      );
      expect(found.iterations).toBeGreaterThan(found.history.length);
    },
  );

  it.each<FitMethod>(['adam', 'nelder-mead', 'newton-cg', 'l-bfgs-b'])(
    'finds the lower valley, by %s',
    async (method) => {
      const found = await fitFromStarts(valleys(), device, { method, starts: 12, seed: 5 });
      expect(found.estimates[0]?.value).toBeCloseTo(-2.0304, 3);
      const objectives = found.starts!.ends.map(({ objective }) => objective);
      expect(objectives).toEqual([...objectives].sort((a, b) => a - b));
      expect(found.starts?.atBest).toBeGreaterThan(1);
      expect(found.starts?.atBest).toBeLessThan(12);
    },
  );

  it('says how many have ended, and stops all with the best point', async () => {
    const cancel = new Int32Array(1);
    const seen: { done: number; all: number }[] = [];
    let energies: number[] = [];
    const found = await fitFromStarts(valleys(), device, {
      method: 'adam',
      starts: 8,
      cancel,
      onProgress(iteration, energy, _, starts) {
        energies.push(energy);
        if (starts) seen.push(starts);
        if (iteration === 20) cancel[0] = 1;
      },
    });
    expect(found.status).toBe('cancelled');
    expect(found.objective).toBe(Math.min(...energies));
    expect(seen.every(({ done, all }) => done <= all && all === 8)).toBe(true);
    energies = energies.slice(1);
    expect(energies.every((energy, i) => i === 0 || energy <= energies[i - 1]!)).toBe(true);
  });

  it('draws another where the model has no value', async () => {
    const problem = densityProblem('x - log(x)', [scalarParameter('x', 2, { lower: [-6], upper: [6] })]);
    const found = await fitFromStarts(problem, device, { method: 'newton-cg', starts: 8, seed: 1 });
    expect(found.estimates[0]?.value).toBeCloseTo(1, 8);
    expect(found.starts?.ends.map(({ status }) => status)).not.toContain('failed');
    expect(found.starts?.atBest).toBe(8);
  });

  it('tells minima apart, and counts who came to each', async () => {
    const found = await fitFromStarts(valleys(), device, { method: 'newton-cg', starts: 12, seed: 5 });
    const basins = found.basins ?? [];
    // Minima of (p² - 4)² + p: 4p·(p² - 4) + 1 = 0.
    expect(basins.map(({ parameters }) => Math.sign(parameters.get('p')![0]!))).toEqual([-1, 1]);
    for (const { objective, parameters } of basins) {
      const p = parameters.get('p')![0]!;
      expect(Math.abs(4 * p * (p * p - 4) + 1)).toBeLessThan(1e-9);
      expect(objective).toBeCloseTo((p * p - 4) ** 2 + p, 10);
    }
    const converged = found.starts?.ends.filter(({ status }) => status === 'converged').length;
    expect(basins.reduce((sum, { starts }) => sum + starts, 0)).toBe(converged);
  });

  it.each<FitMethod>(['newton-cg', 'l-bfgs-b', 'adam', 'nelder-mead'])(
    'looks at kinks from every start, by %s',
    async (method) => {
      // Laplace's distribution: the median, and the mean distance from it.
      const at = [-1.5, -0.2, 0.1, 0.4, 0.5, 1.1, 1.9, 2.6, 7];
      const formula = `${at.map((y) => `abs(m - (${y}))/exp(s)`).join(' + ')} + 9*s`;
      const parameters = [
        scalarParameter('m', -1, { lower: [-4], upper: [4] }),
        scalarParameter('s', 1, { lower: [-1], upper: [2] }),
      ];
      const found = await fitFromStarts(densityProblem(formula, parameters), device, { method, starts: 8, seed: 1 });
      const distance = at.reduce((sum, y) => sum + Math.abs(y - 0.5), 0) / 9;
      const least = 9 + 9 * Math.log(distance);
      expect(found.status, found.reason).toBe('converged');
      expect(found.energy).toBeCloseTo(least, 5);
      // What is convex in each of m and s has one minimum, and every start comes to it.
      expect(found.starts?.ends.map(({ status }) => status)).toEqual(Array(8).fill('converged'));
      expect(found.starts?.atBest).toBe(8);
      expect(found.basins?.map(({ starts }) => starts)).toEqual([8]);
    },
  );

  it('takes terms that have changed places for one minimum', async () => {
    const x = Array.from({ length: 16 }, (_, i) => i / 4);
    const y = x.map((t, i) => 3 * Math.exp(-2 * t) + 2 * Math.exp(-0.3 * t) + 0.01 * Math.sin(7 * i));
    const parameters = ['a', 'k', 'b', 'l'].map((name, i) => scalarParameter(name, i + 1, { lower: [0], upper: [10] }));
    const problem = curveProblem({ formula: 'a*exp(-k*x) + b*exp(-l*x)', x, y, parameters });
    const found = await fitFromStarts(problem, device, { starts: 16, seed: 2 });
    const [best] = found.basins ?? [];
    expect(best?.starts).toBe(found.starts?.atBest);
    expect(best?.starts).toBeGreaterThan(4);
  });
});
