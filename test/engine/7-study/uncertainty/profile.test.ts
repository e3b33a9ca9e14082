/** Profile intervals against constrained fits on a grid, against R's `confint`, and where there is no end. */
import { afterAll, describe, expect, it } from 'vitest';
import studentQuantile from '@stdlib/stats-base-dists-t-quantile';
import { cpuDevice } from '../../../../engine/5-runtime/cpu/cpu-device.ts';
import { fit } from '../../../../engine/6-fit/fit.ts';
import type { FitProblem } from '../../../../engine/6-fit/problem.ts';
import type { Density } from '../../../../engine/7-study/uncertainty/hmc.ts';
import { uncertainty } from '../../../../engine/7-study/uncertainty/study.ts';
import { curveProblem, densityProblem, scalarParameter } from '../../../support/study-problems.ts';

const device = cpuDevice();
afterAll(() => device.close());

const options = { level: 0.95, seed: 0, comparable: true };

async function profileOf(problem: FitProblem, level = 0.95) {
  const result = await fit(problem, device);
  expect(result.status, result.reason).toBe('converged');
  const density: Density = { program: problem.program, result: problem.energy, support: new Map() };
  const found = await uncertainty(problem, result, density, device, 'profile', { ...options, level });
  return { result, found };
}

/** The least sum of squares with one parameter fixed. */
async function constrained(problem: FitProblem, name: string, value: number): Promise<number> {
  const parameters = problem.parameters.map((parameter) =>
    parameter.name === name ? { ...parameter, initial: [value], fixed: true } : parameter,
  );
  return (await fit({ ...problem, parameters }, device)).energy;
}

/** Where SSR(p) crosses the limit: a table of constrained fits, bisected between its points. */
async function gridEnd(problem: FitProblem, name: string, from: number, to: number, limit: number): Promise<number> {
  let [inside, outside] = [from, to];
  const step = (to - from) / 8;
  for (let k = 1; k <= 8; k++) {
    const value = from + k * step;
    if ((await constrained(problem, name, value)) > limit) {
      [inside, outside] = [value - step, value];
      break;
    }
  }
  for (let k = 0; k < 17; k++) {
    const middle = (inside + outside) / 2;
    if ((await constrained(problem, name, middle)) > limit) outside = middle;
    else inside = middle;
  }
  return (inside + outside) / 2;
}

/** A repeatable disturbance without a random generator. */
const wobble = (i: number, size: number): number => size * Math.sin(12.9898 * (i + 1)) * Math.cos(4.1414 * i);

const times = Array.from({ length: 24 }, (_, i) => 0.25 * (i + 1));
const twoExponentials = curveProblem({
  formula: 'A*exp(-a*x) + B*exp(-b*x)',
  x: times,
  y: times.map((t, i) => 5 * Math.exp(-2 * t) + 3 * Math.exp(-0.4 * t) + wobble(i, 0.06)),
  parameters: [
    scalarParameter('A', 4),
    scalarParameter('a', 1.8, { scale: 'log', lower: [0] }),
    scalarParameter('B', 2.5),
    scalarParameter('b', 0.5),
  ],
});
const doses = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100].flatMap((dose) => [dose, dose]);
const doseResponse = curveProblem({
  formula: 'bottom + (top - bottom)/(1 + (ec50/x)^hill)',
  x: doses,
  y: doses.map((dose, i) => 10 + 90 / (1 + (2 / dose) ** 1.3) + wobble(i, 6)),
  parameters: [
    scalarParameter('bottom', 5),
    scalarParameter('top', 90),
    scalarParameter('ec50', 1, { scale: 'log', lower: [0] }),
    scalarParameter('hill', 1),
  ],
});

/** Three compounds between the same plateaus; of the last, seven doses lie on one and one on the other. */
const compounds = [0, 1, 2].flatMap((c) => [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30].map((dose) => 1000 * c + dose));
const ofCompound = (name: string): string => `if(x < 1000, ${name}0, if(x < 2000, ${name}1, ${name}2))`;
const threeCompounds = curveProblem({
  formula: `bottom + (top - bottom)/(1 + (${ofCompound('e')}/mod(x, 1000))^${ofCompound('h')})`,
  x: compounds,
  y: [
    ...[7.733, 27.74, 51.051, 83.348, 93.35, 100.694, 106.379, 93.423],
    ...[12.714, 3.973, 21.058, 28.363, 42.842, 56.998, 65.688, 83.902],
    ...[13.193, -0.894, 0.984, 3.002, 5.343, 6.004, 81.695, 98.099],
  ],
  parameters: [
    scalarParameter('bottom', 0),
    scalarParameter('top', 100),
    ...[0.1, 1, 10].map((e, c) => scalarParameter(`e${c}`, e, { scale: 'log', lower: [0] })),
    ...[0, 1, 2].map((c) => scalarParameter(`h${c}`, 1)),
  ],
});

describe('profile intervals', () => {
  it('are closed by no search that failed: a steep curve beside two others', async () => {
    const { result, found } = await profileOf(threeCompounds);
    const n = threeCompounds.observations;
    const p = threeCompounds.parameters.length;
    const limit = result.energy * (1 + studentQuantile(0.975, n - p) ** 2 / (n - p));
    const j = threeCompounds.parameters.findIndex(({ name }) => name === 'h2');
    const { lower, upper } = found.intervals[j] as { lower: number; upper: number };
    // By brute force: the least of many constrained fits, e2 begun everywhere between the two doses.
    for (const hill of [1.5, 2, 3, 15, 22, 65]) {
      const fits = [4, 8, 9].map((e) => {
        const parameters = threeCompounds.parameters.map((parameter) =>
          parameter.name === 'e2' ? { ...parameter, initial: [e] } : parameter,
        );
        return constrained({ ...threeCompounds, parameters }, 'h2', hill);
      });
      const least = Math.min(...(await Promise.all(fits)).filter((energy) => !Number.isNaN(energy)));
      expect(lower < hill && hill < upper, `${hill}: ${least} where ${limit} is the limit`).toBe(least < limit);
    }
    expect(found.intervals[j]?.verdict.status).toBe('one-sided');
  });

  it.each([
    ['two exponentials', twoExponentials],
    ['a dose–response curve', doseResponse],
  ])('of %s agree with constrained fits to 5 digits', async (_, problem) => {
    const { result, found } = await profileOf(problem);
    const n = problem.observations;
    const p = problem.parameters.length;
    const limit = result.energy * (1 + studentQuantile(0.975, n - p) ** 2 / (n - p));
    for (const [j, { name }] of problem.parameters.entries()) {
      const value = result.estimates[j]!.value;
      const { lower, upper } = found.intervals[j] as { lower: number; upper: number };
      for (const end of [lower, upper]) {
        const grid = await gridEnd(problem, name, value, value + 2 * (end - value), limit);
        expect(Math.abs(end / grid - 1), name).toBeLessThan(1e-5);
      }
    }
  });

  it('of two exponentials that the data hardly part reach to where these have changed places', async () => {
    const x = Array.from({ length: 16 }, (_, i) => 0.75 * (i + 1));
    const y = x.map((t, i) => 5 * Math.exp(-2 * t) + 3 * Math.exp(-0.4 * t) + wobble(i, 0.5));
    const parameters = Object.entries({ A: 5, a: 2, B: 3, b: 0.4 }).map(([name, start]) =>
      scalarParameter(name, start),
    );
    const problem = curveProblem({ formula: 'A*exp(-a*x) + B*exp(-b*x)', x, y, parameters });
    const { result, found } = await profileOf(problem);
    const limit = result.energy * (1 + studentQuantile(0.975, 12) ** 2 / 12);
    // By another way: B is the height of the fast one, from starts of its own.
    const swapped = Object.entries({ A: 3, a: 0.4, B: 200, b: 6 }).map(([name, start]) => scalarParameter(name, start));
    expect(await constrained({ ...problem, parameters: swapped }, 'B', 200)).toBeLessThan(limit);
    const [height, rate, other, otherRate] = found.intervals;
    expect(other?.upper).toBeGreaterThan(200);
    // Nor is B = 0.05 excluded, of a slow one that hardly is.
    const slow = Object.entries({ A: 5.3, a: 0.65, B: 0.05, b: -0.1 }).map(([name, start]) =>
      scalarParameter(name, start),
    );
    expect(await constrained({ ...problem, parameters: slow }, 'B', 0.05)).toBeLessThan(limit);
    expect(other?.lower).toBeLessThan(0.05);
    // The model does not tell them apart, and neither does what is excluded.
    expect(other?.lower).toBeCloseTo(height!.lower, 5);
    expect(otherRate?.lower).toBeCloseTo(rate!.lower, 5);
  });

  it("of Puromycin (treated) are R's", async () => {
    const conc = [0.02, 0.02, 0.06, 0.06, 0.11, 0.11, 0.22, 0.22, 0.56, 0.56, 1.1, 1.1];
    const rate = [76, 47, 97, 107, 123, 139, 159, 152, 191, 201, 207, 200];
    const { found } = await profileOf(
      curveProblem({
        formula: 'V*x/(K + x)',
        x: conc,
        y: rate,
        parameters: [scalarParameter('V', 200), scalarParameter('K', 0.05)],
      }),
    );
    // confint interpolates: its figures hold to 3 digits or more.
    const published = [
      [197.302, 229.29],
      [0.046925, 0.08616],
    ];
    published.forEach(([lower, upper], j) => {
      expect(found.intervals[j]!.lower / lower!).toBeCloseTo(1, 3);
      expect(found.intervals[j]!.upper / upper!).toBeCloseTo(1, 3);
    });
  });

  it('of a likelihood are those of χ²: an exponential rate', async () => {
    // −log L = s·k − n·log k with n = 5, s = 10: the ends solve 2·(s·k − n·log k) = 2·(n − n·log(n/s)) + z².
    const { found } = await profileOf(densityProblem('10*k - 5*log(k)', [scalarParameter('k', 1, { lower: [1e-9] })]));
    const rise = (k: number): number => 2 * (10 * k - 5 * Math.log(k) - 5 + 5 * Math.log(0.5));
    const [interval] = found.intervals;
    expect(rise(interval!.lower)).toBeCloseTo(1.959963984540054 ** 2, 7);
    expect(rise(interval!.upper)).toBeCloseTo(1.959963984540054 ** 2, 7);
  });

  it('have no end where nothing is excluded: a product of two parameters', async () => {
    const { found } = await profileOf(
      curveProblem({
        formula: 'a*b*x + c',
        x: [0, 1, 2, 3, 4],
        y: [0.1, 2.1, 3.9, 6.2, 7.8],
        parameters: [scalarParameter('a', 1), scalarParameter('b', 1), scalarParameter('c', 0)],
      }),
    );
    const [a, b, c] = found.intervals;
    expect([a?.lower, a?.upper, b?.lower, b?.upper]).toEqual([-Infinity, Infinity, -Infinity, Infinity]);
    expect(a?.verdict).toEqual({ status: 'none', reason: 'not determined: moves with b' });
    expect(b?.verdict.reason).toBe('not determined: moves with a');
    expect(Number.isFinite(c?.lower)).toBe(true);
    expect(found.sloppy).toHaveLength(1);
  });

  it('are one-sided where a curve does not bend far enough', async () => {
    const x = [0.5, 1, 1.5, 2, 2.5, 3];
    const y = x.map((t, i) => 2 * t + wobble(i, 0.3));
    const { found } = await profileOf(
      curveProblem({
        formula: 'slope*x/(1 + x/half)',
        x,
        y,
        parameters: [
          scalarParameter('slope', 1.9),
          scalarParameter('half', 50, { scale: 'log', lower: [0], upper: [1e7] }),
        ],
      }),
    );
    const half = found.intervals[1];
    expect(half?.verdict.status).toBe('one-sided');
    expect(half?.lower).toBeGreaterThan(1);
    expect(half?.lower).toBeLessThan(1000);
  });

  it('at another level are narrower', async () => {
    const wide = (await profileOf(doseResponse, 0.99)).found.intervals[0];
    const narrow = (await profileOf(doseResponse, 0.5)).found.intervals[0];
    expect(narrow?.lower).toBeGreaterThan(wide!.lower);
    expect(narrow?.upper).toBeLessThan(wide!.upper);
  });
});

describe('rows near a line, which a saturation is far out on either side', () => {
  const x = [1, 2, 3, 4, 5, 6, 7, 8];
  const y = x.map((t, i) => 0.4 * t - 0.002 * t * t + wobble(i, 0.1));
  const saturation = curveProblem({
    formula: 'a*x/(b + x)',
    x,
    y,
    parameters: [scalarParameter('a', 10), scalarParameter('b', 20)],
  });

  /** Σ(y − t·x/(1 + κ·x))², least over t: that of a = t/κ and b = 1/κ; at κ = 0 that of a line. */
  const least = (curvature: number): number => {
    const shape = x.map((t) => t / (1 + curvature * t));
    const slope = shape.reduce((sum, s, i) => sum + s * y[i]!, 0) / shape.reduce((sum, s) => sum + s * s, 0);
    return shape.reduce((sum, s, i) => sum + (y[i]! - slope * s) ** 2, 0);
  };

  it('have no end at infinity', async () => {
    const { result, found } = await profileOf(saturation);
    const b = result.estimates.find(({ name }) => name === 'b')!.value;
    const limit = result.energy * (1 + studentQuantile(0.975, 6) ** 2 / 6);
    expect(b).toBeGreaterThan(0);
    expect(least(0)).toBeLessThan(limit);
    expect(least(-1e-6)).toBeLessThan(limit);
    for (const [j, interval] of found.intervals.entries()) {
      expect(interval.upper).toBe(Infinity);
      const { status, reason } = interval.verdict;
      expect(status, reason).toBe('one-sided');
      const [, beyond] = /it goes on beyond infinity: what lies there, as (-\S+), is not excluded either$/.exec(
        reason,
      )!;
      // Of b it is 1/κ; of a the slope is that of a line, or nearly.
      const curvature = 1 / (j === 1 ? Number(beyond) : (Number(beyond) / result.estimates[0]!.value) * b);
      expect(least(curvature)).toBeLessThan(limit);
    }
    // The other end is where the curvature is excluded.
    expect(least(1 / found.intervals[1]!.lower)).toBeCloseTo(limit, 8);
  });
});
