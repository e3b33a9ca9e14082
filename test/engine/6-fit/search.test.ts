/** Fits that find the minimum from starts that lead elsewhere, or have no value; and starts that are found, not drawn. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/5-runtime/cpu/cpu-device.ts';
import type { Device } from '../../../engine/5-runtime/device.ts';
import { fit } from '../../../engine/6-fit/fit.ts';
import { fitFromStarts, reportStarts, runStarts } from '../../../engine/6-fit/multistart.ts';
import type { FitProblem } from '../../../engine/6-fit/problem.ts';
import { nistFrom } from '../../classic/problems.ts';
import { classicProblem } from '../../support/fits/classic.ts';
import { curveProblem, densityProblem, scalarParameter } from '../../support/study-problems.ts';

let device: Device;
beforeAll(() => {
  device = cpuDevice();
});
afterAll(() => device.close());

const x = Array.from({ length: 31 }, (_, i) => i / 3);
const noise = (i: number): number => 0.05 * Math.sin(12.9898 * (i + 1) ** 2);

function curve(formula: string, at: (t: number) => number, start: Readonly<Record<string, number>>): FitProblem {
  const parameters = Object.entries(start).map(([name, value]) => scalarParameter(name, value));
  return curveProblem({ formula, x, y: x.map((t, i) => at(t) + noise(i)), parameters });
}

/** What the noise alone leaves, about. */
const NOISE = x.reduce((sum, _, i) => sum + noise(i) ** 2, 0);

describe('a fit whose start leads nowhere', () => {
  it.each([
    ['a decay that is over', 'A*exp(-k*x) + c', (t: number) => 10 * Math.exp(-t) + 1, { A: 1, k: 1e6, c: 0 }],
    [
      'a peak elsewhere',
      'A*exp(-((x - m)/s)^2) + c',
      (t: number) => 5 * Math.exp(-((t - 6) ** 2)) + 1,
      { A: 1, m: 90, s: 1, c: 0 },
    ],
    [
      'another frequency',
      'A*cos(w*x) + B*sin(w*x)',
      (t: number) => 3 * Math.cos(2.3 * t) - Math.sin(2.3 * t),
      { A: 1, B: 1, w: 0.4 },
    ],
  ] as const)('%s', async (_, formula, at, start) => {
    const found = await fit(curve(formula, at, start), device);
    expect(found.status, found.reason).toBe('converged');
    expect(found.objective).toBeLessThan(NOISE);
    expect(found.reason).toMatch(/; found from elsewhere: from the start the fit ended at /);
  });

  it('looks no further where it is told how far to go, and nowhere where the residuals are noise', async () => {
    const problem = curve('A*cos(w*x) + B*sin(w*x)', (t) => 3 * Math.cos(2.3 * t), { A: 1, B: 1, w: 0.4 });
    const short = await fit(problem, device, { maxIterations: 900 });
    expect(short.objective).toBeGreaterThan(10);
    const near = curve('A*exp(-k*x)', (t) => 5 * Math.exp(-0.5 * t), { A: 1, k: 1 });
    expect((await fit(near, device)).evaluations).toBeLessThan(60);
  });

  it('leaves a start without a value to its author, and finds others if it is told to', async () => {
    const start = { A: 300, k: 36, m: 120 };
    const sigmoid = curve('A/(1 + exp(-k*(x - m)))', (t) => 10 / (1 + Math.exp(5 - t)), start);
    const elsewhere = await fit(sigmoid, device);
    expect(elsewhere.status, elsewhere.reason).toBe('converged');
    expect(elsewhere.objective).toBeLessThan(NOISE);
    // Of ∞/∞ at its start.
    const problem = curve('A*exp(k*(m - x))/(1 + exp(k*(m - x)))', (t) => 10 / (1 + Math.exp(t - 5)), start);
    expect((await fit(problem, device)).status).toBe('failed');
    const found = await fitFromStarts(problem, device, { starts: 8 });
    expect(found.status, found.reason).toBe('converged');
    expect(found.objective).toBeLessThan(NOISE);
    // A likelihood: of 3 events k - 3·log(k), which has no value for k < 0.
    const events = densityProblem('k - 3*log(k)', [scalarParameter('k', -20)]);
    expect((await fitFromStarts(events, device, { starts: 8 })).estimates[0]?.value).toBeCloseTo(3, 8);
  });
});

describe('a limit of iterations, over many starts', () => {
  const decay = (): FitProblem => curve('A*exp(-k*x) + c', (t) => 5 * Math.exp(-0.7 * t) + 1, { A: 1, k: 0.1, c: 1 });
  // −log L of a waiting time's rate: its minimum is at the inverse of the mean, 2.
  const rate = (): FitProblem => densityProblem('3*exp(u)*0.5 - 3*u', [scalarParameter('u', -4)]);

  it.each([
    ['squares', decay],
    ['a likelihood', rate],
  ])('is that of the way to each end, its search among it: %s', async (_, problemOf) => {
    const starts = 12;
    for (const maxIterations of [1, 2, 4, 9]) {
      const problem = problemOf();
      const { endings } = await runStarts(problem, device, { starts, maxIterations });
      expect(endings).toHaveLength(starts);
      for (const ending of endings) expect(ending.iterations).toBeLessThanOrEqual(maxIterations);
      const found = await fitFromStarts(problem, device, { starts, maxIterations });
      expect(found.iterations).toBeLessThanOrEqual(starts * maxIterations);
      if (maxIterations > 1) continue;
      expect(found.status, found.reason).toBe('not-converged');
      // No search before: a step and the trials that it takes.
      expect(found.evaluations).toBeLessThan(20 * starts);
    }
  });

  it('says how much of it the search took', async () => {
    const found = await fitFromStarts(rate(), device, { starts: 12, maxIterations: 3 });
    expect(found.status).toBe('not-converged');
    expect(found.reason).toMatch(/^3 iterations were not enough/);
  });

  it('leaves it to converge where it is enough', async () => {
    const found = await fitFromStarts(rate(), device, { starts: 12, maxIterations: 60 });
    expect(found.status, found.reason).toBe('converged');
    expect(Math.exp(found.estimates[0]!.value)).toBeCloseTo(2, 8);
  });

  it('ends adam by batches too', async () => {
    const problem = curve('A*exp(-k*x)', (t) => 5 * Math.exp(-0.5 * t), { A: 1, k: 1 });
    const found = await fit(problem, device, { method: 'adam', adam: { batch: 4 }, maxIterations: 3 });
    expect([found.status, found.iterations, found.reason]).toEqual([
      'not-converged',
      3,
      '3 iterations were not enough',
    ]);
  });
});

describe('starts without bounds', () => {
  const peaks = (): FitProblem => {
    const found = nistFrom(3).find(({ name }) => name === 'MGH17 from 3 times start 1');
    if (!found) throw new Error('there is no such problem');
    return classicProblem(found);
  };

  it('are found where the model has something to say', async () => {
    const found = await fitFromStarts(peaks(), device, { starts: 16, seed: 3 });
    expect(found.objective).toBeCloseTo(5.4648946975e-5, 13);
    expect(found.starts?.ended).toBe(16);
    expect(found.starts?.atBest).toBeGreaterThan(8);
  });

  it('are the same in parts', async () => {
    const problem = peaks();
    const options = { starts: 8, seed: 5 };
    const whole = await fitFromStarts(problem, device, options);
    const parts = [];
    for (const part of [
      { from: 0, to: 3 },
      { from: 3, to: 8 },
    ])
      parts.push(await runStarts(problem, device, { ...options, part }));
    const endings = parts.flatMap((run) => run.endings);
    expect(endings.map(({ start }) => start)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    const joined = await reportStarts(problem, device, { endings, evaluations: 0 }, {});
    expect(joined.starts).toEqual(whole.starts);
    expect(joined.estimates).toEqual(whole.estimates);
  });

  it('stop where the user stops, with the best so far', async () => {
    const cancel = new Int32Array(1);
    let best = Infinity;
    const found = await fitFromStarts(peaks(), device, {
      starts: 32,
      cancel,
      onProgress(iteration, energy) {
        best = Math.min(best, energy);
        if (iteration === 4) cancel[0] = 1;
      },
    });
    expect(found.status).toBe('cancelled');
    expect(found.objective).toBe(best);
  });
});
