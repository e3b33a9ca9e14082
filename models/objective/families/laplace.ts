/** |y − location|/scale + log 2·scale */
import { realLiteral, type ScalarOperand } from '../../../engine/index.ts';
import { families } from '../../facts/families.ts';
import type { Expression } from '../expression.ts';
import type { Draw } from '../term.ts';
import { laplace as distribution } from './distributions.ts';
import { family } from './family.ts';

const facts = families.laplace;

export function minusLogLaplace(
  s: Expression,
  y: ScalarOperand,
  location: ScalarOperand,
  scale: ScalarOperand,
): ScalarOperand {
  const distance = s.divide(s.apply('abs', s.subtract(y, location)), scale);
  return s.add(distance, s.apply('log', scale), realLiteral(Math.LN2));
}

export const drawLaplace: Draw = (random, location = NaN, scale = NaN) => {
  const u = random.uniform() - 0.5;
  return location - scale * Math.sign(u) * Math.log1p(-2 * Math.abs(u));
};

export const laplace = family({
  arguments: facts.arguments,
  observed: facts.observed,
  minusLog: (s, y, { location, scale }) => minusLogLaplace(s, y, location, scale),
  draw: drawLaplace,
  looks: {
    prediction: 'location',
    expected: (location) => location,
    deviation: (_, scale) => Math.SQRT2 * scale,
    errors: false,
    distribution,
    residual: 'residual over the standard deviation',
  },
});
