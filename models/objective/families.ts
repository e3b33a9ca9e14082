/** The families of `likelihood`: −log p(y) with its constants. */
import { realLiteral, type ScalarOperand } from '../../engine/index.ts';
import type { Expression } from './expression.ts';

export interface Family {
  /** Its arguments, in the order in which `minusLog` takes them. */
  readonly arguments: readonly string[];
  /** What can be observed: a number, a count 0, 1, 2, …, or a number above 0. */
  readonly observed: 'number' | 'count' | 'positive';
  /** Arguments that must be above 0 wherever they are data. */
  readonly positive: readonly string[];
  readonly minusLog: (s: Expression, y: ScalarOperand, ...args: ScalarOperand[]) => ScalarOperand;
}

const real = realLiteral;
const halfLogTwoPi = real(0.5 * Math.log(2 * Math.PI));

function family<const A extends readonly string[]>(
  observed: Family['observed'],
  args: A,
  positive: readonly A[number][],
  minusLog: (s: Expression, y: ScalarOperand, ...args: { [K in keyof A]: ScalarOperand }) => ScalarOperand,
): Family {
  return { arguments: args, observed, positive, minusLog: minusLog as Family['minusLog'] };
}

/** ½((y − mean)/sigma)² + log sigma + ½ log 2π */
function normal(s: Expression, y: ScalarOperand, mean: ScalarOperand, sigma: ScalarOperand): ScalarOperand {
  const z = s.divide(s.subtract(y, mean), sigma);
  return s.add(s.multiply(real(0.5), z, z), s.apply('log', sigma), halfLogTwoPi);
}

/** log y! = lgamma(y + 1) */
function logFactorial(s: Expression, y: ScalarOperand): ScalarOperand {
  return s.apply('lgamma', s.add(y, real(1)));
}

export const families = {
  normal: family('number', ['mean', 'sigma'], ['sigma'], normal),

  /** mean − y·log mean + log y! */
  poisson: family('count', ['mean'], [], (s, y, mean) =>
    s.add(s.subtract(mean, s.apply('xlogy', y, mean)), logFactorial(s, y)),
  ),

  /** −log C(n, y) − y·log p − (n − y)·log(1 − p) */
  binomial: family('count', ['probability', 'trials'], [], (s, y, p, n) => {
    const rest = s.subtract(n, y);
    const choices = s.subtract(logFactorial(s, n), s.add(logFactorial(s, y), logFactorial(s, rest)));
    // As xlogy: no failure costs nothing, even where failures are impossible.
    const failures = s.choose(
      s.apply('eq', rest, real(0)),
      () => real(0),
      () => s.multiply(rest, s.apply('log1p', s.apply('neg', p))),
    );
    return s.apply('neg', s.add(choices, s.apply('xlogy', y, p), failures));
  }),

  /** (y − mean)/scale has Student's t distribution with `degrees` degrees of freedom. */
  'student-t': family('number', ['mean', 'scale', 'degrees'], ['scale', 'degrees'], (s, y, mean, scale, degrees) => {
    const z = s.divide(s.subtract(y, mean), scale);
    const half = s.multiply(real(0.5), s.add(degrees, real(1)));
    const constants = s.add(
      s.subtract(s.apply('lgamma', s.multiply(real(0.5), degrees)), s.apply('lgamma', half)),
      s.multiply(real(0.5), s.apply('log', s.multiply(real(Math.PI), degrees))),
      s.apply('log', scale),
    );
    return s.add(constants, s.multiply(half, s.apply('log1p', s.divide(s.multiply(z, z), degrees))));
  }),

  /** Variance mean + dispersion·mean²; Poisson as the dispersion goes to 0. With k = 1/dispersion:
   * log y! + lgamma k − lgamma(y + k) + (y + k)·log(1 + dispersion·mean) − y·log(dispersion·mean) */
  'negative-binomial': family('count', ['mean', 'dispersion'], ['dispersion'], (s, y, mean, dispersion) => {
    const k = s.divide(real(1), dispersion);
    const scaled = s.multiply(dispersion, mean);
    const total = s.add(y, k);
    const gammas = s.subtract(s.add(logFactorial(s, y), s.apply('lgamma', k)), s.apply('lgamma', total));
    return s.subtract(s.add(gammas, s.multiply(total, s.apply('log1p', scaled))), s.apply('xlogy', y, scaled));
  }),

  /** log y is normal with `mean` and `sigma`. */
  'log-normal': family('positive', ['mean', 'sigma'], ['sigma'], (s, y, mean, sigma) => {
    const log = s.apply('log', y);
    return s.add(normal(s, log, mean, sigma), log);
  }),
} as const;

export type FamilyName = keyof typeof families;
export const familyNames = Object.keys(families) as [FamilyName, ...FamilyName[]];
