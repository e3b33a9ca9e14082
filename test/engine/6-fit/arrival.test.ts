/** Converged means stationary: ends that were taken for minima, and what each reason says. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/5-runtime/cpu/cpu-device.ts';
import type { Device } from '../../../engine/5-runtime/device.ts';
import { referenceDevice } from '../../../engine/5-runtime/reference-device.ts';
import { openAnswers } from '../../../engine/6-fit/answers.ts';
import { coordinates } from '../../../engine/6-fit/coordinates.ts';
import { symmetricEigen } from '../../../engine/6-fit/algebra/eigen.ts';
import { slopeOf, sweepOptions } from '../../../engine/6-fit/questions.ts';
import { fit } from '../../../engine/6-fit/fit.ts';
import { fitContext } from '../../../engine/6-fit/context.ts';
import { fitMethods, type FitMethod } from '../../../engine/6-fit/methods.ts';
import type { FitProblem } from '../../../engine/6-fit/problem.ts';
import { report, type FitResult } from '../../../engine/6-fit/report/report.ts';
import { classicProblems, nistFrom } from '../../classic/problems.ts';
import { isStationary } from '../../support/fits/stationarity.ts';
import { classicProblem } from '../../support/fits/classic.ts';
import { curveProblem, densityProblem, scalarParameter } from '../../support/study-problems.ts';

let device: Device;
beforeAll(() => {
  device = cpuDevice();
});
afterAll(() => device.close());

const values = ({ estimates }: FitResult): number[] => estimates.map(({ value }) => value);
/** Eigenvalues of the energy's Hessian with a unit diagonal, the least first: of the interpreter, by differences of gradients. */
async function curvatureAt(problem: FitProblem, point: readonly number[]): Promise<Float64Array> {
  const reference = referenceDevice();
  const answers = openAnswers(reference, problem);
  const all = coordinates(problem.parameters);
  const question = slopeOf(problem, all, problem.energy, sweepOptions(problem, reference));
  const gradient = async (u: Float64Array): Promise<Float64Array> => (await answers.ask(question, u)).gradient;
  try {
    const rows: Float64Array[] = [];
    for (const [j, u] of point.entries()) {
      const reach = 1e-5 * (Math.abs(u) || 1);
      const beside = (shift: number): Float64Array => Float64Array.from(point, (v, i) => (i === j ? v + shift : v));
      const [before, after] = [await gradient(beside(-reach)), await gradient(beside(reach))];
      rows.push(after.map((g, i) => (g - before[i]!) / (2 * reach)));
    }
    const size = (j: number): number => Math.sqrt(Math.abs(rows[j]![j]!)) || 1;
    return symmetricEigen(rows.map((row, i) => row.map((h, j) => h / (size(i) * size(j))))).values;
  } finally {
    answers.release();
    reference.close();
  }
}

const classic = (name: string): FitProblem => {
  const found = [...classicProblems, ...nistFrom(3), ...nistFrom(10)].find((problem) => problem.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return classicProblem(found);
};

const methods = Object.keys(fitMethods) as FitMethod[];
const scalarMethods = methods.filter((method) => method !== 'levenberg-marquardt');

describe('one Poisson count, from e⁶⁰', () => {
  it.each(scalarMethods)('%s', async (method) => {
    const found = await fit(densityProblem('exp(k) - k', [scalarParameter('k', 60)]), device, { method });
    if (found.status === 'converged') expect(Math.abs(values(found)[0]!)).toBeLessThan(1e-5);
    if (method === 'newton-cg') expect(found.status, found.reason).toBe('converged');
  });
});

describe('Poisson regression on calendar years', () => {
  const counts = [
    ...[3, 1, 4, 2, 5, 3, 2, 6, 4, 3, 5, 4, 7, 5, 6],
    ...[4, 8, 6, 5, 9, 7, 8, 6, 10, 9, 7, 11, 10, 12, 13],
  ];
  // Terms of Σ exp(a + b·yr) - y·(a + b·yr) for 1990 … 2019, without the factorials.
  const formula = counts.map((y, i) => `exp(a + b*${1990 + i}) - ${y}*(a + b*${1990 + i})`).join(' + ');
  // R 4: coef(glm(y ~ yr, family = poisson)), and summary()'s standard errors.
  const [a, b] = [-101.775957020312, 0.0516324175837];
  const errors = [18.07742554527, 0.00900163400442];

  it.each([0.05, 0.03, 0, 0.1, 0.3])('by newton-cg from a = 0, b = %d', async (slope) => {
    const problem = densityProblem(formula, [scalarParameter('a', 0), scalarParameter('b', slope)]);
    const found = await fit(problem, device, { method: 'newton-cg' });
    expect(found.status, found.reason).toBe('converged');
    expect(values(found)[0]).toBeCloseTo(a, 7);
    expect(values(found)[1]).toBeCloseTo(b, 10);
    found.estimates.forEach(({ standardError }, j) =>
      expect(Math.abs(standardError / errors[j]! - 1)).toBeLessThan(1e-6),
    );
    expect(found.decrement).toBeLessThan(1e-9);
  });

  it.each(scalarMethods)('is converged by %s only where the scores are zero', async (method) => {
    const problem = densityProblem(formula, [scalarParameter('a', 0), scalarParameter('b', 0.03)]);
    const found = await fit(problem, device, { method });
    if (found.status === 'converged') expect(values(found)[0]).toBeCloseTo(a, 2);
  });
});

describe('from zeros, where slopes vanish by symmetry', () => {
  const x = Array.from({ length: 25 }, (_, i) => (10 * i) / 24);
  const zeros = (...names: string[]) => names.map((name) => scalarParameter(name, 0));
  // The wave at w = 0 is as high as any beside it, to first order: a saddle.
  const wave = x.map((t, i) => 4 * Math.exp(-0.2 * t) * Math.cos(2.5 * t + 0.3) + 0.1 * Math.sin(9 * i));
  const rise = x.map((t, i) => 3 * Math.tanh(0.9 * (t - 5)) + 2 + 0.1 * Math.sin(9 * i));
  it.each([
    ['A*exp(-k*x)*cos(w*x + p)', wave, ['A', 'k', 'w', 'p']],
    ['A*tanh(k*(x - m)) + c', rise, ['A', 'k', 'm', 'c']],
  ] as const)('%s does not end at a saddle', async (formula, y, names) => {
    for (const method of ['levenberg-marquardt', 'newton-cg'] as const) {
      const problem = curveProblem({ formula, x, y, parameters: zeros(...names) });
      const found = await fit(problem, device, { method });
      if (found.status !== 'converged') continue;
      const quadratic = await curvatureAt(problem, values(found));
      expect(quadratic[0], `${method}: ${values(found).join(', ')}`).toBeGreaterThan(-1e-6);
    }
  });
});

describe('from zeros, where nothing does anything by itself', () => {
  const x = Array.from({ length: 18 }, (_, i) => 1 + i);
  const y = x.map((t, i) => 40 * (1 - Math.exp(-0.25 * (t + 0.5))) ** 3 + Math.sin(7 * i * i));
  it.each([
    ['L*(1 - exp(-k*(x - z)))^3', ['L', 'k', 'z']],
    ['a + L*(1 - exp(-k*(x - z)))^3', ['a', 'L', 'k', 'z']],
  ] as [string, string[]][])('%s', async (formula, names) => {
    for (const method of methods) {
      const parameters = names.map((name) => scalarParameter(name, 0));
      const found = await fit(curveProblem({ formula, x, y, parameters }), device, { method });
      // A level leaves 2780; the minima are at 8.4 and, with a, at 20.7 too.
      if (found.status === 'converged') expect(found.energy, `${method}: ${found.reason}`).toBeLessThan(21);
      if (method === 'levenberg-marquardt') expect(found.status, found.reason).toBe('converged');
    }
  });
});

describe('where parameters have faded', () => {
  it.each(methods)('a curve that has become a level is not converged, by %s', async (method) => {
    const x = Array.from({ length: 25 }, (_, i) => (10 * i) / 24);
    const y = x.map((t, i) => 10 / (1 + Math.exp(-1.2 * (t - 4))) + 0.2 * Math.sin(9 * i));
    const parameters = [-10, -1.2, -4].map((value, j) => scalarParameter(['A', 'k', 'm'][j]!, value));
    const problem = curveProblem({ formula: 'A/(1 + exp(-k*(x - m)))', x, y, parameters });
    const found = await fit(problem, device, { method });
    // Where it has converged, it is to a curve and not to the level that fits best.
    if (found.status === 'converged') expect(found.objective, found.reason).toBeLessThan(10);
  });
});

describe('ends far from any minimum', () => {
  it.each([
    ['l-bfgs-b', 'Jennrich and Sampson from 10 times the start'],
    ['l-bfgs-b', 'Osborne 1 from 10 times the start'],
    ['l-bfgs-b', 'Powell badly scaled from 10 times the start'],
    ['newton-cg', 'DanWood from 10 times start 1'],
    ['newton-cg', 'Nelson from 10 times start 1'],
    ['newton-cg', 'Gauss1 from 10 times start 1'],
    ['newton-cg', 'Jennrich and Sampson from 10 times the start'],
    ['levenberg-marquardt', 'Eckerle4 from 3 times start 1'],
    ['levenberg-marquardt', 'MGH17 from 3 times start 1'],
    ['levenberg-marquardt', 'exponential growth'],
    ['levenberg-marquardt', 'exponential growth, further'],
    ['newton-cg', 'MGH17 from 3 times start 1'],
  ] as [FitMethod, string][])('%s, %s', async (method, name) => {
    const problem = classic(name);
    const found = await fit(problem, device, { method });
    expect(values(found).every(Number.isFinite)).toBe(true);
    if (found.status === 'converged') expect(await isStationary(problem, values(found))).toBe(true);
  });

  it('are left for the minimum of exponential growth', async () => {
    const found = await fit(classic('exponential growth'), device);
    expect(found.status, found.reason).toBe('converged');
    expect(values(found)[1]).toBeCloseTo(0.04, 3);
  });
});

describe('what a slope does not show', () => {
  const x = Array.from({ length: 40 }, (_, i) => (10 * i) / 39);
  const noise = (i: number): number => 0.05 * Math.sin(9 * i * i);
  const both: readonly FitMethod[] = ['levenberg-marquardt', 'newton-cg'];

  it.each(both)('a valley so bent that only its last row is seen, by %s', async (method) => {
    const t = Array.from({ length: 13 }, (_, i) => 5 * i);
    const y = t.map((each, i) => 1e9 * (3 / (1 + Math.exp(-0.03 * (each - 30))) + noise(i)));
    const parameters = [scalarParameter('a', 1e9), scalarParameter('k', 5)];
    const problem = curveProblem({ formula: 'a*exp(k*x)', x: t, y, parameters });
    const found = await fit(problem, device, { method, elsewhere: false });
    if (found.status === 'converged') expect(values(found)[1], found.reason).toBeLessThan(0.1);
    expect(found.status === 'converged' && Number.isNaN(found.decrement)).toBe(false);
  });

  it.each(both)('a point of inflection, by %s', async (method) => {
    const y = x.map((each, i) => 1 + 2 * each + noise(i));
    for (const start of [0, -1]) {
      const parameters = [scalarParameter('a', start), scalarParameter('c', 1)];
      const found = await fit(curveProblem({ formula: 'a^3*x + c', x, y, parameters }), device, { method });
      expect(found.status, found.reason).toBe('converged');
      expect(values(found)[0]).toBeCloseTo(Math.cbrt(2), 2);
    }
  });

  it.each(both)('digits that the start has lost, by %s', async (method) => {
    const y = x.map((each, i) => 1e-12 * (5 * Math.exp(-0.4 * each) + 0.3 + noise(i)));
    const parameters = ['A', 'k', 'c'].map((name) => scalarParameter(name, 1));
    const found = await fit(curveProblem({ formula: 'A*exp(-k*x) + c', x, y, parameters }), device, { method });
    if (found.status === 'converged') expect(values(found)[1], found.reason).toBeCloseTo(0.4, 1);
  });

  it.each(both)('a level that runs to zero on its logarithm, by %s', async (method) => {
    const y = x.map((each, i) => 5 * Math.exp(-0.4 * each) - 0.2 + noise(i));
    const positive = { scale: 'log', lower: [0] } as const;
    for (const start of [1, 1e-3, 10]) {
      const parameters = ['A', 'k'].map((name) => scalarParameter(name, 1, positive));
      const level = scalarParameter('c', start, positive);
      const problem = curveProblem({ formula: 'A*exp(-k*x) + c', x, y, parameters: [...parameters, level] });
      const found = await fit(problem, device, { method });
      expect(found.status, found.reason).toBe('converged');
      expect(found.reason).toContain('"c" is at 0, the edge of what is positive');
      const without = await fit(curveProblem({ formula: 'A*exp(-k*x)', x, y, parameters }), device, { method });
      expect(Math.abs(found.objective / without.objective - 1)).toBeLessThan(1e-9);
    }
  });
});

describe('parameters that have run off together', () => {
  const years = Array.from({ length: 30 }, (_, i) => 1990 + i);
  const noise = (i: number): number => 0.02 * Math.sin(9 * i * i);
  // At 10¹⁶⁰ neither has any influence by itself, and the curve is 0.
  it.each([
    ['l-bfgs-b', 1, -1, years.map((year, i) => 3 + 0.1 * (year - 1990) + noise(i))],
    ['l-bfgs-b', 1, -1, years.map((year, i) => 1000 * (3 + 0.1 * (year - 1990) + noise(i)))],
    ['l-bfgs-b', -50, 0.03, years.map((year, i) => -1 / (0.0155 * year - 30) - noise(i))],
    ['newton-cg', 1, -1, years.map((year, i) => 0.001 * (1 / (0.0155 * year - 30) + noise(i)))],
  ] as const)('are no minimum of 1/(a + b·year): %s from %d, %d', async (method, a, b, y) => {
    const parameters = [scalarParameter('a', a), scalarParameter('b', b)];
    const problem = curveProblem({ formula: '1/(a + b*x)', x: years, y, parameters });
    const found = await fit(problem, device, { method, elsewhere: false });
    if (found.status !== 'converged')
      return expect(found.reason).toMatch(/"a" has no influence, but has elsewhere|flattens out as "a" runs off/);
    expect(Math.abs(values(found)[0]!), found.reason).toBeLessThan(1e6);
    expect(await isStationary(problem, values(found))).toBe(true);
  });
});

it('where Newton ends in a kink another way goes on', async () => {
  const at = [-1.5, -0.2, 0.1, 0.4, 0.5, 1.1, 1.9, 2.6, 7];
  // −log p of Laplace's distribution: the median, and the mean distance from it.
  const formula = `${at.map((y) => `abs(${y} - m)/exp(s)`).join(' + ')} + 9*s`.replaceAll('- -', '+ ');
  const parameters = [scalarParameter('m', -1), scalarParameter('s', 1)];
  const found = await fit(densityProblem(formula, parameters), device, { method: 'newton-cg' });
  const distance = at.reduce((sum, y) => sum + Math.abs(y - 0.5), 0) / 9;
  expect(found.energy).toBeLessThan(9 + 9 * Math.log(distance) + 1e-4);
});

describe('a start on the exact solution', () => {
  it.each(methods)('is converged by %s', async (method) => {
    const x = [0, 1, 2, 3];
    const parameters = [scalarParameter('a', 2), scalarParameter('k', 0.5)];
    const y = x.map((t) => 2 * Math.exp(-0.5 * t));
    const found = await fit(curveProblem({ formula: 'a*exp(-k*x)', x, y, parameters }), device, { method });
    expect(found.status, found.reason).toBe('converged');
    expect(found.decrement).toBeLessThan(1e-6);
    expect(values(found)[0]).toBeCloseTo(2, 12);
  });
});

describe('reasons', () => {
  const x = [1, 2, 3, 4, 5, 6];
  const ask = (formula: string, y: readonly number[], parameters: FitProblem['parameters'], method?: FitMethod) =>
    fit(curveProblem({ formula, x, y, parameters }), device, method ? { method } : {});

  it('the residuals are zero', async () => {
    const found = await ask('a*x', [2, 4, 6, 8, 10, 12], [scalarParameter('a', 1)]);
    expect([found.status, found.reason]).toEqual(['converged', 'the residuals are zero']);
    expect(found.decrement).toBe(0);
  });

  it('the residuals are so small that their squares are 0', async () => {
    const y = [2e-300, 4.1e-300, 6e-300, 7.9e-300, 10e-300, 12e-300];
    const found = await ask('a*x', y, [scalarParameter('a', 1e-300)]);
    expect(found.status).toBe('not-converged');
    expect(found.reason).toMatch(/^the residuals are so small that their squares are 0/);
  });

  it('no step reduces the objective any further', async () => {
    const found = await ask('a*x', [2, 4, 6, 8, 10, 13], [scalarParameter('a', 1)]);
    expect([found.status, found.reason]).toEqual(['converged', 'no step reduces the objective any further']);
    expect(found.decrement).toBeLessThan(1e-20);
  });

  it('N iterations were not enough', async () => {
    const problem = classic('Rosenbrock');
    const found = await fit(problem, device, { maxIterations: 3 });
    expect([found.status, found.reason]).toEqual(['not-converged', '3 iterations were not enough']);
    expect(found.iterations).toBe(3);
    expect(found.decrement).toBeGreaterThan(1e-3);
  });

  it('a parameter has lost its influence', async () => {
    const found = await ask(
      'a*exp(-k*x)',
      [5, 4, 3, 2.5, 2, 1.6],
      [scalarParameter('a', 1), scalarParameter('k', 1e4)],
    );
    // Looked for elsewhere, it is found.
    expect(found.status, found.reason).toBe('converged');
    expect(values(found)[1]).toBeCloseTo(0.24, 1);
    const parameters = [scalarParameter('a', 1), scalarParameter('k', 1e4)];
    const level = curveProblem({ formula: 'a + exp(-k*x)', x: [1, 2, 3, 4, 5, 6], y: [3, 2, 1, 1, 2, 3], parameters });
    // Told how far it may go, a fit looks no further than its start.
    const flat = await fit(level, device, { maxIterations: 500 });
    expect(flat.status).toBe('not-converged');
    expect(flat.reason).toMatch(/"k" has no influence, but has elsewhere/);
  });

  it('a parameter that has no influence anywhere keeps its value, and the others are fitted', async () => {
    const found = await ask('a*x + 0*k', [2, 4, 6, 8, 10, 13], [scalarParameter('a', 1), scalarParameter('k', 7)]);
    expect(found.status, found.reason).toBe('converged');
    expect(values(found)[1]).toBe(7);
    expect(found.estimates[1]?.standardError).toBeNaN();
  });

  it('nothing has any influence', async () => {
    const found = await ask('x + 0*k', [2, 4, 6, 8, 10, 13], [scalarParameter('k', 7)]);
    expect([found.status, found.reason]).toEqual(['not-converged', 'no parameter has any influence on the objective']);
  });

  it('a likelihood that has no maximum runs off', async () => {
    // Yes and no are separated by x = 0, but for one of each at it.
    const separated = [-2, -1, 1, 2].map(
      (at) => `log(1 + exp(${at > 0 ? '-' : ''}k*${Math.abs(at)}*${at > 0 ? 1 : -1}))`,
    );
    const formula = `${separated.join(' + ')} + 2*log(2)`.replaceAll('*-1', '*(-1)');
    const found = await fit(densityProblem(formula, [scalarParameter('k', 1)]), device, { method: 'newton-cg' });
    expect(found.status, `${found.reason} at ${values(found)}`).toBe('not-converged');
  });

  it('a saddle is left, by squares and by likelihoods alike', async () => {
    // cos(k·x) has no slope in k at 0.
    const squares = await ask(
      'cos(k*x)',
      x.map((t) => Math.cos(0.3 * t)),
      [scalarParameter('k', 0)],
    );
    expect(squares.status, squares.reason).toBe('converged');
    expect(Math.abs(values(squares)[0]!)).toBeCloseTo(0.3, 8);
    const parameters = [scalarParameter('p', 0), scalarParameter('q', 0)];
    const valley = await fit(densityProblem('(p^2 - 4)^2 + (q - p)^2 + 1', parameters), device, {
      method: 'newton-cg',
    });
    expect(valley.status, valley.reason).toBe('converged');
    expect(Math.abs(values(valley)[0]!)).toBeCloseTo(2, 8);
  });

  it('two exponentials that begin as one are told apart', async () => {
    const times = Array.from({ length: 24 }, (_, i) => i / 4);
    const y = times.map((t, i) => 3 * Math.exp(-2 * t) + 2 * Math.exp(-0.3 * t) + 0.001 * Math.sin(7 * i));
    const parameters = [
      ...[scalarParameter('a', 1), scalarParameter('k', 1)],
      ...[scalarParameter('b', 1), scalarParameter('l', 1)],
    ];
    const found = await fit(curveProblem({ formula: 'a*exp(-k*x) + b*exp(-l*x)', x: times, y, parameters }), device);
    expect(found.status, found.reason).toBe('converged');
    expect(found.objective).toBeLessThan(1e-4);
  });
});

describe('units do not count', () => {
  it.each([1e-9, 1, 1e9])('of an objective of one’s own, times %d', async (unit) => {
    const parameters = [scalarParameter('p', 40), scalarParameter('q', -3)];
    const problem = densityProblem(`${unit}*((p - 3)^2 + 0.5*(q - 1)^2 + (p - 3)^4)`, parameters);
    for (const method of scalarMethods) {
      const found = await fit(problem, device, { method });
      if (method === 'newton-cg') expect(found.status, found.reason).toBe('converged');
      if (found.status === 'converged') {
        expect(values(found)[0], method).toBeCloseTo(3, 3);
        expect(values(found)[1], method).toBeCloseTo(1, 3);
      }
    }
  });

  it.each([1e-12, 1e12])('of the data, times %d', async (unit) => {
    const x = [1, 2, 3, 4, 5, 6];
    const y = [5, 4, 3, 2.5, 2, 1.6].map((value) => value * unit);
    const parameters = [scalarParameter('a', unit), scalarParameter('k', 1)];
    const problem = curveProblem({ formula: 'a*exp(-k*x)', x, y, parameters });
    for (const method of ['levenberg-marquardt', 'newton-cg', 'l-bfgs-b'] as const) {
      const found = await fit(problem, device, { method });
      expect(found.status, `${method}: ${found.reason}`).toBe('converged');
      expect(values(found)[1]).toBeCloseTo(0.2326, 3);
    }
  });
});

it('no report calls converged what its own figures contradict', async () => {
  const x = [0, 1, 2, 3, 4, 5];
  const y = [5, 3.1, 1.9, 1.2, 0.7, 0.5];
  const parameters = [scalarParameter('A', 4), scalarParameter('k', 1)];
  const problem = curveProblem({ formula: 'A*exp(-k*x)', x, y, parameters });
  const answers = openAnswers(device, problem);
  const at = (...point: number[]): Promise<FitResult> =>
    report(fitContext(problem, device), answers, {
      ...{ status: 'converged', reason: 'so it was said', point: Float64Array.from(point) },
      ...{ history: [], iterations: 1 },
    });
  const away = await at(4, 1);
  expect(away.status).toBe('not-converged');
  expect(away.reason).toMatch(/promises to lower -log L by/);
  expect(away.decrement).toBeGreaterThan(0.01);
  // Where nothing is a number, nothing is known.
  const beyond = await at(1e200, -1e200);
  expect([beyond.status, beyond.decrement]).toEqual(['not-converged', NaN]);
  const found = await fit(problem, device);
  const there = await at(...values(found));
  expect(there.status).toBe('converged');
  answers.release();
});

it('what is no density has a decrement too', async () => {
  const parameters = [scalarParameter('p', 4), scalarParameter('q', -3)];
  const problem = { ...densityProblem('(p - 3)^2 + (q - 1)^2 + (p - 3)^4', parameters), noDensity: true as const };
  const found = await fit(problem, device);
  expect(found.status, found.reason).toBe('converged');
  expect(found.decrement).toBeLessThan(1e-9);
  expect(found.estimates.map(({ standardError }) => standardError)).toEqual([NaN, NaN]);
});

it.each(scalarMethods)('no parameter ends beyond the numbers, by %s', async (method) => {
  // Lower and lower, and 0 at infinity.
  const problem = densityProblem('1/log(abs(k) + 2)', [scalarParameter('k', -1)]);
  const found = await fit(problem, device, { method, elsewhere: false });
  expect(values(found).every(Number.isFinite), `${found.reason}: ${values(found).join(', ')}`).toBe(true);
  expect(found.status).toBe('not-converged');
});

describe('a parameter that is varied by its logarithm', () => {
  const x = [1, 2, 3, 4, 5, 6];
  const parameters = (start: number) => [
    scalarParameter('a', start, { scale: 'log', lower: [0] }),
    scalarParameter('b', 1),
  ];

  it.each(['levenberg-marquardt', 'newton-cg', 'l-bfgs-b'] as const)(
    'ends at 0 where that is best, by %s',
    async (method) => {
      const y = x.map((at, i) => 2 * at - 3 + (i % 2) / 5);
      const problem = curveProblem({ formula: 'a + b*x', x, y, parameters: parameters(3) });
      const found = await fit(problem, device, { method, elsewhere: false });
      expect(found.status, found.reason).toBe('converged');
      expect(found.reason).toContain('"a" is at 0, the edge of what is positive');
      const slope = x.reduce((sum, at, i) => sum + at * y[i]!, 0) / 91;
      expect(values(found)[0]).toBeLessThan(1e-6);
      expect(values(found)[1]).toBeCloseTo(slope, 6);
      expect(found.estimates[0]).toMatchObject({ standardError: NaN, atBound: 'lower' });
      expect(found.estimates[0]!.verdict.reason).toContain('the fit lies at its lower bound 0:');
      // The slope's error is that of a line through the origin, which is what is left.
      const ssr = x.reduce((sum, at, i) => sum + (slope * at - y[i]!) ** 2, 0);
      expect(found.estimates[1]!.standardError / Math.sqrt(ssr / 5 / 91)).toBeCloseTo(1, 6);
    },
  );

  it.each(['newton-cg', 'l-bfgs-b'] as const)(
    'leaves the errors of a likelihood beside it as those without it, by %s',
    async (method) => {
      // −log L of Poisson counts of mean a + b·x that grow faster than b·x: a is best at 0.
      const y = [0, 1, 2, 4, 7, 9];
      const terms = x.map((at, i) => `a + b*${at} - ${y[i]}*log(a + b*${at})`).join(' + ');
      const positive = { scale: 'log', lower: [0] } as const;
      const parameters = [scalarParameter('a', 0.3, positive), scalarParameter('b', 1, positive)];
      const found = await fit(densityProblem(terms, parameters), device, { method, elsewhere: false });
      expect(found.status, found.reason).toBe('converged');
      expect(found.reason).toContain('"a" is at 0, the edge of what is positive');
      const total = y.reduce((sum, count) => sum + count, 0);
      // b = Σy/Σx, and its variance Σy/(Σx)².
      expect(values(found)[1]).toBeCloseTo(total / 21, 6);
      expect(found.estimates[1]!.standardError / (Math.sqrt(total) / 21)).toBeCloseTo(1, 5);
      expect(found.estimates[0]).toMatchObject({ standardError: NaN, atBound: 'lower' });
    },
  );

  it.each(Object.keys(fitMethods) as FitMethod[])(
    'that begins next to 0 does not end there where more is better, by %s',
    async (method) => {
      const y = x.map((at, i) => 2 * at + 3 + (i % 2) / 5);
      const problem = curveProblem({ formula: 'a + b*x', x, y, parameters: parameters(1e-14) });
      const found = await fit(problem, device, { method, elsewhere: false });
      if (found.status === 'converged') expect(values(found)[0]).toBeCloseTo(3.06, 1);
    },
  );
});

it('an amplitude of 10²¹⁸ that makes up for a rate which leaves the first row alone is walked back', async () => {
  // Σ (y − a·exp(−k·x))² from k = 500: the first row is met, the others see nothing, and nothing changes until k is near 5.
  const x = Array.from({ length: 10 }, (_, i) => i + 1);
  const y = x.map((t, i) => 10 * Math.exp(-0.3 * t) + 0.2 * Math.sin(12.9898 * (i + 1)));
  const decay = (a: number, k: number): FitProblem =>
    curveProblem({ formula: 'a*exp(-k*x)', x, y, parameters: [scalarParameter('a', a), scalarParameter('k', k)] });
  const least = (await fit(decay(5, 0.1), device)).energy;
  for (const method of ['levenberg-marquardt', 'newton-cg'] as const) {
    const found = await fit(decay(1000, 500), device, { method });
    expect(found.status === 'converged' && found.energy > 1.01 * least, `${method}: ${found.energy}`).toBe(false);
  }
});
