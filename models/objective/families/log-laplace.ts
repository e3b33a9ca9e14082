/** log y has Laplace's distribution about `location`. */
import { families } from '../../facts/families.ts';
import { logLaplace as distribution } from './distributions.ts';
import { family } from './family.ts';
import { drawLaplace, minusLogLaplace } from './laplace.ts';

const facts = families['log-laplace'];

export const logLaplace = family({
  arguments: facts.arguments,
  observed: facts.observed,
  minusLog: (s, y, { location, scale }) => {
    const log = s.apply('log', y);
    return s.add(minusLogLaplace(s, log, location, scale), log);
  },
  draw: (random, location = NaN, scale = NaN) => Math.exp(drawLaplace(random, location, scale)),
  looks: {
    prediction: 'location',
    // The median; beyond a scale of 1 there is no mean.
    expected: (location) => Math.exp(location),
    deviation: (location, scale = NaN) => Math.exp(location ?? NaN) * Math.SQRT2 * scale,
    errors: false,
    distribution,
    residual: 'residual over the standard deviation',
  },
});
