/** Diagnostics beside those of the R package posterior 1.4.0 (rhat, ess_bulk, ess_tail, mcse_mean, mcse_sd). */
import { describe, expect, it } from 'vitest';
import { randomFrom } from '../../../../engine/6-fit/ensembles/random.ts';
import { effectiveSize, mixingOf, monteCarloErrors } from '../../../../engine/7-study/chains/diagnostics.ts';

/** What R can count as well: uniform enough, and exact. */
const uniform = (k: number): number => (((((k * k * 79) % 100003) + k * 10472) % 100003) + 0.5) / 100003.5;

/** Four autoregressive chains of 250 logistic draws, each further along by `shift`. */
function chainsOf(rho: number, shift: number): Float64Array[] {
  return [1, 2, 3, 4].map((c) => {
    let last = 0;
    return Float64Array.from({ length: 250 }, (_, t) => {
      const u = uniform(c * 1000 + t + 1);
      last = rho * last + Math.log(u / (1 - u));
      return last + shift * c;
    });
  });
}

describe('diagnostics', () => {
  it.each([
    [0, 0, 1.001210639, 1078.623161, 1086.547267, 0.05251677723, 0.04620033331],
    [0.7, 0, 1.028237283, 269.9578575, 348.2487262, 0.1382918655, 0.08718563657],
    [-0.5, 0, 1.154379845, 3000, 1072.25106, 0.03717537507, 0.05038979347],
    [0.3, 1, 1.243936236, 13.47807874, 147.0821854, 0.5855251483, 0.06604848243],
  ])('of chains with correlation %d and shift %d are those of R', (rho, shift, rHat, bulk, tail, ofMean, ofSd) => {
    const chains = chainsOf(rho, shift);
    const found = mixingOf(chains);
    expect(found.rHat / rHat).toBeCloseTo(1, 7);
    expect(found.essBulk / bulk).toBeCloseTo(1, 7);
    expect(found.essTail / tail).toBeCloseTo(1, 7);
    const errors = monteCarloErrors(chains);
    expect(errors.mean / ofMean).toBeCloseTo(1, 7);
    // R divides by the number of draws where we divide by one less.
    expect(errors.standardDeviation / ofSd).toBeCloseTo(1, 2);
  });

  it('do not change with the scale on which heavy tails are looked at', () => {
    const heavy = chainsOf(0.7, 0).map((chain) => chain.map((x) => Math.exp(2 * x)));
    expect(mixingOf(heavy).essBulk / 269.9578575).toBeCloseTo(1, 7);
    expect(mixingOf(heavy).rHat / 1.018048066).toBeCloseTo(1, 7);
  });

  const normals = (seed: number, shift = 0): Float64Array => {
    const random = randomFrom(seed);
    return Float64Array.from({ length: 1000 }, () => shift + random.normal());
  };
  it('of independent draws are 1 and their number', () => {
    // By chance one set has 83 to 109 % of its number; the mean of twenty is 98 ± 1 %.
    const found = Array.from({ length: 20 }, (_, k) => mixingOf([1, 2, 3, 4].map((seed) => normals(4 * k + seed))));
    const mean = (of: (one: (typeof found)[number]) => number): number =>
      found.reduce((sum, one) => sum + of(one) / found.length, 0);
    for (const { rHat } of found) expect(Math.abs(rHat - 1)).toBeLessThan(0.005);
    expect(Math.abs(mean(({ essBulk }) => essBulk / 4000) - 0.98)).toBeLessThan(0.05);
    expect(Math.abs(mean(({ essTail }) => essTail / 4000) - 0.965)).toBeLessThan(0.05);
  });
  it('see chains that have not met, one that drifts, and one that is wider', () => {
    expect(mixingOf([normals(1), normals(2, 2)]).rHat).toBeGreaterThan(1.3);
    expect(mixingOf([normals(1).map((x, t) => x + t / 300)]).rHat).toBeGreaterThan(1.2);
    expect(mixingOf([normals(1), normals(2).map((x) => 4 * x)]).rHat).toBeGreaterThan(1.1);
  });
  it('count an autoregressive chain by (1 − ρ)/(1 + ρ)', () => {
    const random = randomFrom(9);
    let x = 0;
    const chain = Float64Array.from({ length: 20_000 }, () => (x = 0.8 * x + 0.6 * random.normal()));
    expect(effectiveSize([chain]) / 20_000 / (0.2 / 1.8)).toBeGreaterThan(0.8);
    expect(effectiveSize([chain]) / 20_000 / (0.2 / 1.8)).toBeLessThan(1.25);
  });
  it('count one that forgets slowly so too, which n² products would take minutes for', () => {
    const random = randomFrom(9);
    let x = 0;
    const rho = 0.995;
    const noise = Math.sqrt(1 - rho ** 2);
    const chains = [1, 2, 3, 4].map(() =>
      Float64Array.from({ length: 100_000 }, () => (x = rho * x + noise * random.normal())),
    );
    const expected = (400_000 * (1 - rho)) / (1 + rho);
    expect(mixingOf(chains).essBulk / expected).toBeGreaterThan(0.75);
    expect(mixingOf(chains).essBulk / expected).toBeLessThan(1.3);
  });
  it('are not known of too few draws', () => {
    expect(mixingOf([Float64Array.of(1), Float64Array.of(2)]).rHat).toBeNaN();
    expect(mixingOf([]).essBulk).toBeNaN();
  });
});
