/** Least squares whose minimum is at a kink of the curve: a line that breaks, with the break among the parameters. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/5-runtime/cpu/cpu-device.ts';
import type { Device } from '../../../engine/5-runtime/device.ts';
import { cholesky, choleskySolve } from '../../../engine/6-fit/algebra/cholesky.ts';
import { fit } from '../../../engine/6-fit/fit.ts';
import { fitFromStarts } from '../../../engine/6-fit/multistart.ts';
import type { FitMethod } from '../../../engine/6-fit/methods.ts';
import type { FitProblem } from '../../../engine/6-fit/problem.ts';
import { partSeed, randomFrom } from '../../../engine/6-fit/ensembles/random.ts';
import { fitModel } from '../../../src-main/compute/fit/fit.ts';
import { designs } from '../../calibration/designs.ts';
import { model } from '../../support/documents.ts';
import { curveProblem, scalarParameter } from '../../support/study-problems.ts';

let device: Device;
beforeAll(() => {
  device = cpuDevice();
});
afterAll(() => device.close());

const x = Array.from({ length: 16 }, (_, i) => i);
const data = (seed: number): number[] =>
  x.map((t, i) => 2 + 0.5 * t + 1.5 * Math.max(0, t - 7.3) + 0.8 * Math.sin(12.9898 * (i + 1) * seed) * 1.2);

const broken = (y: readonly number[], formula: string, k = 5): FitProblem =>
  curveProblem({
    formula,
    x,
    y,
    parameters: ['a', 'b', 'c', 'k'].map((name) => scalarParameter(name, name === 'k' ? k : 1)),
  });

/** The least sum of squares where the line breaks at k: a straight regression, by its normal equations. */
function leastAt(y: readonly number[], k: number): number {
  const columns = [x.map(() => 1), x, x.map((t) => Math.max(0, t - k))];
  const products = columns.map((u) =>
    Float64Array.from(columns, (v) => u.reduce((sum, value, i) => sum + value * v[i]!, 0)),
  );
  const rights = Float64Array.from(columns, (u) => u.reduce((sum, value, i) => sum + value * y[i]!, 0));
  const factor = cholesky(products);
  if (!factor) return Infinity;
  const found = choleskySolve(factor, rights);
  return y.reduce((sum, value, i) => {
    const fitted = columns.reduce((total, u, j) => total + u[i]! * found[j]!, 0);
    return sum + (value - fitted) ** 2;
  }, 0);
}

/** Minima over k between a row and the last but one, and whether each lies on a row. */
function minimaOf(y: readonly number[]): { least: number; onRow: boolean }[] {
  const steps = 64;
  const grid = Array.from({ length: 13 * steps + 1 }, (_, i) => 1 + i / steps);
  const values = grid.map((k) => leastAt(y, k));
  return grid.flatMap((k, i) => {
    const value = values[i]!;
    const isLeast = value <= (values[i - 1] ?? Infinity) && value <= (values[i + 1] ?? Infinity);
    return isLeast ? [{ least: value, onRow: Number.isInteger(k) }] : [];
  });
}

const formulas = [
  'a + b*x + c*max(0, x - k)',
  'if(x < k, a + b*x, a + b*x + c*(x - k))',
  'a + b*x + c*(abs(x - k) + x - k)/2',
];

describe('a line that breaks', () => {
  const seeds = Array.from({ length: 24 }, (_, i) => i + 1);
  const atRows = seeds.filter((seed) => {
    const [best] = minimaOf(data(seed)).sort((a, b) => a.least - b.least);
    return best?.onRow;
  });

  it('has its least squares at a kink of some data', () => expect(atRows.length).toBeGreaterThan(2));

  it.each<FitMethod>(['levenberg-marquardt', 'newton-cg', 'l-bfgs-b', 'adam', 'nelder-mead'])(
    'ends converged at a minimum, by %s',
    async (method) => {
      for (const [i, seed] of [...atRows, ...seeds.slice(0, 6)].entries()) {
        const y = data(seed);
        const found = await fit(broken(y, formulas[i % 3]!), device, { method });
        expect(found.status, `${seed}: ${found.reason}`).toBe('converged');
        const k = found.estimates[3]!.value;
        // No break nearby is better, by regression.
        for (const beside of [0.03, 3e-3, 3e-4, 3e-5])
          for (const side of [1, -1])
            expect(leastAt(y, k + side * beside), `${seed} at ${k} beside ${side * beside}`).toBeGreaterThan(
              found.objective * (1 - 1e-7),
            );
      }
    },
  );

  it.each(atRows)('is found at the kink from many starts: data %d', async (seed) => {
    const y = data(seed);
    const least = Math.min(...minimaOf(y).map((minimum) => minimum.least));
    const found = await fitFromStarts(broken(y, formulas[0]!), device, { starts: 16, seed: 1 });
    expect(found.status).toBe('converged');
    expect(found.reason).toContain('at a kink');
    expect(found.objective).toBeLessThan(least * (1 + 1e-9));
    expect(found.reason).toContain('standard errors there are by the curvature averaged over them');
    expect(found.estimates.every(({ standardError }) => standardError > 0 && standardError < 1)).toBe(true);
    expect(found.starts?.atBest).toBeGreaterThan(0);
  });
});

describe('Laplace regression on whole numbers', () => {
  // Signs and their moments cancel within a whole cell of lines: the end lies in it, and may touch none of its sides.
  it.each([7, 12, 28, 38, 54, 57, 130])('ends converged at the least sum of distances: data %d', async (seed) => {
    const random = randomFrom(partSeed(seed, 3));
    const at = Array.from({ length: 20 }, (_, i) => i);
    const y = at.map((t) => 1 + 2 * t + Math.log(1 - random.uniform()) * (random.uniform() < 0.5 ? -1 : 1));
    const document = await model(
      [
        ...['x', 'y'].map((id) => ({ id, kind: 'column', table: 'T', column: id })),
        ...['a', 'b'].map((id) => ({ id, kind: 'parameter', initial: 0 })),
        { id: 's', kind: 'parameter', initial: 1, support: 'positive' },
        { id: 'mu', kind: 'map', formula: 'a + b*x' },
        { id: 'loss', kind: 'likelihood', family: 'laplace', observed: 'y', location: 'mu', scale: 's' },
      ],
      { tables: { T: { columns: { x: at, y } } }, objective: 'loss' },
    );
    // One of the best lines goes through two of the points.
    const through = at.flatMap((i) => at.slice(i + 1).map((j) => [i, j] as const));
    const distances = through.map(([i, j]) => {
      const slope = (y[j]! - y[i]!) / (j - i);
      return at.reduce((sum, k) => sum + Math.abs(y[k]! - y[i]! - slope * (k - i)), 0);
    });
    const found = await fitModel(document, device, { parameters: {} });
    expect(found.status, found.reason).toBe('converged');
    expect(found.objective).toBeCloseTo(20 * Math.log(Math.min(...distances) / 10) + 20, 9);
    expect(found.estimates.every(({ standardError }) => standardError > 0)).toBe(true);
  });
});

it.each([202, 218])('a level between kinks has errors where the smooth stop test found it: data %d', async (seed) => {
  const { x: at, draw, blocks } = designs['a line of Laplace noise, 100 points']!;
  const random = randomFrom(partSeed(0, seed));
  const y = at.map((each, row) => draw(each, random, row));
  const columns = ['x', 'y'].map((id) => ({ id, kind: 'column', table: 'T', column: id }));
  const document = await model([...columns, ...blocks], {
    tables: { T: { columns: { x: at, y } } },
    objective: 'loss',
  });
  const found = await fitModel(document, device, { parameters: {} });
  expect(found.status, found.reason).toBe('converged');
  // By the information of Laplace's distribution, b·((XᵀX)⁻¹)^½ at b = 0.42, they are 0.083 and 0.048.
  const [a = NaN, b = NaN] = found.estimates.map(({ standardError }) => standardError);
  expect(a).toBeGreaterThan(0.05);
  expect(a).toBeLessThan(0.15);
  expect(b).toBeGreaterThan(0.03);
  expect(b).toBeLessThan(0.09);
});

it('a likelihood that has run out to 0 has no minimum there, at a kink or elsewhere', async () => {
  // Five times no and five times yes, parted at 4.5: −log L falls to 0 as the slope rises, and is 0 to the last digit from 1,490 on.
  const parted = await model(
    [
      { id: 'x', kind: 'column', table: 'T', column: 'x' },
      { id: 'y', kind: 'column', table: 'T', column: 'y' },
      { id: 'a', kind: 'parameter', initial: 0 },
      { id: 'b', kind: 'parameter', initial: 0.4 },
      { id: 'p', kind: 'map', formula: 'logistic(a + b*x)' },
      { id: 'loss', kind: 'likelihood', family: 'binomial', probability: 'p', trials: 1, observed: 'y' },
    ],
    { tables: { T: { columns: { x: x.slice(0, 10), y: [0, 0, 0, 0, 0, 1, 1, 1, 1, 1] } } }, objective: 'loss' },
  );
  const found = await fitModel(parted, device, { parameters: {}, method: 'newton-cg' });
  expect(found.status).toBe('not-converged');
});

describe("Student's t from where its degrees of freedom are ∞ to rounding", () => {
  const random = randomFrom(1);
  const at = Array.from({ length: 20 }, (_, i) => i);
  const y = at.map((t) => 1 + 2 * t + random.normal() / (random.normal() ** 2 + random.normal() ** 2));
  const line = (s: number, nu: number, loss: readonly Record<string, unknown>[]) =>
    model(
      [
        ...['x', 'y'].map((id) => ({ id, kind: 'column', table: 'T', column: id })),
        { id: 'a', kind: 'parameter', initial: 1 },
        { id: 'b', kind: 'parameter', initial: 2 },
        { id: 's', kind: 'parameter', initial: s, scale: 'log', support: 'positive' },
        { id: 'nu', kind: 'parameter', initial: nu, scale: 'log', support: 'positive' },
        { id: 'mu', kind: 'map', formula: 'a + b*x' },
        ...loss,
      ],
      { tables: { T: { columns: { x: at, y } } }, objective: 'loss' },
    );

  it('is never left on the level there, whose end is the edge of the numbers', async () => {
    const family = { family: 'student-t', observed: 'y', mean: 'mu', scale: 's', degrees: 'nu' };
    const level = await line(1000, 1e20, [{ id: 'loss', kind: 'likelihood', ...family }]);
    const found = await fitModel(level, device, { parameters: {}, method: 'adam' });
    expect(found.status, found.reason).toBe('converged');
    expect(found.objective).toBeCloseTo(46.4548808978, 8);
  });

  it.each([7e25, 1e30])('is not converged where its terms, of ν = %d, cancel to nothing but rounding', async (nu) => {
    const tail = '(nu + 1)/2*log1p(((y - mu)/s)^2/nu)';
    const formula = `lgamma(nu/2) - lgamma((nu + 1)/2) + log(pi*nu)/2 + log(s) + ${tail}`;
    const written = await line(1, nu, [
      { id: 'rows', kind: 'map', formula },
      { id: 'loss', kind: 'reduce', operator: 'add', values: 'rows' },
    ]);
    const found = await fitModel(written, device, { parameters: {}, method: 'adam' });
    expect(found.status, `${found.objective}`).toBe('not-converged');
    expect(found.reason).toContain('write it without differences of large terms');
  });
});
