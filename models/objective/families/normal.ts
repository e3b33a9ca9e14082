/** ½((y − mean)/sigma)² + log sigma + ½ log 2π */
import { realLiteral, type ScalarOperand } from '../../../engine/index.ts';
import { families } from '../../facts/families.ts';
import type { Expression } from '../expression.ts';
import type { Draw } from '../term.ts';
import { family, named, type Information } from './family.ts';
import { logNormalTail } from './normal-tail.ts';
import { drawNormalWithin } from './truncated-normal.ts';

const facts = families.normal;

export function minusLogNormal(s: Expression, z: ScalarOperand, sigma: ScalarOperand): ScalarOperand {
  const half = s.multiply(realLiteral(0.5), z, z);
  return s.add(half, s.apply('log', sigma), realLiteral(0.5 * Math.log(2 * Math.PI)));
}

const overSquare = (times: number) =>
  named(facts.arguments, (s, { sigma }) => s.divide(realLiteral(times), s.multiply(sigma, sigma)));

/** 1/σ² and 2/σ². */
export const normalInformation: readonly Information[] = [
  { by: [0, 0], write: overSquare(1) },
  { by: [1, 1], write: overSquare(2) },
];

export const drawNormal: Draw = (random, mean = NaN, sigma = NaN) => mean + sigma * random.normal();

const standard = (s: Expression, y: ScalarOperand, mean = y, sigma = y): ScalarOperand =>
  s.divide(s.subtract(y, mean), sigma);

export const normal = family({
  arguments: facts.arguments,
  observed: facts.observed,
  minusLog: (s, y, { mean, sigma }) => minusLogNormal(s, standard(s, y, mean, sigma), sigma),
  draw: drawNormal,
  drawWithin: drawNormalWithin,
  looks: {
    prediction: 'mean',
    expected: (mean) => mean,
    deviation: (_, sigma) => sigma,
    errors: true,
    distribution: 'normal',
    residual: 'residual over σ',
  },
  information: normalInformation,
  noise: 'sigma',
  tails: {
    below: (s, y, mean, sigma) => logNormalTail(s, standard(s, y, mean, sigma)),
    above: (s, y, mean, sigma) => logNormalTail(s, s.apply('neg', standard(s, y, mean, sigma))),
  },
});
