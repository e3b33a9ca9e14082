/** Prediction intervals against those of SciPy: quantiles of the family, mixed over the prediction by quadrature. */
import { describe, expect, it } from 'vitest';
import {
  betaByMean,
  betaByShapes,
  binomial,
  gammaByMean,
  gammaByRate,
  negativeBinomial,
  ordinal,
  poisson,
  studentT,
  zeroInflatedPoisson,
} from '../../../models/objective/families/distributions.ts';
import type { Distribution } from '../../../models/objective/families/distributions.ts';
import { predictiveInterval } from '../../../models/plots/predictive.ts';

interface Case {
  readonly values: readonly number[];
  readonly error: number;
  readonly level: number;
  readonly ends: readonly [number, number];
}

function interval(distribution: Distribution, { values, error, level }: Case): readonly [number, number] {
  const [prediction = 0, other = 0] = values;
  const [expected, deviation] =
    distribution === binomial
      ? [prediction * other, Math.sqrt(other * prediction * (1 - prediction))]
      : distribution === studentT
        ? [prediction, other]
        : [prediction, Math.sqrt(prediction + (distribution === poisson ? 0 : other) * prediction ** 2)];
  const shift = distribution === binomial ? other * error : error;
  return predictiveInterval(distribution, { values, at: 0, standardError: error, shift, expected, deviation }, level);
}

const counts: readonly (readonly [string, Distribution, Case])[] = [
  ['Poisson', poisson, { values: [3.2], error: 0.8, level: 0.95, ends: [0, 8] }],
  ['Poisson', poisson, { values: [120], error: 9, level: 0.9, ends: [97, 144] }],
  ['Poisson', poisson, { values: [0.3], error: 0.4, level: 0.95, ends: [0, 2] }],
  ['Poisson', poisson, { values: [7], error: 0, level: 0.95, ends: [2, 13] }],
  ['binomial', binomial, { values: [0.3, 20], error: 0.05, level: 0.95, ends: [2, 11] }],
  ['binomial', binomial, { values: [0.9, 1], error: 0.1, level: 0.95, ends: [0, 1] }],
  ['binomial', binomial, { values: [0.5, 40], error: 0, level: 0.9, ends: [15, 25] }],
  ['negative binomial', negativeBinomial, { values: [5, 0.3], error: 1, level: 0.95, ends: [0, 14] }],
  ['negative binomial', negativeBinomial, { values: [80, 0.1], error: 0, level: 0.95, ends: [36, 140] }],
];
it.each(counts)('%s', (_, distribution, given) => {
  expect(interval(distribution, given)).toEqual(given.ends);
});

describe('Student’s t', () => {
  const cases: readonly Case[] = [
    { values: [2, 0.5, 4], error: 0.3, level: 0.95, ends: [0.5048197240167215, 3.4951802759832015] },
    { values: [1, 0.1, 3], error: 1, level: 0.9, ends: [-0.6673840994711518, 2.6673840994711635] },
    { values: [0, 1, 2.5], error: 0, level: 0.95, ends: [-3.5746548420036817, 3.5746548420036817] },
  ];
  it.each(cases)('at $values', (given) => {
    const [lower, upper] = interval(studentT, given);
    expect(lower).toBeCloseTo(given.ends[0], 7);
    expect(upper).toBeCloseTo(given.ends[1], 7);
  });
});

describe('other families, their ends in the same order', () => {
  const ends = (
    distribution: Distribution,
    values: readonly number[],
    [expected, deviation, error = 0]: readonly [number, number, number?],
  ) =>
    predictiveInterval(distribution, { values, at: 0, standardError: error, shift: error, expected, deviation }, 0.95);

  it('gamma', () => {
    const [lower, upper] = ends(gammaByMean, [3, 4], [3, 1.5]);
    expect(lower).toBeCloseTo(0.8173990302197436, 7);
    expect(upper).toBeCloseTo(6.5754548023067425, 7);
    const [low, high] = ends(gammaByMean, [3, 4], [3, 1.5, 0.5]);
    expect(low).toBeCloseTo(0.7687153297907574, 6);
    expect(high).toBeCloseTo(6.897939810365245, 6);
    const other = predictiveInterval(
      gammaByRate,
      { values: [4, 4 / 3], at: 1, standardError: 0, shift: 0, expected: 3, deviation: 1.5 },
      0.95,
    );
    expect(other[0]).toBeCloseTo(lower, 9);
  });

  it('beta', () => {
    const [lower, upper] = ends(betaByMean, [0.3, 8], [0.3, 0.15]);
    expect(lower).toBeCloseTo(0.058597456316592536, 7);
    expect(upper).toBeCloseTo(0.6344805830689086, 7);
    expect(ends(betaByShapes, [2.4, 5.6], [0.3, 0.15])[1]).toBeCloseTo(upper, 9);
  });

  it('zero-inflated Poisson, ordinal', () => {
    expect(ends(zeroInflatedPoisson, [4, 0.25], [3, 2.4])).toEqual([0, 8]);
    expect(ends(ordinal, [0.4, -1, 0.5, 2], [1.4, 1])).toEqual([0, 3]);
  });
});

it('is unknown where an argument is', () => {
  expect(interval(poisson, { values: [NaN], error: 1, level: 0.9, ends: [0, 0] })).toEqual([NaN, NaN]);
  expect(interval(studentT, { values: [1, NaN, 3], error: 1, level: 0.9, ends: [0, 0] })).toEqual([NaN, NaN]);
});
