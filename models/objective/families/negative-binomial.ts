/**
 * Variance mean + dispersion·mean²; Poisson where the dispersion is 0. With k = 1/dispersion,
 *
 *   log y! + lgamma k − lgamma(y + k) + (y + k)·log(1 + mean/k) − y·log(mean/k),
 *
 * about y:  y·log(y(k + mean)/(y + k)mean) + ½·log y + δ(y) − δ(y + k) + h, where h is
 *
 *   k·log((k + mean)/(k + y)) + ½·log 2π + ½·log(1 + y/k) + δ(k)           as the dispersion is small
 *   k·log(1 + mean/k) − (k − ½)·log(y + k) + k + lgamma k                  otherwise
 */
import { drawGamma, drawPoisson, realLiteral, type ScalarOperand } from '../../../engine/index.ts';
import { families } from '../../facts/families.ts';
import type { Expression } from '../expression.ts';
import { negativeBinomial as distribution } from './distributions.ts';
import { family, named } from './family.ts';
import { FAR, log1pShare, logRatio, remainder, remainderAt } from './saddle.ts';

const facts = families['negative-binomial'];

const real = realLiteral;
const half = real(0.5);

function minusLogNegativeBinomial(s: Expression, y: ScalarOperand, mean: ScalarOperand, dispersion: ScalarOperand) {
  const [ofMean, ofY] = [s.multiply(dispersion, mean), s.multiply(dispersion, y)];
  const more = (share: ScalarOperand): ScalarOperand => s.add(real(1), share);
  const about = (): ScalarOperand => {
    const beyond = s.subtract(y, mean);
    const ratio = logRatio(s, s.multiply(y, more(ofMean)), s.multiply(mean, more(ofY)), beyond);
    return s.add(s.multiply(y, ratio), s.multiply(half, s.apply('log', y)), remainder(s, y));
  };
  const few = (): ScalarOperand => {
    const k = s.divide(real(1), dispersion);
    const total = s.add(y, k);
    return s.add(
      s.subtract(s.multiply(k, s.apply('log1p', ofMean)), s.multiply(s.subtract(k, half), s.apply('log', total))),
      s.add(k, s.apply('lgamma', k)),
      s.apply('neg', remainder(s, total)),
    );
  };
  const many = (): ScalarOperand => {
    const below = s.divide(s.subtract(mean, y), more(ofY));
    return s.add(
      s.multiply(below, log1pShare(s, s.multiply(dispersion, below))),
      s.add(real(0.5 * Math.log(2 * Math.PI)), s.multiply(half, s.apply('log1p', ofY))),
      s.subtract(remainderAt(s, dispersion), remainderAt(s, s.divide(dispersion, more(ofY)))),
    );
  };
  return s.choose(
    s.apply('eq', y, real(0)),
    () => s.multiply(mean, log1pShare(s, ofMean)),
    () => s.add(about(), s.choose(s.apply('lt', dispersion, real(1 / FAR)), many, few)),
  );
}

export const negativeBinomial = family({
  arguments: facts.arguments,
  observed: facts.observed,
  minusLog: (s, y, { mean, dispersion }) => minusLogNegativeBinomial(s, y, mean, dispersion),
  information: [
    {
      by: [0, 0],
      write: named(facts.arguments, (s, { mean, dispersion }) =>
        s.divide(real(1), s.multiply(mean, s.add(real(1), s.multiply(dispersion, mean)))),
      ),
    },
  ],
  /** Poisson with a mean that has a gamma distribution of variance dispersion·mean². */
  draw: (random, mean = NaN, dispersion = NaN) =>
    drawPoisson(random, dispersion === 0 ? mean : dispersion * mean * drawGamma(random, 1 / dispersion)),
  looks: {
    prediction: 'mean',
    expected: (mean) => mean,
    deviation: (mean, dispersion = NaN) => Math.sqrt(mean + dispersion * mean ** 2),
    errors: false,
    distribution: distribution,
    residual: 'Pearson residual',
  },
});
