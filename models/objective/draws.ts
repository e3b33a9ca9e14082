/** One observation of each family of `likelihood`: what the parametric bootstrap draws. */
import { drawBinomial, drawGamma, drawPoisson } from '../../engine/index.ts';
import type { FamilyName } from './families.ts';
import type { Draw } from './term.ts';

const normal: Draw = (random, mean = NaN, sigma = NaN) => mean + sigma * random.normal();

/** They take the arguments of the family in its order. */
export const draws: { readonly [F in FamilyName]: Draw } = {
  normal,
  poisson: (random, mean = NaN) => drawPoisson(random, mean),
  binomial: (random, probability = NaN, trials = NaN) => drawBinomial(random, trials, probability),

  /** z/√(χ²/degrees) */
  'student-t': (random, mean = NaN, scale = NaN, degrees = NaN) =>
    mean + (scale * random.normal()) / Math.sqrt((2 * drawGamma(random, degrees / 2)) / degrees),

  /** Poisson with a mean that has a gamma distribution of variance dispersion·mean². */
  'negative-binomial': (random, mean = NaN, dispersion = NaN) =>
    drawPoisson(random, dispersion * mean * drawGamma(random, 1 / dispersion)),

  'log-normal': (random, mean = NaN, sigma = NaN) => Math.exp(normal(random, mean, sigma)),
};
