/** 0 with the probability `inflation`, else a Poisson count: P(0) = inflation + (1 − inflation)·e^(−mean). */
import { drawPoisson, realLiteral, type ScalarOperand } from '../../../engine/index.ts';
import { families } from '../../facts/families.ts';
import type { Expression } from '../expression.ts';
import { zeroInflatedPoisson as distribution } from './distributions.ts';
import { family } from './family.ts';
import { minusLogPoisson } from './poisson.ts';

const facts = families['zero-inflated-poisson'];

const real = realLiteral;
/** Beyond it e^mean says nothing of the other zeros that inflation does not. */
const many = 30;

/** mean − log(1 + inflation·(e^mean − 1)), and far out −log(inflation + (1 − inflation)·e^(−mean)) */
function ofZero(s: Expression, mean: ScalarOperand, inflation: ScalarOperand): ScalarOperand {
  return s.choose(
    s.apply('or', s.apply('lt', mean, real(many)), s.apply('eq', inflation, real(0))),
    () => {
      const more = s.multiply(inflation, s.apply('expm1', s.apply('min', mean, real(many))));
      return s.subtract(mean, s.apply('log1p', more));
    },
    () => {
      const chance = s.multiply(s.subtract(real(1), inflation), s.apply('exp', s.apply('neg', mean)));
      return s.apply('neg', s.apply('log', s.add(inflation, chance)));
    },
  );
}

export const zeroInflatedPoisson = family({
  arguments: facts.arguments,
  observed: facts.observed,
  minusLog: (s, y, { mean, inflation }) =>
    s.choose(
      s.apply('eq', y, real(0)),
      () => ofZero(s, mean, inflation),
      () => s.subtract(minusLogPoisson(s, y, mean), s.apply('log1p', s.apply('neg', inflation))),
    ),
  draw: (random, mean = NaN, inflation = NaN) => (random.uniform() < inflation ? 0 : drawPoisson(random, mean)),
  looks: {
    prediction: 'mean',
    beside: ['inflation'],
    expected: (mean, inflation = NaN) => (1 - inflation) * mean,
    deviation: (mean, inflation = NaN) => Math.sqrt((1 - inflation) * mean * (1 + inflation * mean)),
    errors: false,
    distribution: distribution,
    residual: 'Pearson residual',
  },
});
