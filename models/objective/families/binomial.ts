/**
 * −log C(n, y) − y·log p − (n − y)·log(1 − p), between its ends about y:
 *
 *   y·log(y/np) + (n − y)·log((n − y)/n(1 − p)) + ½·log(2π·y(n − y)/n) + δ(y) + δ(n − y) − δ(n)
 */
import { drawBinomial, realLiteral, type ScalarOperand } from '../../../engine/index.ts';
import { families } from '../../facts/families.ts';
import type { Expression } from '../expression.ts';
import { binomial as distribution } from './distributions.ts';
import { family, named } from './family.ts';
import { halfLog, logFactorial, logRatio, remainder } from './saddle.ts';

const facts = families.binomial;

const real = realLiteral;

/** At an end, y = 0 or y = n: where what did not happen is impossible, it costs nothing. */
function atEnd(s: Expression, y: ScalarOperand, rest: ScalarOperand, p: ScalarOperand, n: ScalarOperand) {
  const choices = s.subtract(logFactorial(s, n), s.add(logFactorial(s, y), logFactorial(s, rest)));
  const failures = s.choose(
    s.apply('and', s.apply('eq', rest, real(0)), s.apply('eq', p, real(1))),
    () => real(0),
    () => s.multiply(rest, s.apply('log1p', s.apply('neg', p))),
  );
  return s.apply('neg', s.add(choices, s.apply('xlogy', y, p), failures));
}

/** By the log-odds z in the place of the probability. */
function byLogOdds(s: Expression, y: ScalarOperand, z: ScalarOperand, n: ScalarOperand) {
  const rest = s.subtract(n, y);
  const choices = s.subtract(logFactorial(s, n), s.add(logFactorial(s, y), logFactorial(s, rest)));
  const beyond = s.apply('log1p', s.apply('exp', s.apply('neg', s.apply('abs', z))));
  const share = (of: ScalarOperand, odds: ScalarOperand) =>
    s.multiply(of, s.subtract(beyond, s.apply('min', odds, real(0))));
  return s.subtract(s.add(share(y, z), share(rest, s.apply('neg', z))), choices);
}

export const binomial = family({
  arguments: facts.arguments,
  observed: facts.observed,
  // From there on 1 − p loses digits, and at 37 the last.
  logOdds: {
    of: 'probability',
    from: 10,
    minusLog: (s, y, z, ...args) => byLogOdds(s, y, z, args[1]!),
  },
  minusLog(s, y, { probability: p, trials: n }) {
    const rest = s.subtract(n, y);
    return s.choose(
      s.apply('or', s.apply('eq', y, real(0)), s.apply('eq', rest, real(0))),
      () => atEnd(s, y, rest, p, n),
      () => {
        const [successes, failures] = [s.multiply(n, p), s.multiply(n, s.subtract(real(1), p))];
        const beyond = s.subtract(y, successes);
        return s.add(
          s.multiply(y, logRatio(s, y, successes, beyond)),
          s.multiply(rest, logRatio(s, rest, failures, s.apply('neg', beyond))),
          halfLog(s, s.multiply(y, s.divide(rest, n))),
          s.subtract(s.add(remainder(s, y), remainder(s, rest)), remainder(s, n)),
        );
      },
    );
  },
  information: [
    {
      by: [0, 0],
      write: named(facts.arguments, (s, { probability: p, trials }) =>
        s.divide(trials, s.multiply(p, s.subtract(real(1), p))),
      ),
    },
  ],
  draw: (random, probability = NaN, trials = NaN) => drawBinomial(random, trials, probability),
  looks: {
    prediction: 'probability',
    beside: ['trials'],
    expected: (p, n = NaN) => p * n,
    deviation: (p, n = NaN) => Math.sqrt(n * p * (1 - p)),
    errors: false,
    distribution: distribution,
    residual: 'Pearson residual',
  },
});
