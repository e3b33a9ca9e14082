/**
 * (k/mean)ᵏ·y^(k − 1)·e^(−k·y/mean)/Γ(k) with k = `shape`: variance mean²/shape. About the mean, −log of it is
 *
 *   k·((y − mean)/mean − log(y/mean)) + log y − ½·log(k/2π) + δ(k)
 */
import { drawGamma, realLiteral } from '../../../engine/index.ts';
import { gammaByMean, gammaByRate } from './distributions.ts';
import { families } from '../../facts/families.ts';
import { family, named, type Looks } from './family.ts';
import { logRatio, remainder } from './saddle.ts';

const facts = families.gamma;

const real = realLiteral;

const looks: Looks = {
  prediction: 'mean',
  expected: (mean) => mean,
  deviation: (mean, shape = NaN) => mean / Math.sqrt(shape),
  errors: false,
  distribution: gammaByMean,
  residual: 'Pearson residual',
};

const byRate = facts.spelling;

export const gamma = family({
  arguments: facts.arguments,
  spelling: {
    arguments: byRate,
    write: named(byRate, (s, { shape, rate }) => [s.divide(shape, rate), shape]),
    looks: {
      ...looks,
      prediction: 'rate',
      beside: ['shape'],
      distribution: gammaByRate,
      expected: (shape, rate = NaN) => shape / rate,
      deviation: (shape, rate = NaN) => Math.sqrt(shape) / rate,
    },
  },
  observed: facts.observed,
  minusLog(s, y, { mean, shape }) {
    const beyond = s.subtract(y, mean);
    const deviance = s.subtract(s.divide(beyond, mean), logRatio(s, y, mean, beyond));
    const spread = s.multiply(real(0.5), s.apply('log', s.divide(shape, real(2 * Math.PI))));
    return s.add(s.multiply(shape, deviance), s.subtract(s.apply('log', y), spread), remainder(s, shape));
  },
  /** k/mean² and ψ′(k) − 1/k */
  information: [
    { by: [0, 0], write: named(facts.arguments, (s, { mean, shape }) => s.divide(shape, s.multiply(mean, mean))) },
    {
      by: [1, 1],
      write: named(facts.arguments, (s, { shape }) =>
        s.subtract(s.apply('polygamma', real(1), shape), s.divide(real(1), shape)),
      ),
    },
  ],
  draw: (random, mean = NaN, shape = NaN) => (drawGamma(random, shape) * mean) / shape,
  looks,
});
