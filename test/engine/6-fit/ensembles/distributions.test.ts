/** Random numbers of named distributions: mean and variance, within five of their standard errors. */
import { expect, it } from 'vitest';
import { drawBinomial, drawGamma, drawPoisson } from '../../../../engine/6-fit/ensembles/distributions.ts';
import { randomFrom, type Random } from '../../../../engine/6-fit/ensembles/random.ts';

const draws = 40_000;

interface Moments {
  readonly mean: number;
  readonly variance: number;
  /** Without the 3 of a normal. */
  readonly excess: number;
}

function expectMoments(draw: (random: Random) => number, { mean, variance, excess }: Moments): void {
  const random = randomFrom(7);
  const values = Array.from({ length: draws }, () => draw(random));
  const found = values.reduce((sum, x) => sum + x, 0) / draws;
  expect(Math.abs(found - mean)).toBeLessThan(5 * Math.sqrt(variance / draws));
  const spread = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / draws;
  expect(Math.abs(spread / variance - 1)).toBeLessThan(5 * Math.sqrt((2 + excess) / draws));
}

it.each([0.2, 1, 3.7, 60])('gamma of shape %s', (shape) => {
  expectMoments((random) => drawGamma(random, shape), { mean: shape, variance: shape, excess: 6 / shape });
});

it.each([0.05, 3, 15.9, 16, 400, 1e6])('Poisson of mean %s', (mean) => {
  expectMoments((random) => drawPoisson(random, mean), { mean, variance: mean, excess: 1 / mean });
});

it.each([
  [1, 0.3],
  [15, 0.9],
  [16, 0.5],
  [1000, 0.01],
  [1_000_000, 0.7],
])('binomial of %s trials with probability %s', (n, p) => {
  const variance = n * p * (1 - p);
  expectMoments((random) => drawBinomial(random, n, p), {
    ...{ mean: n * p, variance },
    excess: (1 - 6 * p * (1 - p)) / variance,
  });
});

it('at the ends, and where there is no such distribution', () => {
  const random = randomFrom(0);
  expect([drawPoisson(random, 0), drawBinomial(random, 40, 0), drawBinomial(random, 40, 1)]).toEqual([0, 0, 40]);
  const none = [drawGamma(random, 0), drawPoisson(random, -1), drawBinomial(random, 2.5, 0.5)];
  expect([...none, drawBinomial(random, 3, 1.1), drawPoisson(random, NaN)].every(Number.isNaN)).toBe(true);
});
