/**
 * Densities of counts about their mode, where factorials and powers are too large to be subtracted (Loader 2000, "Fast and
 * accurate computation of binomial probabilities"):
 *
 *   log x! = x·log x − x + ½·log(2πx) + δ(x),   δ(x) = 1/12x − 1/360x³ + …
 *
 * so that what is left of −log p are terms of its own size.
 */
import { realLiteral, type ScalarOperand } from '../../../engine/index.ts';
import type { Expression } from '../expression.ts';

const real = realLiteral;

/** From here on the series of δ is exact to rounding. */
export const FAR = 16;
const halfLogTwoPi = 0.5 * Math.log(2 * Math.PI);

/** δ(1/r) for r up to 1/16. */
export function remainderAt(s: Expression, r: ScalarOperand): ScalarOperand {
  const square = s.multiply(r, r);
  const sum = [1 / 1188, 1 / 1680, 1 / 1260, 1 / 360, 1 / 12].reduce<ScalarOperand>(
    (inner, coefficient) => s.subtract(real(coefficient), s.multiply(square, inner)),
    real(691 / 360360),
  );
  return s.multiply(r, sum);
}

/** δ(x) for x > 0. */
export function remainder(s: Expression, x: ScalarOperand): ScalarOperand {
  return s.choose(
    s.apply('lt', x, real(FAR)),
    () => {
      const power = s.multiply(s.add(x, real(0.5)), s.apply('log', x));
      return s.add(s.subtract(s.apply('lgamma', s.add(x, real(1))), power), s.subtract(x, real(halfLogTwoPi)));
    },
    () => remainderAt(s, s.divide(real(1), x)),
  );
}

/** log(a/b), `difference` being a − b to rounding: where they are close, it is that which decides. */
export function logRatio(s: Expression, a: ScalarOperand, b: ScalarOperand, difference: ScalarOperand): ScalarOperand {
  const share = s.divide(difference, b);
  return s.choose(
    s.apply('lt', s.apply('abs', share), real(0.5)),
    () => s.apply('log1p', share),
    () => s.apply('log', s.divide(a, b)),
  );
}

/** log(1 + x)/x, and its limit at 0. */
export function log1pShare(s: Expression, x: ScalarOperand): ScalarOperand {
  return s.choose(
    s.apply('lt', s.apply('abs', x), real(1e-3)),
    () =>
      [1 / 5, -1 / 4, 1 / 3, -1 / 2, 1].reduce<ScalarOperand>(
        (inner, coefficient) => s.add(real(coefficient), s.multiply(x, inner)),
        real(-1 / 6),
      ),
    () => s.divide(s.apply('log1p', x), x),
  );
}

/** ½·log(2πx) */
export function halfLog(s: Expression, x: ScalarOperand): ScalarOperand {
  return s.add(s.multiply(real(0.5), s.apply('log', x)), real(halfLogTwoPi));
}

/** log y! */
export function logFactorial(s: Expression, y: ScalarOperand): ScalarOperand {
  return s.apply('lgamma', s.add(y, real(1)));
}
