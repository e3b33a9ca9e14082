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
