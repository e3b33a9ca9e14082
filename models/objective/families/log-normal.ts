/** log y is normal with `mean` and `sigma`. */
import type { ScalarOperand } from '../../../engine/index.ts';
import { families } from '../../facts/families.ts';
import type { Expression } from '../expression.ts';
import { family } from './family.ts';
import { logNormalTail } from './normal-tail.ts';
import { drawNormal, minusLogNormal, normalInformation } from './normal.ts';
import { drawLogNormalWithin } from './truncated-normal.ts';

const facts = families['log-normal'];

const standard = (s: Expression, y: ScalarOperand, mean = y, sigma = y): ScalarOperand =>
  s.divide(s.subtract(s.apply('log', y), mean), sigma);

export const logNormal = family({
  arguments: facts.arguments,
  observed: facts.observed,
  minusLog: (s, y, { mean, sigma }) => s.add(minusLogNormal(s, standard(s, y, mean, sigma), sigma), s.apply('log', y)),
  draw: (random, mean = NaN, sigma = NaN) => Math.exp(drawNormal(random, mean, sigma)),
  drawWithin: drawLogNormalWithin,
  looks: {
    prediction: 'mean',
    expected: (mean) => Math.exp(mean),
    deviation: (_, sigma) => sigma,
    scale: { to: Math.log, from: Math.exp },
    errors: false,
    distribution: 'normal',
    residual: 'residual of the logarithm over σ',
  },
  information: normalInformation,
  noise: 'sigma',
  tails: {
    below: (s, y, mean, sigma) => logNormalTail(s, standard(s, y, mean, sigma)),
    above: (s, y, mean, sigma) => logNormalTail(s, s.apply('neg', standard(s, y, mean, sigma))),
  },
});
