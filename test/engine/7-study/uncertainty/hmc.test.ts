/** Chains on densities whose moments are known, and on Neal's funnel, which they cannot follow. */
import { afterAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../../engine/5-runtime/cpu/cpu-device.ts';
import { fit } from '../../../../engine/6-fit/fit.ts';
import type { FitProblem } from '../../../../engine/6-fit/problem.ts';
import { uncertainty } from '../../../../engine/7-study/uncertainty/study.ts';
import { mixingOf } from '../../../../engine/7-study/chains/diagnostics.ts';
import { adviceOn } from '../../../../engine/7-study/uncertainty/advice.ts';
import { unconstrained } from '../../../../engine/7-study/uncertainty/unconstrained.ts';
import { randomFrom } from '../../../../engine/6-fit/ensembles/random.ts';
import { densityProblem, scalarParameter } from '../../../support/study-problems.ts';

const device = cpuDevice();
afterAll(() => device.close());

async function sample(problem: FitProblem, samples: number, seed = 0, maxIterations = 50) {
  const fitted = await fit(problem, device, { maxIterations });
  const density = { program: problem.program, result: 'f', support: new Map<string, readonly [number, number]>() };
  return uncertainty(problem, { ...fitted, status: 'converged' }, density, device, 'hmc', {
    level: 0.95,
    seed,
    samples,
    comparable: true,
  });
}

describe('chains', () => {
  it('give the moments of a correlated normal', async () => {
    // Σ = [[1, 0.95·10], [0.95·10, 100]], means 3 and −20.
    const quadratic = '((x-3)^2 - 2*0.95*(x-3)*(y+20)/10 + ((y+20)/10)^2)/(2*(1-0.95^2))';
    const found = await sample(densityProblem(quadratic, [scalarParameter('x', 0), scalarParameter('y', 0)]), 1000);
    const [x, y] = found.intervals.map(({ figures }) => figures);
    expect(x?.['rHat']).toBeLessThan(1.01);
    expect(y?.['rHat']).toBeLessThan(1.01);
    expect(found.diagnostics['divergences']).toBe(0);
    const error = (size: number, figures: typeof x): number => (4 * size) / Math.sqrt(figures!['essBulk']!);
    expect(Math.abs(x!['mean']! - 3)).toBeLessThan(error(1, x));
    expect(Math.abs(y!['mean']! + 20)).toBeLessThan(error(10, y));
    expect(Math.abs(x!['standardDeviation']! - 1)).toBeLessThan(0.1);
    expect(Math.abs(y!['standardDeviation']! / 10 - 1)).toBeLessThan(0.1);
    expect(found.intervals[0]?.lower).toBeCloseTo(3 - 1.96, 0);
  });

  it('give those of a gamma density on a parameter with a bound, by its Jacobian term', async () => {
    // Γ(3, rate 2): mean 1.5, variance 0.75.
    const found = await sample(densityProblem('2*x - 2*log(x)', [scalarParameter('x', 1, { lower: [0] })]), 1000);
    const figures = found.intervals[0]?.figures;
    expect(Math.abs(figures!['mean']! - 1.5)).toBeLessThan(0.1);
    expect(Math.abs(figures!['standardDeviation']! - Math.sqrt(0.75))).toBeLessThan(0.1);
    expect(found.intervals[0]?.lower).toBeGreaterThan(0);
  });

  it('come out the same for the same seed', async () => {
    const problem = densityProblem('x^2/2', [scalarParameter('x', 1)]);
    expect(await sample(problem, 100, 3)).toEqual(await sample(problem, 100, 3));
    expect(await sample(problem, 100, 4)).not.toEqual(await sample(problem, 100, 3));
  });

  it("report their divergences on Neal's funnel", async () => {
    const names = ['x1', 'x2', 'x3', 'x4', 'x5'];
    const squares = names.map((name) => `${name}^2`).join(' + ');
    const problem = densityProblem(`v^2/18 + exp(-v)*(${squares})/2 + 5*v/2`, [
      scalarParameter('v', 0),
      ...names.map((name) => scalarParameter(name, 0.5)),
    ]);
    // From within the funnel's mouth: its mode is a needle at v = −22.
    const found = await sample(problem, 120, 0, 0);
    expect(found.diagnostics['divergences']).toBeGreaterThan(0);
    expect(found.warnings[0]).toMatch(/diverged, where v is small: a funnel, as the spread of x1.* goes with v/);
    expect(found.warnings[0]).toMatch(/non-centred/);
  });

  it('that stay in a mode each are told of as modes, and more draws are not advised', async () => {
    const found = await sample(
      densityProblem('-log(exp(-(x-8)^2/2) + exp(-(x+8)^2/2)) + y^2/2', [
        scalarParameter('x', 1),
        scalarParameter('y', 0),
      ]),
      400,
      1,
      0,
    );
    expect(found.intervals[0]?.figures['rHat']).toBeGreaterThan(1.05);
    expect(found.warnings).toHaveLength(1);
    expect(found.warnings[0]).toMatch(/several modes.*around x = -[78].*around x = [78]/);
    expect(found.warnings[0]).not.toMatch(/take more draws/);
  });

  it('that run away are told of as an improper posterior, not as too few draws', () => {
    const random = randomFrom(3);
    const walk = (step: number): Float64Array => {
      let x = 0;
      return Float64Array.from({ length: 500 }, () => (x += step * random.normal()));
    };
    const series = [[walk(1e5), walk(1e3), walk(1e7), walk(1e4)]];
    const [warning, ...others] = adviceOn({
      ...{
        names: ['x'],
        inV: series,
        series,
        divergent: series[0]?.map(() => new Array<boolean>(500).fill(false)) ?? [],
      },
      ...{ mixings: series.map(mixingOf), placed: [0], deep: 2000, first: [1], heed: () => undefined },
    });
    expect(warning).toMatch(/x moves away without end.*may not be proper/);
    expect(others).toEqual([]);
  });

  it('that have run to where numbers end are so, though there they agree; what diverges is mended before more is drawn', () => {
    const random = randomFrom(4);
    const about = (middle: number): Float64Array =>
      Float64Array.from({ length: 500 }, () => middle * (1 + 0.1 * random.normal()));
    const none = Array.from({ length: 4 }, () => new Array<boolean>(500).fill(false));
    const advice = (inV: Float64Array[], series: Float64Array[], divergent: boolean[][]): string =>
      adviceOn({
        ...{ names: ['x'], inV: [inV], series: [series], divergent, mixings: [mixingOf(inV)], placed: [9], deep: 0 },
        ...{ first: [1], heed: () => undefined },
      }).join('\n');
    const logs = [700, 700, 700, 700].map(about);
    const ran = advice(
      logs,
      logs.map((chain) => chain.map((v) => Math.exp(Math.min(v, 709)))),
      none,
    );
    expect(ran).toMatch(/^x moves away without end: the posterior may not be proper/);
    const apart = [1, 1, 5, 9].map(about);
    expect(advice(apart, apart, none)).not.toMatch(/draw again once/);
    const wandering = [0, 1, 2, 3].map((c) => about(1 + c / 8));
    expect(advice(wandering, wandering, none)).toMatch(/take more draws/);
    const diverging = none.map((flags) => flags.map((_, k) => k % 3 === 0));
    const both = advice(wandering, wandering, diverging);
    expect(both).toMatch(/trajectories diverged/);
    expect(both).toMatch(/draw again once what diverges is mended/);
    expect(both).not.toMatch(/take more draws/);
  });

  it('that have made too few draws are advised more', async () => {
    const found = await sample(densityProblem('x^2/2', [scalarParameter('x', 1)]), 30);
    expect(found.warnings.join()).toMatch(/take more draws, some \d+ of each chain/);
  });
});

describe('unconstrained coordinates', () => {
  it.each([
    [-Infinity, Infinity],
    [2, Infinity],
    [-Infinity, -1],
    [-3, 5],
  ])('between %d and %d go there and back, with their derivatives', (lower, upper) => {
    const { toValue, fromValue, derivative, logJacobian, slope } = unconstrained(lower, upper);
    for (const v of [-4, -0.5, 0, 1.5, 3]) {
      const p = toValue(v);
      expect(p >= lower && p <= upper).toBe(true);
      expect(fromValue(p)).toBeCloseTo(v, 9);
      expect((toValue(v + 1e-6) - toValue(v - 1e-6)) / 2e-6).toBeCloseTo(derivative(v), 6);
      expect(logJacobian(v)).toBeCloseTo(Math.log(Math.abs(derivative(v))), 9);
      expect((logJacobian(v + 1e-6) - logJacobian(v - 1e-6)) / 2e-6).toBeCloseTo(slope(v), 6);
    }
  });
});
