/**
 * (y − mean)/scale has Student's t distribution with ν `degrees` of freedom:
 *
 *   log B(½, ν/2)√ν + log scale + (ν + 1)/2·log(1 + z²/ν)
 *
 * With many degrees by what they differ from ∞, where it is the normal one.
 */
import { drawGamma, realLiteral, type ScalarOperand } from '../../../engine/index.ts';
import { families } from '../../facts/families.ts';
import type { Expression } from '../expression.ts';
import { studentT as distribution } from './distributions.ts';
import { family, named } from './family.ts';
import { FAR, log1pShare, remainderAt } from './saddle.ts';

const facts = families['student-t'];

const real = realLiteral;

/** −log of the density at z = 0, of scale 1. */
function atCentre(s: Expression, degrees: ScalarOperand): ScalarOperand {
  return s.choose(
    s.apply('lt', degrees, real(2 * FAR)),
    () =>
      s.add(
        s.subtract(
          s.apply('lgamma', s.multiply(real(0.5), degrees)),
          s.apply('lgamma', s.multiply(real(0.5), s.add(degrees, real(1)))),
        ),
        s.multiply(real(0.5), s.apply('log', s.multiply(real(Math.PI), degrees))),
      ),
    () => {
      // ½ log 2π − (h·log(1 + 1/2h) − ½) − δ(h + ½) + δ(h), of h = ν/2
      const share = s.divide(real(1), degrees);
      const twice = s.multiply(real(2), share);
      const more = s.subtract(s.multiply(real(0.5), log1pShare(s, share)), real(0.5));
      const later = remainderAt(s, s.divide(twice, s.add(real(1), share)));
      return s.add(s.subtract(real(0.5 * Math.log(2 * Math.PI)), s.add(more, later)), remainderAt(s, twice));
    },
  );
}

export function minusLogStudent(
  s: Expression,
  y: ScalarOperand,
  mean: ScalarOperand,
  scale: ScalarOperand,
  degrees: ScalarOperand,
): ScalarOperand {
  const z = s.divide(s.subtract(y, mean), scale);
  const [square, share] = [s.multiply(z, z), s.divide(real(1), degrees)];
  const away = s.multiply(square, share);
  const tail = s.choose(
    s.apply('lt', away, real(1e-3)),
    () => s.multiply(real(0.5), s.add(real(1), share), square, log1pShare(s, away)),
    () => s.multiply(real(0.5), s.add(degrees, real(1)), s.apply('log1p', away)),
  );
  return s.add(atCentre(s, degrees), s.apply('log', scale), tail);
}

/** c/((ν + 3)·scale²) */
const ofScale = (c: (s: Expression, degrees: ScalarOperand) => ScalarOperand) =>
  named(facts.arguments, (s, { scale, degrees }) =>
    s.divide(c(s, degrees), s.multiply(s.add(degrees, real(3)), scale, scale)),
  );

export const studentT = family({
  arguments: facts.arguments,
  observed: facts.observed,
  minusLog: (s, y, { mean, scale, degrees }) => minusLogStudent(s, y, mean, scale, degrees),
  information: [
    { by: [0, 0], write: ofScale((s, degrees) => s.add(degrees, real(1))) },
    { by: [1, 1], write: ofScale((s, degrees) => s.multiply(real(2), degrees)) },
  ],
  noise: 'scale',
  /** z/√(χ²/degrees) */
  draw: (random, mean = NaN, scale = NaN, degrees = NaN) =>
    mean + (scale * random.normal()) / Math.sqrt((2 * drawGamma(random, degrees / 2)) / degrees),
  looks: {
    prediction: 'mean',
    expected: (mean) => mean,
    deviation: (_, scale) => scale,
    errors: false,
    distribution: distribution,
    residual: 'residual over the scale',
  },
});
