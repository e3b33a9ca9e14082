/** Each method against closed forms: Ishigami's function (a = 7, b = 0.1), linear and product functions. */
import { afterAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../../engine/5-runtime/cpu/cpu-device.ts';
import { referenceDevice } from '../../../../engine/5-runtime/reference-device.ts';
import { activeSubspace } from '../../../../engine/7-study/sensitivity/active-subspace.ts';
import { dgsm } from '../../../../engine/7-study/sensitivity/dgsm.ts';
import { priorDistribution, uniformDistribution } from '../../../../engine/7-study/sensitivity/distribution.ts';
import { localSensitivity } from '../../../../engine/7-study/sensitivity/local.ts';
import { morris } from '../../../../engine/7-study/sensitivity/morris.ts';
import type { SensitivityResult } from '../../../../engine/7-study/sensitivity/problem.ts';
import { sobolIndices } from '../../../../engine/7-study/sensitivity/sobol.ts';
import { sensitivityOf } from '../../../support/study-problems.ts';

const device = cpuDevice();
afterAll(() => device.close());

const circle = uniformDistribution(-Math.PI, Math.PI);
const ishigami = sensitivityOf('sin(x1) + 7*sin(x2)^2 + 0.1*x3^4*sin(x1)', { x1: circle, x2: circle, x3: circle });
/** V = a²/8 + b·π⁴/5 + b²·π⁸/18 + 1/2. */
const variance = 49 / 8 + (0.1 * Math.PI ** 4) / 5 + (0.01 * Math.PI ** 8) / 18 + 0.5;
const first = [0.5 * (1 + (0.1 * Math.PI ** 4) / 5) ** 2, 49 / 8, 0].map((part) => part / variance);
const third = (0.01 * Math.PI ** 8 * (1 / 18 - 1 / 50)) / variance;
const total = [first[0]! + third, first[1]!, third];

const figure = ({ indices }: SensitivityResult, key: string): number[] => indices.map((found) => found[key] as number);
const unit = uniformDistribution(0, 1);

describe("Sobol' indices", () => {
  it.each([0, 1, 2, 3])('of Ishigami lie within their own intervals, which are narrow (seed %i)', async (seed) => {
    const found = await sobolIndices(ishigami, device, { samples: 2048, seed });
    found.indices.forEach((indices, i) => {
      for (const [key, wanted] of [
        ['S1', first[i]!],
        ['ST', total[i]!],
      ] as const) {
        const [lower, upper] = indices[`${key}Interval`] as [number, number];
        expect(lower).toBeLessThanOrEqual(wanted);
        expect(upper).toBeGreaterThanOrEqual(wanted);
        expect(upper - lower).toBeLessThan(0.15);
        expect(Math.abs((indices[key] as number) - wanted)).toBeLessThan(0.02);
      }
    });
    expect(found).toMatchObject({ samples: 2048, runs: 2048 * 5, failed: 0, cancelled: false });
    expect(found.variance).toBeCloseTo(variance, 0);
    expect(found.convergence?.map(({ samples }) => samples)).toEqual([16, 32, 64, 128, 256, 512, 1024, 2048]);
  });

  it('come out the same for the same seed, and on the interpreter', async () => {
    const once = await sobolIndices(ishigami, device, { samples: 100, seed: 5 });
    expect(await sobolIndices(ishigami, device, { samples: 100, seed: 5 })).toEqual(once);
    const plain = await sobolIndices(ishigami, referenceDevice(), { samples: 100, seed: 5 });
    figure(plain, 'S1').forEach((value, i) => expect(value).toBeCloseTo(figure(once, 'S1')[i]!, 10));
  });

  it('of a normal prior weigh by its variance', async () => {
    const normal = (sd: number) =>
      priorDistribution((p) => sd * Math.log(p / (1 - p)), { lower: -Infinity, upper: Infinity, logConcave: true });
    const problem = sensitivityOf('3*x + y', { x: normal(1), y: normal(2) });
    const found = await sobolIndices(problem, device, { samples: 4096, seed: 0 });
    expect(figure(found, 'S1')[0]).toBeCloseTo(9 / 13, 1);
    expect(figure(found, 'ST')[1]).toBeCloseTo(4 / 13, 1);
  });

  it('count and locate runs that are not finite, and leave their rows out', async () => {
    const problem = sensitivityOf('sqrt(x) + 0*y', { x: uniformDistribution(-1, 1), y: unit });
    const found = await sobolIndices(problem, device, { samples: 256, seed: 0 });
    // Of the four runs of a row two have each of its x, half of which are below 0.
    expect(found.failed).toBeGreaterThan(480);
    expect(found.failed).toBeLessThan(544);
    expect(found.failures).toHaveLength(10);
    for (const { point, reason } of found.failures) {
      expect(point[0]).toBeLessThan(0);
      expect(reason).toBe('the result is NaN');
    }
    expect(figure(found, 'ST')[0]).toBeCloseTo(1, 1);
  });

  it('of what does not vary are undefined, never 0', async () => {
    const found = await sobolIndices(sensitivityOf('3 + 0*x', { x: unit }), device, { samples: 64, seed: 0 });
    expect(figure(found, 'S1')).toEqual([NaN]);
  });

  it('stop with what was found', async () => {
    const cancel = new Int32Array(new SharedArrayBuffer(4));
    const found = await sobolIndices(ishigami, device, {
      samples: 1e6,
      seed: 0,
      cancel,
      onProgress: (share) => share > 0.005 && Atomics.store(cancel, 0, 1),
    });
    expect(found.cancelled).toBe(true);
    expect(found.samples).toBeGreaterThan(4000);
    expect(found.samples).toBeLessThan(50_000);
    expect(figure(found, 'S1')[1]).toBeCloseTo(first[1]!, 1);
  });
});

describe("Morris's effects", () => {
  it('of a linear function are its slopes, over the whole range', async () => {
    const problem = sensitivityOf('2*x - 3*y + 5', { x: unit, y: uniformDistribution(0, 2) });
    const found = await morris(problem, device, { samples: 20, seed: 1 });
    [2, -6].forEach((slope, i) => {
      expect(figure(found, 'mu')[i]).toBeCloseTo(slope, 10);
      expect(figure(found, 'muStar')[i]).toBeCloseTo(Math.abs(slope), 10);
      expect(figure(found, 'sigma')[i]).toBeCloseTo(0, 10);
    });
    expect(found.runs).toBe(60);
  });

  it('rank the inputs of Ishigami, and see the interaction', async () => {
    const found = await morris(ishigami, device, { samples: 512, seed: 0 });
    const [one, two, three] = figure(found, 'muStar') as [number, number, number];
    // Over the 4 levels |EE| of x2 is 7·¾·3/2, those of the others have closed means.
    expect(two).toBeCloseTo(7.875, 10);
    expect(Math.abs(one - 7.7)).toBeLessThan(0.6);
    expect(Math.abs(three - 6.25)).toBeLessThan(0.6);
    expect(Math.min(one, two)).toBeGreaterThan(three);
    expect(figure(found, 'sigma')[2]).toBeGreaterThan(1);
  });
});

describe('DGSM', () => {
  it('of Ishigami have their closed form, and bound the total indices', async () => {
    const found = await dgsm(ishigami, device, { samples: 4096, seed: 0 });
    const fourth = Math.PI ** 4 / 5;
    const eighth = Math.PI ** 8 / 9;
    const wanted = [0.5 * (1 + 0.2 * fourth + 0.01 * eighth), 49 / 2, (0.5 * 0.16 * Math.PI ** 6) / 7];
    wanted.forEach((value, i) => expect(figure(found, 'dgsm')[i]).toBeCloseTo(value, 0));
    total.forEach((value, i) => expect(figure(found, 'bound')[i]).toBeGreaterThan(value));
  });

  it('bound a linear function with normal inputs exactly', async () => {
    const problem = sensitivityOf('2*x + y', {
      x: { ...unit, poincare: 1 },
      y: { ...unit, poincare: Infinity },
    });
    const found = await dgsm(problem, device, { samples: 64, seed: 0 });
    expect(figure(found, 'dgsm')).toEqual([4, 1]);
    expect(figure(found, 'bound')[1]).toBeNaN();
  });
});

describe('active subspaces', () => {
  it('of a ridge function are its ridge', async () => {
    const problem = sensitivityOf('exp(0.7*x + 0.3*y)', {
      x: uniformDistribution(-1, 1),
      y: uniformDistribution(-1, 1),
    });
    const { directions, eigenvalues, indices } = await activeSubspace(problem, device, { samples: 256, seed: 0 });
    const size = Math.hypot(0.7, 0.3);
    expect(directions?.[0]?.[0]).toBeCloseTo(0.7 / size, 10);
    expect(directions?.[0]?.[1]).toBeCloseTo(0.3 / size, 10);
    expect(eigenvalues?.[1]).toBeLessThan(1e-12 * eigenvalues![0]!);
    expect((indices[0]?.['activityScore'] as number) / (indices[1]?.['activityScore'] as number)).toBeCloseTo(
      49 / 9,
      8,
    );
  });
});

describe('local sensitivity', () => {
  it('is derivative and elasticity', async () => {
    const { indices } = await localSensitivity(sensitivityOf('x^3*y^-2', { x: unit, y: unit }, 2), device);
    expect(indices[0]).toEqual({ derivative: 3, elasticity: 3 });
    expect(indices[1]).toEqual({ derivative: -2, elasticity: -2 });
  });
  it('has no elasticity where the value is 0', async () => {
    const { indices } = await localSensitivity(sensitivityOf('x - y', { x: unit, y: unit }, 2), device);
    expect(indices[0]).toEqual({ derivative: 1, elasticity: NaN });
  });
  it('has no elasticity where the value is infinite', async () => {
    const { indices } = await localSensitivity(sensitivityOf('x + log(y)', { x: unit, y: unit }, 0), device);
    expect(indices[0]).toEqual({ derivative: 1, elasticity: NaN });
  });
});
