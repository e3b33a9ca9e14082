/** `uncertainty --method bootstrap` of likelihoods: the standard errors that closed forms give. */
import { describe, expect, it } from 'vitest';
import { constant, cotangent, documentOf, parameter, written, type PlainBlock } from '../support/command-line.ts';

interface Figures {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
  readonly standardError: number;
}

async function replicates(
  blocks: readonly PlainBlock[],
  objective: string | readonly string[] = 'l',
  ...args: readonly string[]
): Promise<Record<string, Figures>> {
  const path = written(documentOf(blocks, { objective }));
  const outcome = await cotangent('uncertainty', path, '--method', 'bootstrap', '--samples', '2000', ...args, '--json');
  expect({ status: outcome.status, stderr: outcome.stderr }).toEqual({ status: 0, stderr: '' });
  const found = JSON.parse(outcome.stdout) as { parameters: Record<string, Figures>; diagnostics: unknown };
  expect(found.diagnostics).toEqual({ replicates: 2000, failed: 0 });
  return found.parameters;
}

/** The standard deviation of 2000 replicates is known to 1.6 %. */
const near = (found: number | undefined, wanted: number): void =>
  expect(Math.abs((found ?? NaN) / wanted - 1)).toBeLessThan(0.07);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const likelihood = (family: string, more: PlainBlock): PlainBlock => ({
  ...{ id: 'l', kind: 'likelihood', family, observed: 'y' },
  ...more,
});

const counts = [3, 5, 2, 8, 4, 6, 3, 7, 5, 4, 6, 2, 5, 9, 1, 4, 5, 3, 6, 4];
const n = counts.length;
const mean = sum(counts) / n;
const spread = sum(counts.map((y) => (y - mean) ** 2)) / n;

describe('the parametric bootstrap', () => {
  it('of a Poisson mean has the variance μ/n; a missing count is none', async () => {
    const y = constant('y', [...counts, 'NaN']);
    const blocks = [y, parameter('mu', 3, { lower: 0 }), likelihood('poisson', { mean: 'mu' })];
    const { mu } = await replicates(blocks);
    expect(mu?.value).toBeCloseTo(mean, 8);
    near(mu?.standardError, Math.sqrt(mean / n));
    expect([mu?.lower, mu?.upper].map((end) => Math.abs((end! - mean) / Math.sqrt(mean / n)))).toEqual([
      expect.closeTo(1.96, 0),
      expect.closeTo(1.96, 0),
    ]);
  });

  // Of the mean of a normal with σ = 1, seen from 0.5 on, the information of a row is the variance there; 0 is where the mean
  // above 0.5 is that of the rows (SciPy 1.17, truncnorm.stats(0.5, inf)).
  it('of a truncated normal has the variance 1/(n·variance of what is seen)', async () => {
    const [among, deviation] = [1.1410777703680648, 0.5181509501640216];
    const ys = Array.from({ length: 400 }, (_, i) => among + 0.6 * Math.sin((Math.PI * (i + 0.5)) / 200));
    const normal = { mean: 'm', sigma: 1, truncated: { lower: 0.5 } };
    const { m } = await replicates([constant('y', ys), parameter('m', 1), likelihood('normal', normal)]);
    expect(m?.value).toBeCloseTo(0, 7);
    near(m?.standardError, 1 / (Math.sqrt(400) * deviation));
    const logs = { mean: 'm', sigma: 1, truncated: { lower: Math.exp(0.5) } };
    const blocks = [constant('y', ys.map(Math.exp)), parameter('m', 1), likelihood('log-normal', logs)];
    near((await replicates(blocks))['m']?.standardError, 1 / (Math.sqrt(400) * deviation));
  });

  it('of a share has the variance p·(1 − p)/trials', async () => {
    const trials = counts.map((y, i) => y + 5 + (i % 3));
    const p = sum(counts) / sum(trials);
    const found = await replicates([
      ...[constant('y', counts), constant('n', trials), parameter('p', 0.5, { lower: 0, upper: 1, scale: 'logit' })],
      likelihood('binomial', { probability: 'p', trials: 'n' }),
    ]);
    near(found['p']?.standardError, Math.sqrt((p * (1 - p)) / sum(trials)));
  });

  it('of a negative binomial mean has the variance (μ + αμ²)/n', async () => {
    const blocks = [
      ...[constant('y', counts), parameter('mu', 3, { scale: 'log' })],
      likelihood('negative-binomial', { mean: 'mu', dispersion: 0.5 }),
    ];
    const found = await replicates(blocks);
    near(found['mu']?.standardError, Math.sqrt((mean + 0.5 * mean * mean) / n));
  });

  it('of a normal has the variances σ²/n and, nearly, σ²/2n', async () => {
    const blocks = [
      ...[constant('y', counts), parameter('m', 3), parameter('s', 1, { scale: 'log' })],
      likelihood('normal', { mean: 'm', sigma: 's' }),
    ];
    const found = await replicates(blocks);
    near(found['m']?.standardError, Math.sqrt(spread / n));
    // σ̂ = σ·χ/√n with n − 1 degrees: E χ² − (E χ)² with E χ = √2·Γ(n/2)/Γ((n − 1)/2), for n = 20 4.30181.
    near(found['s']?.standardError, Math.sqrt((spread * (19 - 4.301814 ** 2)) / n));
  });

  it('of a log-normal has the variance σ²/n of the mean of logarithms', async () => {
    const logs = counts.map(Math.log);
    const middle = sum(logs) / n;
    const found = await replicates([
      ...[constant('y', counts), parameter('m', 1), parameter('s', 1, { scale: 'log' })],
      likelihood('log-normal', { mean: 'm', sigma: 's' }),
    ]);
    near(found['m']?.standardError, Math.sqrt(sum(logs.map((x) => (x - middle) ** 2)) / n ** 2));
  });

  it('of a location under Student’s t has nearly the variance scale²·(ν + 3)/((ν + 1)·n)', async () => {
    const y = Array.from({ length: 400 }, (_, i) => 10 + Math.tan((Math.PI * (i + 0.5)) / 400 - Math.PI / 2));
    const found = await replicates([
      ...[constant('y', y), parameter('m', 9)],
      likelihood('student-t', { mean: 'm', scale: 2, degrees: 4 }),
    ]);
    near(found['m']?.standardError, Math.sqrt((4 * 7) / (5 * 400)));
  });

  it('of least squares with known sigma and a prior keeps the prior', async () => {
    const found = await replicates([
      ...[constant('y', counts), parameter('m', 3, { prior: { family: 'normal', mean: 0, sd: 1 } })],
      { id: 'l', kind: 'least-squares', prediction: 'm', observed: 'y', sigma: 2 },
    ]);
    // The posterior mode is Σy/4 over n/4 + 1.
    expect(found['m']?.value).toBeCloseTo(sum(counts) / 4 / (n / 4 + 1), 8);
    near(found['m']?.standardError, (Math.sqrt(n) * 2) / 4 / (n / 4 + 1));
  });
});

describe('the bootstrap of cases', () => {
  it('of a Poisson mean has the variance of what was observed', async () => {
    const blocks = [constant('y', counts), parameter('mu', 3, { lower: 0 }), likelihood('poisson', { mean: 'mu' })];
    const { mu } = await replicates(blocks, 'l', '--resample', 'cases');
    near(mu?.standardError, Math.sqrt(spread / n));
  });

  it('of two blocks draws within each', async () => {
    const blocks = [
      ...[constant('y', counts), constant('z', [1, 2, 4]), parameter('mu', 3, { lower: 0 }), parameter('nu', 3)],
      likelihood('poisson', { mean: 'mu' }),
      { ...likelihood('normal', { mean: 'nu', sigma: 1 }), id: 'q', observed: 'z' },
    ];
    const found = await replicates(blocks, ['l', 'q'], '--resample', 'cases');
    near(found['mu']?.standardError, Math.sqrt(spread / n));
    // Σ(z − 7/3)² = (16 + 1 + 25)/9 over 3, and that over 3.
    near(found['nu']?.standardError, Math.sqrt((16 + 1 + 25) / 9 / 3 / 3));
  });
});

describe('what cannot be drawn again', () => {
  const refused = async (blocks: readonly PlainBlock[], ...args: readonly string[]): Promise<string> => {
    const path = written(documentOf(blocks, { objective: 'l' }));
    const outcome = await cotangent('uncertainty', path, '--method', 'bootstrap', ...args);
    expect({ status: outcome.status, stdout: outcome.stdout }).toEqual({ status: 2, stdout: '' });
    return outcome.stderr;
  };
  const prior = { prior: { family: 'normal', mean: 0, sd: 1 } };

  it('is refused with the block’s name', async () => {
    const y = constant('y', counts);
    const squares = { id: 'l', kind: 'least-squares', prediction: 'm', observed: 'y' };
    expect(await refused([y, parameter('m', 3, prior), squares])).toMatch(/^cotangent: "l" .*take profile or hmc\)\n$/);
    const robust = { ...squares, sigma: 1, loss: { kind: 'huber' } };
    expect(await refused([y, parameter('m', 3, prior), robust])).toContain('"l" has no distribution');
    const interval = likelihood('normal', { mean: 'm', sigma: 1, censored: { interval: 'end' } });
    const binned = [
      y,
      constant(
        'end',
        counts.map((count) => count + 1),
      ),
      parameter('m', 3),
      interval,
    ];
    expect(await refused(binned)).toContain('draw its cases again ("--resample cases")');
    const poisson = [y, parameter('m', 3), likelihood('poisson', { mean: 'm' })];
    expect(await refused(poisson, '--resample', 'residuals')).toContain('take cases or parametric');
  });
});
