/** Covariance, bootstrap, bands and statistics of a straight line, all of which have closed forms. */
import { afterAll, describe, expect, it } from 'vitest';
import studentQuantile from '@stdlib/stats-base-dists-t-quantile';
import { cpuDevice } from '../../../../engine/5-runtime/cpu/cpu-device.ts';
import { fit } from '../../../../engine/6-fit/fit.ts';
import { andersonDarling, runsTest } from '../../../../engine/6-fit/report/residual-tests.ts';
import { uncertainty, type UncertaintyMethod } from '../../../../engine/7-study/uncertainty/study.ts';
import type { Resampling } from '../../../../engine/7-study/uncertainty/redrawn-squares.ts';
import { readNist } from '../../../nist/problems.ts';
import { curveProblem, scalarParameter } from '../../../support/study-problems.ts';

const device = cpuDevice();
afterAll(() => device.close());

const x = Array.from({ length: 40 }, (_, i) => i / 4);
const y = x.map((t, i) => 1 + 2 * t + Math.sin(12.9898 * (i + 1)) * Math.cos(4.1414 * i) * (1 + t / 4));
const n = x.length;
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const sxx = x.reduce((sum, t) => sum + (t - mean(x)) ** 2, 0);
const slope = x.reduce((sum, t, i) => sum + (t - mean(x)) * (y[i]! - mean(y)), 0) / sxx;
const offset = mean(y) - slope * mean(x);
const residuals = x.map((t, i) => offset + slope * t - y[i]!);
const ssr = residuals.reduce((sum, r) => sum + r * r, 0);
const variance = ssr / (n - 2);
const slopeError = Math.sqrt(variance / sxx);

const problem = curveProblem({
  formula: 'a + k*x',
  x,
  y,
  parameters: [scalarParameter('a', 0), scalarParameter('k', 1)],
});

async function study(method: UncertaintyMethod, more: { resample?: Resampling; sandwich?: boolean } = {}) {
  const result = await fit(problem, device);
  const density = { program: problem.program, result: 'loss', support: new Map<string, readonly [number, number]>() };
  const { program, data, sizes } = problem;
  const bands = {
    program: { ...program, results: program.results.filter(({ name }) => name === 'residuals') },
    data,
    sizes,
  };
  return uncertainty(problem, result, density, device, method, {
    level: 0.9,
    seed: 0,
    comparable: true,
    bands,
    ...more,
  });
}

describe('a straight line', () => {
  const t = studentQuantile(0.95, n - 2);

  it('has the intervals, bands and criteria of the textbook', async () => {
    const found = await study('covariance');
    expect(found.intervals[1]?.lower).toBeCloseTo(slope - t * slopeError, 9);
    expect(found.intervals[1]?.upper).toBeCloseTo(slope + t * slopeError, 9);
    expect(found.intervals[1]?.verdict.status).toBe('determined');
    const [band] = found.bands;
    const half = t * Math.sqrt(variance * (1 / n + (x[3]! - mean(x)) ** 2 / sxx));
    expect((band!.upper[3]! - band!.lower[3]!) / 2).toBeCloseTo(half, 9);
    const wide = t * Math.sqrt(variance * (1 + 1 / n + (x[3]! - mean(x)) ** 2 / sxx));
    expect((band!.predictionUpper[3]! - band!.predictionLower[3]!) / 2).toBeCloseTo(wide, 9);
    const logLikelihood = -(n / 2) * (Math.log((2 * Math.PI * ssr) / n) + 1);
    expect(found.statistics['aic']).toBeCloseTo(6 - 2 * logLikelihood, 8);
    expect(found.statistics['bic']).toBeCloseTo(3 * Math.log(n) - 2 * logLikelihood, 8);
    const cosine = mean(x) / Math.sqrt(mean(x.map((value) => value * value)));
    expect(found.conditionNumber).toBeCloseTo(Math.sqrt((1 + cosine) / (1 - cosine)), 8);
  });

  it('has a sandwich that weighs each row by its own residual (HC1)', async () => {
    const found = await study('covariance', { sandwich: true });
    const meat = x.reduce((sum, value, i) => sum + ((value - mean(x)) * residuals[i]!) ** 2, 0);
    const error = Math.sqrt((n / (n - 2)) * meat) / sxx;
    expect(found.intervals[1]?.figures['standardError']).toBeCloseTo(error, 9);
  });

  it('has a profile that is the t interval', async () => {
    const found = await study('profile');
    expect(found.intervals[1]?.lower).toBeCloseTo(slope - t * slopeError, 7);
    expect(found.intervals[1]?.upper).toBeCloseTo(slope + t * slopeError, 7);
  });

  it.each(['residuals', 'cases', 'parametric'] as const)(
    'bootstrapped by %s has its standard error',
    async (resample) => {
      const found = await study('bootstrap', { resample });
      expect(found.diagnostics).toEqual({ replicates: 1000, failed: 0 });
      const meat = x.reduce((sum, value, i) => sum + ((value - mean(x)) * residuals[i]!) ** 2, 0);
      const wanted = resample === 'cases' ? Math.sqrt(meat) / sxx : slopeError;
      // The standard deviation of 1000 replicates is known to 2 %.
      expect(Math.abs(found.intervals[1]!.figures['standardError']! / wanted - 1)).toBeLessThan(0.1);
      expect(found.intervals[1]?.lower).toBeLessThan(slope);
      expect(found.intervals[1]?.upper).toBeGreaterThan(slope);
    },
  );
});

it('of few rows the bootstrap reaches as far as Student’s t', async () => {
  const few = { x: x.slice(0, 5), y: y.slice(0, 5) };
  const line = curveProblem({
    ...{ formula: 'a + k*x', ...few },
    parameters: [scalarParameter('a', 0), scalarParameter('k', 1)],
  });
  const density = { program: line.program, result: 'loss', support: new Map<string, readonly [number, number]>() };
  const fitted = await fit(line, device);
  const options = { level: 0.95, seed: 0, comparable: true, resample: 'parametric' as const, samples: 10_000 };
  const found = await uncertainty(line, fitted, density, device, 'bootstrap', options);
  const { value, standardError } = fitted.estimates[1]!;
  // Normal replicates of the slope reach 1.96 of its standard error, known to a hundredth or two, and t is 3.18.
  const [lower, upper] = [found.intervals[1]?.lower, found.intervals[1]?.upper].map(
    (end) => (end! - value) / standardError,
  );
  expect(Math.abs(lower! / -studentQuantile(0.975, 3) - 1)).toBeLessThan(0.05);
  expect(Math.abs(upper! / studentQuantile(0.975, 3) - 1)).toBeLessThan(0.05);
});

it('solves for what is linear in every replicate: of Bennett5’s long valley none is left out', async () => {
  const { certified, columns } = readNist('Bennett5');
  const valley = curveProblem({
    formula: 'b1*(b2 + x)^(-1/b3)',
    ...{ x: columns.get('x') as number[], y: columns.get('y') as number[] },
    parameters: certified.map((value, i) => scalarParameter(`b${i + 1}`, value)),
  });
  const density = { program: valley.program, result: 'loss', support: new Map<string, readonly [number, number]>() };
  const fitted = await fit(valley, device);
  const options = { level: 0.95, seed: 0, comparable: true, resample: 'residuals' as const, samples: 60 };
  const found = await uncertainty(valley, fitted, density, device, 'bootstrap', options);
  expect(found.diagnostics).toEqual({ replicates: 60, failed: 0 });
  // Replicates scatter as the covariance has it, where the model bends little: 60 tell it to a tenth.
  fitted.estimates.forEach(({ standardError }, j) => {
    const ratio = found.intervals[j]!.figures['standardError']! / standardError;
    expect(Math.abs(ratio - 1)).toBeLessThan(0.3);
  });
});

describe('tests of residuals', () => {
  /** ½ + ∫φ from 0 to z, by Simpson's rule. */
  const probability = (z: number): number => {
    const h = z / 400;
    const phi = (u: number): number => Math.exp(-0.5 * u * u) / Math.sqrt(2 * Math.PI);
    let sum = phi(0) + phi(z);
    for (let i = 1; i < 400; i++) sum += (i % 2 === 1 ? 4 : 2) * phi(i * h);
    return 0.5 + (sum * h) / 3;
  };
  /** n·∫(Fₙ − F)²/(F(1 − F)) dF, as Anderson and Darling sum it, with the factor of Stephens. */
  const statistic = (sample: readonly number[]): number => {
    const size = sample.length;
    const centre = mean(sample);
    const spread = Math.sqrt((mean(sample.map((value) => (value - centre) ** 2)) * size) / (size - 1));
    const below = [...sample].sort((a, b) => a - b).map((value) => probability((value - centre) / spread));
    const terms = below.map((f, i) => (2 * i + 1) * Math.log(f) + (2 * (size - i) - 1) * Math.log(1 - f));
    return (-size - mean(terms)) * (1 + 0.75 / size + 2.25 / size ** 2);
  };

  it('by runs, as the normal approximation has it', () => {
    const signs = [1, 1, -1, -1, 1, -1, -1, 1, 1, -1, 1, 1, -1, -1, -1, 1];
    // 8 and 8 in 9 runs, which is their mean.
    expect(runsTest(signs).p).toBeCloseTo(1, 10);
    // In 2 runs: z = −7/√(2·64·112/(256·15)) = −3.6228, p = 0.000291.
    expect(runsTest([...signs].sort((a, b) => a - b)).p).toBeCloseTo(0.000291, 6);
    expect(runsTest([...signs].sort((a, b) => a - b)).z).toBeLessThan(-3);
    expect(runsTest(signs.map((_, i) => (-1) ** i)).z).toBeGreaterThan(3);
    expect(runsTest([1, 1, 1]).p).toBeNaN();
  });

  it.each([
    // Critical values of A²·(1 + 0.75/n + 2.25/n²) for estimated mean and variance, and their levels
    // (D'Agostino & Stephens 1986, Goodness-of-fit techniques, table 4.7).
    [0.561, 0.15],
    [0.631, 0.1],
    [0.752, 0.05],
    [0.873, 0.025],
    [1.035, 0.01],
  ])('for normality: where the statistic is %d, p is %d', (critical, level) => {
    const size = 30;
    const scores = Array.from({ length: size }, (_, i) => Math.log((i + 0.5) / (size - 0.5 - i)));
    // A skew that grows with `bend`, until the statistic is there.
    const sample = (bend: number): number[] => scores.map((z) => z + bend * z * z);
    let [low, high] = [0, 1];
    for (let k = 0; k < 50; k++) {
      const middle = (low + high) / 2;
      if (statistic(sample(middle)) < critical) low = middle;
      else high = middle;
    }
    expect(statistic(sample(low))).toBeCloseTo(critical, 8);
    expect(Math.abs(andersonDarling(sample(low)) / level - 1)).toBeLessThan(0.03);
  });

  it('for normality: normal scores pass, a heavy tail does not', () => {
    const scores = Array.from({ length: 50 }, (_, i) => Math.log((i + 0.5) / (49.5 - i)));
    expect(andersonDarling(scores)).toBeGreaterThan(0.1);
    expect(andersonDarling(scores.map((z) => z ** 5))).toBeLessThan(0.001);
  });
});
