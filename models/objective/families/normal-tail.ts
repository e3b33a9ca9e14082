/** log Φ(z), in the far tail by Mills' ratio as a continued fraction: φ(z)/Φ(−z) = z + 1/(z + 2/(z + 3/(z + …))). */
import { realLiteral, type ScalarOperand } from '../../../engine/index.ts';
import type { Expression } from '../expression.ts';

const real = realLiteral;
/** Levels of the fraction, of which so many are exact to rounding from `far` on. */
const levels = 24;
const far = -7;

export function logNormalTail(s: Expression, z: ScalarOperand): ScalarOperand {
  return s.choose(
    s.apply('lt', z, real(far)),
    () => {
      const x = s.apply('neg', z);
      let ratio: ScalarOperand = x;
      for (let k = levels; k > 0; k--) ratio = s.add(x, s.divide(real(k), ratio));
      const density = s.add(s.multiply(real(0.5), z, z), real(0.5 * Math.log(2 * Math.PI)));
      return s.apply('neg', s.add(density, s.apply('log', ratio)));
    },
    () =>
      s.choose(
        s.apply('lt', z, real(1)),
        () => s.apply('log', s.multiply(real(0.5), s.apply('erfc', s.multiply(real(-Math.SQRT1_2), z)))),
        // 1 − Φ(−z): what is taken off is small.
        () => {
          const beyond = s.multiply(real(0.5), s.apply('erfc', s.multiply(real(Math.SQRT1_2), z)));
          return s.apply('log1p', s.apply('neg', beyond));
        },
      ),
  );
}
