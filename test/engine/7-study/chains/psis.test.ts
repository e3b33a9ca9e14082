/** Beside the R package loo 2.5.1. */
import normalQuantile from '@stdlib/stats-base-dists-normal-quantile';
import { describe, expect, it } from 'vitest';
import { looOf, paretoFit, pointwiseOf } from '../../../../engine/7-study/chains/psis.ts';

/** What R can count as well: uniform enough, and exact. */
const uniform = (k: number): number => (((((k * k * 79) % 100003) + k * 10472) % 100003) + 0.5) / 100003.5;

/** Log densities of three observations under normal distributions whose means are drawn: the last lies far out. */
const chainsOf = (y: number): Float64Array[] =>
  [0, 400].map((from) =>
    Float64Array.from({ length: 400 }, (_, s) => {
      const mean = normalQuantile(uniform((from + s + 1) * 7 + 3), 0, 1);
      return -0.5 * (y - mean) ** 2 - Math.log(1.3);
    }),
  );
const observed = [0.3, -1.2, 2.9].map(chainsOf);

describe('leave-one-out prediction', () => {
  it.each([
    [1, [-1.49151261135, -3.39439191444, -11.92632601412], [1.089424975, 1.14791818415, 1.83661932932]],
    [0.5, [-1.40654561285, -3.4320636633, -12.26667760227], [0.938192726468, 1.201288544303, 1.949750504806]],
  ] as const)('is that of R, draws being worth %d', (relative, elpd, ks) => {
    observed.forEach((chains, i) => {
      const found = pointwiseOf(chains, relative);
      expect(found.elpd).toBeCloseTo(elpd[i] as number, 8);
      expect(found.k).toBeCloseTo(ks[i] as number, 8);
    });
  });

  it('adds up as in R, and so does WAIC', () => {
    const found = looOf(observed.map((chains) => pointwiseOf(chains, 1)));
    expect(found.elpdLoo).toBeCloseTo(-16.8122305399, 8);
    expect(found.elpdLooStandardError).toBeCloseTo(9.62549167249, 8);
    expect(found.pLoo).toBeCloseTo(12.5134038029, 8);
    expect(found.elpdWaic).toBeCloseTo(-15.3625235865, 8);
    expect(found.pWaic).toBeCloseTo(11.0636968495, 8);
    expect(found).toMatchObject({ observations: 3, paretoKAbove: 3 });
    expect(found.largestParetoK).toBeCloseTo(1.83661932932, 8);
  });

  it('fits generalised Pareto distributions as R does', () => {
    const x = Array.from({ length: 60 }, (_, i) => (uniform(i + 1) ** -0.4 - 1) / 0.4).sort((a, b) => a - b);
    const { k, sigma } = paretoFit(x);
    expect(k).toBeCloseTo(0.534520626852, 10);
    expect(sigma).toBeCloseTo(0.993424210316, 10);
  });

  it('is not known of a handful of draws', () => {
    expect(pointwiseOf([Float64Array.of(-1, -2, -1.5)], 1).k).toBe(Infinity);
  });
});
