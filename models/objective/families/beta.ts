/**
 * y^(α − 1)·(1 − y)^(β − 1)/B(α, β) with α = mean·precision, β = (1 − mean)·precision: variance mean·(1 − mean)/(1 + precision).
 * About the mean, −log of it is
 *
 *   α·log(mean/y) + β·log((1 − mean)/(1 − y)) + log y(1 − y) − ½·log(αβ/2π·precision) + δ(α) + δ(β) − δ(precision)
 */
import { drawGamma, realLiteral } from '../../../engine/index.ts';
import { betaByMean, betaByShapes } from './distributions.ts';
import { families } from '../../facts/families.ts';
import { family, named, type Looks } from './family.ts';
import { logRatio, remainder } from './saddle.ts';

const facts = families.beta;

const real = realLiteral;

const looks: Looks = {
  prediction: 'mean',
  expected: (mean) => mean,
  deviation: (mean, precision = NaN) => Math.sqrt((mean * (1 - mean)) / (1 + precision)),
  errors: false,
  distribution: betaByMean,
  residual: 'Pearson residual',
};

const byShapes = facts.spelling;

export const beta = family({
  arguments: facts.arguments,
  spelling: {
    arguments: byShapes,
    write: named(byShapes, (s, { alpha, beta: other }) => {
      const sum = s.add(alpha, other);
      return [s.divide(alpha, sum), sum];
    }),
    looks: {
      ...looks,
      prediction: 'alpha',
      beside: ['beta'],
      distribution: betaByShapes,
      expected: (alpha, other = NaN) => alpha / (alpha + other),
      deviation: (alpha, other = NaN) => looks.deviation(alpha / (alpha + other), alpha + other),
    },
  },
  observed: facts.observed,
  minusLog(s, y, { mean, precision }) {
    const [rest, miss] = [s.subtract(real(1), y), s.subtract(real(1), mean)];
    const [a, b] = [s.multiply(mean, precision), s.multiply(miss, precision)];
    const beyond = s.subtract(mean, y);
    const spread = s.apply('log', s.divide(s.multiply(a, miss), real(2 * Math.PI)));
    return s.add(
      s.multiply(a, logRatio(s, mean, y, beyond)),
      s.multiply(b, logRatio(s, miss, rest, s.apply('neg', beyond))),
      s.subtract(s.add(s.apply('log', y), s.apply('log1p', s.apply('neg', y))), s.multiply(real(0.5), spread)),
      s.subtract(s.add(remainder(s, a), remainder(s, b)), remainder(s, precision)),
    );
  },
  draw(random, mean = NaN, precision = NaN) {
    const [a, b] = [drawGamma(random, mean * precision), drawGamma(random, (1 - mean) * precision)];
    return a / (a + b);
  },
  looks,
});
