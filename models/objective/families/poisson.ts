/** mean − y·log mean + log y!, about y: y·log(y/mean) − (y − mean) + ½·log 2πy + δ(y) */
import { drawPoisson, realLiteral, type ScalarOperand } from '../../../engine/index.ts';
import { families } from '../../facts/families.ts';
import type { Expression } from '../expression.ts';
import { poisson as distribution } from './distributions.ts';
import { family, named } from './family.ts';
import { halfLog, logRatio, remainder } from './saddle.ts';

const facts = families.poisson;

export function minusLogPoisson(s: Expression, y: ScalarOperand, mean: ScalarOperand): ScalarOperand {
  return s.choose(
    s.apply('eq', y, realLiteral(0)),
    () => mean,
    () => {
      const beyond = s.subtract(y, mean);
      const deviance = s.subtract(s.multiply(y, logRatio(s, y, mean, beyond)), beyond);
      return s.add(deviance, halfLog(s, y), remainder(s, y));
    },
  );
}

export const poisson = family({
  arguments: facts.arguments,
  observed: facts.observed,
  minusLog: (s, y, { mean }) => minusLogPoisson(s, y, mean),
  information: [{ by: [0, 0], write: named(facts.arguments, (s, { mean }) => s.divide(realLiteral(1), mean)) }],
  draw: (random, mean = NaN) => drawPoisson(random, mean),
  looks: {
    prediction: 'mean',
    expected: (mean) => mean,
    deviation: (mean) => Math.sqrt(mean),
    errors: false,
    distribution: distribution,
    residual: 'Pearson residual',
  },
});
