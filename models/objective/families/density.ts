/** Any density: what is given is its logarithm at each observation, from a formula of the document. */
import { families } from '../../facts/families.ts';
import { family } from './family.ts';

const facts = families.density;

export const density = family({
  arguments: facts.arguments,
  observed: facts.observed,
  minusLog: (s, _, { logDensity }) => s.apply('neg', logDensity),
  looks: {
    prediction: 'logDensity',
    expected: (logDensity) => Math.exp(logDensity ?? NaN),
    deviation: () => NaN,
    errors: false,
    distribution: 'normal',
    residual: 'Pearson residual',
  },
});
