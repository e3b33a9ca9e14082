/** Which ends of many starts are one minimum: those that a symmetry of the model takes to each other, and no others. */
import { afterAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/5-runtime/cpu/cpu-device.ts';
import { fitFromStarts } from '../../../engine/6-fit/multistart.ts';
import type { FitParameter, FitProblem } from '../../../engine/6-fit/problem.ts';
import { curveProblem, densityProblem, scalarParameter } from '../../support/study-problems.ts';

const device = cpuDevice();
afterAll(() => device.close());

const between = (name: string, lower: number, upper: number, initial = (lower + 2 * upper) / 3): FitParameter =>
  scalarParameter(name, initial, { lower: [lower], upper: [upper] });
const told = async (problem: FitProblem, starts: number) => {
  const { basins = [], symmetries = [] } = await fitFromStarts(problem, device, { starts, seed: 3 });
  return {
    points: basins.map(({ parameters }) => [...parameters.values()].map(([value]) => value!)),
    symmetries,
  };
};
const x = Array.from({ length: 30 }, (_, i) => i / 5);
const noise = (i: number): number => 0.02 * Math.sin(7 * i * i);

describe('ends of one energy are one minimum', () => {
  it('where two exponentials have changed places', async () => {
    const y = x.map((t, i) => 3 * Math.exp(-2 * t) + 2 * Math.exp(-0.3 * t) + noise(i));
    const parameters = ['a', 'k', 'b', 'l'].map((name) => between(name, 0, 10));
    const found = await told(curveProblem({ formula: 'a*exp(-k*x) + b*exp(-l*x)', x, y, parameters }), 32);
    expect(found.symmetries).toContain('a, k ↔ b, l');
    // As low as this one there is no other.
    expect(found.points.filter(([a = 0]) => Math.abs(a - 3) < 0.2 || Math.abs(a - 2) < 0.2)).toHaveLength(1);
  });

  it('where a width has turned its sign, and where peaks have changed places too', async () => {
    const y = x.map((t, i) => 3 * Math.exp(-((t - 1) ** 2)) + 2 * Math.exp(-(((t - 4) / 0.7) ** 2)) + noise(i));
    const parameters = [
      ...[scalarParameter('h', 2.5), scalarParameter('c', 1.2), scalarParameter('w', 0.8)],
      ...[scalarParameter('i', 2.5), scalarParameter('d', 3.7), scalarParameter('v', 0.8)],
    ];
    const found = await told(
      curveProblem({ formula: 'h*exp(-((x - c)/w)^2) + i*exp(-((x - d)/v)^2)', x, y, parameters }),
      64,
    );
    expect(found.symmetries.join('; ')).toMatch(/±[wv]/);
    expect(found.symmetries.join('; ')).toContain('h, c, w ↔ i, d, v');
    expect(found.points.filter(([h = 0]) => Math.abs(h - 3) < 0.1 || Math.abs(h - 2) < 0.1)).toHaveLength(1);
  });

  it('where a phase has turned', async () => {
    const y = x.map((t, i) => 2 * Math.sin(1.5 * t + 0.4) + noise(i));
    const parameters = [between('A', -5, 5), between('w', 1, 2), scalarParameter('p', 0.2)];
    const free = parameters.map((parameter) => ({ ...parameter, ...(parameter.name === 'A' && unbounded) }));
    const found = await told(curveProblem({ formula: 'A*sin(w*x + p)', x, y, parameters: free }), 32);
    expect(found.symmetries.some((words) => /p ± 2?π/.test(words))).toBe(true);
    expect(found.points.filter(([A = 0]) => Math.abs(Math.abs(A) - 2) < 0.05)).toHaveLength(1);
  });

  it('where they lie along a valley, and a minimum is no point', async () => {
    const y = x.map((t, i) => 6 * t + noise(i));
    const parameters = [between('a', 0.5, 20), between('b', 0.5, 20)];
    const found = await told(curveProblem({ formula: 'a*b*x', x, y, parameters }), 16);
    expect(found.points).toHaveLength(1);
  });
});

const unbounded = { lower: [-Infinity], upper: [Infinity] };

describe('ends of one energy are several minima', () => {
  it('where equations have several solutions: Himmelblau’s four', async () => {
    const problem = densityProblem('(p^2 + q - 11)^2 + (p + q^2 - 7)^2', [between('p', -5, 5), between('q', -5, 5)]);
    const { points, symmetries } = await told(problem, 32);
    expect(points.map((point) => point.map((value) => value.toFixed(3))).sort()).toEqual([
      ['-2.805', '3.131'],
      ['-3.779', '-3.283'],
      ['3.000', '2.000'],
      ['3.584', '-1.848'],
    ]);
    expect(symmetries).toEqual([]);
  });

  it('where what two parameters have in common is not the whole model', async () => {
    // p and q change places in the first two terms alone: (1, 2) and (2, 1) are as low, for the third vanishes at both.
    const problem = densityProblem('(p + q - 3)^2 + (p*q - 2)^2 + (p - 1)^2*(p - 2)^2*p^2', [
      between('p', -4, 4),
      between('q', -4, 4),
    ]);
    const { points, symmetries } = await told(problem, 32);
    expect(
      points
        .slice(0, 2)
        .map(([p = NaN]) => p.toFixed(3))
        .sort(),
    ).toEqual(['1.000', '2.000']);
    expect(symmetries).toEqual([]);
  });
});
