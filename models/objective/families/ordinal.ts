/**
 * Ordered classes 0, 1, …, K − 1 (proportional odds): a logistic variable about `location`, seen between which of the K − 1
 * ascending `thresholds` c it lies.
 *
 *   P(Y = k) = σ(c_k − location) − σ(c_(k−1) − location),  c_(−1) = −∞, c_(K−1) = ∞
 */
import { intLiteral, realLiteral, type ProgramBuilder, type ScalarOperand, type Value } from '../../../engine/index.ts';
import { families } from '../../facts/families.ts';
import type { Expression } from '../expression.ts';
import { ordinal as distribution } from './distributions.ts';
import type { Family } from './family.ts';

const facts = families.ordinal;

const real = realLiteral;

/** log σ(x) */
const logLogistic = (s: Expression, x: ScalarOperand): ScalarOperand =>
  s.apply('neg', s.apply('logaddexp', real(0), s.apply('neg', x)));

/** log(σ(b) − σ(a)) = log σ(b) + log σ(−a) + log(1 − e^(a − b)) */
function minusLogBetween(s: Expression, location: ScalarOperand, below: ScalarOperand, above: ScalarOperand) {
  const [a, b] = [s.subtract(below, location), s.subtract(above, location)];
  const width = s.apply('log', s.apply('neg', s.apply('expm1', s.subtract(below, above))));
  return s.apply('neg', s.add(logLogistic(s, b), logLogistic(s, s.apply('neg', a)), width));
}

/** The thresholds below and above what was observed. */
function thresholdsAbout(b: ProgramBuilder, observed: Value, thresholds: Value): Value[] {
  const end = (value: number): Value => b.replicate(b.literal(value), [1]);
  const all = b.concatenate([end(-Infinity), thresholds, end(Infinity)], 0);
  const at = (more: number): Value =>
    b.elementwise([observed], (s, y) =>
      s.either(
        s.apply('isnan', y),
        () => intLiteral(0),
        () => s.apply('add', s.apply('int', y), intLiteral(more)),
      ),
    );
  return [b.gather(all, at(0), 'nan'), b.gather(all, at(1), 'nan')];
}

const logistic = (x: number): number => 1 / (1 + Math.exp(-x));

/** P(Y ≥ k + 1) for each threshold c_k. */
const reached = (location: number, thresholds: readonly number[]): number[] =>
  thresholds.map((threshold) => logistic(location - threshold));
const sum = (terms: readonly number[]): number => terms.reduce((total, term) => total + term, 0);

export const ordinal: Family = {
  arguments: facts.arguments,
  shared: { of: thresholdsAbout },
  observed: facts.observed,
  minusLog: (s, _, location, below, above) => minusLogBetween(s, location, below, above),
  draw(random, location = NaN, ...thresholds) {
    const u = random.uniform();
    const seen = location + Math.log(u / (1 - u));
    return thresholds.filter((threshold) => threshold < seen).length;
  },
  looks: {
    prediction: 'location',
    beside: ['thresholds'],
    expected: (location, ...thresholds) => sum(reached(location, thresholds)),
    // Σ (2k − 1)·P(Y ≥ k) is the mean of Y².
    deviation(location, ...thresholds) {
      const chances = reached(location, thresholds);
      return Math.sqrt(sum(chances.map((chance, k) => (2 * k + 1) * chance)) - sum(chances) ** 2);
    },
    errors: false,
    distribution: distribution,
    residual: 'Pearson residual of the class',
  },
};
