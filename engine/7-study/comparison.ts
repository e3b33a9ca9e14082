/**
 * Models of the same data, side by side.
 *
 *   Δᵢ = AICcᵢ − min AICc,   wᵢ = e^(−Δᵢ/2) / Σⱼ e^(−Δⱼ/2)      (Burnham & Anderson 2002, DOI 10.1007/b97636)
 *
 * The sum is over models, each once: one that is there a second time would take from the weights of all.
 *
 * Where a small model is a large one with d parameters the less, and the small one is true:
 *
 *   noise estimated   F = (SSRₛ − SSRₗ)/d ÷ SSRₗ/(n − pₗ) has the F distribution with d and n − pₗ degrees of freedom
 *   else              2·(log Lₗ − log Lₛ) has the χ² distribution with d degrees of freedom (Wilks 1938)
 *
 * Where the large model has a variance of random effects that is 0 in the small one, that lies at its bound: half the time
 * nothing is gained by it, and the distribution is half χ² with d − 1 and half with d degrees (Self and Liang 1987, DOI
 * 10.1080/01621459.1987.10478472; Stram and Lee 1994, DOI 10.2307/2533455). With several such variances p is at most this. The same
 * holds of F, and of other parameters, where all that the large model has more of lies at its bound in the small one: where an
 * amplitude is 0 a rate beside it means nothing, and neither distribution is right. Of a family that is the end of another (Poisson of
 * the negative binomial) what lies there is one number, as a variance of effects.
 */
import betainc from '@stdlib/math-base-special-betainc';
import gammainc from '@stdlib/math-base-special-gammainc';

/** What is known of a fitted model. Figures that are not defined are NaN. */
export interface Candidate {
  readonly aicc: number;
  /** Σ r² or Σ weights·r² where the noise is estimated. */
  readonly squares: number | undefined;
  readonly logLikelihood: number;
  /** Directions of the free parameters that the data see, sigma not among them. */
  readonly parameters: number;
  readonly observations: number;
  /** Standard deviations of random effects among the parameters. */
  readonly deviations?: number;
}

export interface Weighed {
  readonly delta: number;
  readonly weight: number;
}

/** NaN of those without an AICc, which are left out of the others' weights; `again`: which are there already, and have no weight. */
export function akaikeWeights(criteria: readonly number[], again: readonly boolean[] = []): Weighed[] {
  const least = Math.min(...criteria.filter((value) => !Number.isNaN(value)));
  const deltas = criteria.map((value) => value - least);
  const shares = deltas.map((delta, i) => (again[i] ? NaN : Math.exp(-delta / 2)));
  const total = shares.reduce((sum, share) => (Number.isNaN(share) ? sum : sum + share), 0);
  return deltas.map((delta, i) => ({ delta, weight: shares[i]! / total }));
}

export interface NestedTest {
  readonly test: 'F' | 'likelihood-ratio';
  /** How likely data as far from the small model are when it is true; NaN where there is no freedom to tell. */
  readonly p: number;
}

/** Of twice log L: what two fits that have converged may leave of one minimum. */
const LEFT = 1e-6;

/** `small` is a case of `large`, which has more parameters, with so many of its elements `atBound`; `ofFamily`: at the end of its family. */
export function nestedTest(small: Candidate, large: Candidate, atBound = 0, ofFamily = false): NestedTest {
  const d = large.parameters - small.parameters;
  const isHalved = ofFamily || atBound === d || (large.deviations ?? 0) > (small.deviations ?? 0);
  /** `above` so many degrees of freedom: of none all lies at 0. */
  const mixed = (statistic: number, above: (d: number) => number): number => {
    const fewer = d > 1 ? above(d - 1) : statistic > LEFT ? 0 : 1;
    return isHalved ? (above(d) + fewer) / 2 : above(d);
  };
  if (small.squares === undefined || large.squares === undefined) {
    const ratio = 2 * (large.logLikelihood - small.logLikelihood);
    return { test: 'likelihood-ratio', p: mixed(ratio, (degrees) => aboveChiSquared(ratio, degrees)) };
  }
  const freedom = large.observations - large.parameters;
  const squares = (small.squares - large.squares) / (large.squares / freedom);
  return { test: 'F', p: freedom > 0 ? mixed(squares, (degrees) => aboveF(squares / degrees, degrees, freedom)) : NaN };
}

/** P(X > x) of F with d₁ and d₂ degrees of freedom: I(d₂/(d₂ + d₁x); d₂/2, d₁/2). */
export function aboveF(x: number, d1: number, d2: number): number {
  return x > 0 ? betainc(d2 / (d2 + d1 * x), d2 / 2, d1 / 2, true, false) : 1;
}

/** P(X > x) of χ² with d degrees of freedom: Q(d/2, x/2). */
export function aboveChiSquared(x: number, d: number): number {
  return x > 0 ? gammainc(x / 2, d / 2, true, true) : 1;
}
