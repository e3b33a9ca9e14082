/** Where an observation of a family lies: P(Y ≤ y), in numbers, for pictures. */
import betainc from '@stdlib/math-base-special-betainc';
import gammainc from '@stdlib/math-base-special-gammainc';

/** Over the arguments of a family, in their order. */
export interface Distribution {
  /** P(Y ≤ y). */
  readonly below: (y: number, ...values: number[]) => number;
  readonly counts: boolean;
  /** What predictions can be: a mean of counts is not below 0, a probability not above 1. */
  readonly range: readonly [low: number, high: number];
}

const anything = [-Infinity, Infinity] as const;
const notNegative = [0, Infinity] as const;
const share = [0, 1] as const;

/** (y − mean)/scale has Student's t distribution. */
export const studentT: Distribution = {
  below(y, mean = NaN, scale = NaN, degrees = NaN) {
    const t = (y - mean) / scale;
    const beyond = betainc(degrees / (degrees + t * t), degrees / 2, 0.5, true, false) / 2;
    return t > 0 ? 1 - beyond : beyond;
  },
  counts: false,
  range: anything,
};

const laplaceBelow = (y: number, location: number, scale: number): number => {
  const tail = Math.exp(-Math.abs(y - location) / scale) / 2;
  return y > location ? 1 - tail : tail;
};

export const laplace: Distribution = {
  below: (y, location = NaN, scale = NaN) => laplaceBelow(y, location, scale),
  counts: false,
  range: anything,
};

/** Of y whose logarithm has Laplace's distribution. */
export const logLaplace: Distribution = {
  below: (y, location = NaN, scale = NaN) => (y <= 0 ? 0 : laplaceBelow(Math.log(y), location, scale)),
  counts: false,
  range: anything,
};

const poissonBelow = (y: number, mean: number): number =>
  y < 0 ? 0 : mean > 0 ? gammainc(mean, Math.floor(y) + 1, true, true) : 1;

export const poisson: Distribution = {
  below: (y, mean = NaN) => poissonBelow(y, mean),
  counts: true,
  range: notNegative,
};

export const zeroInflatedPoisson: Distribution = {
  below: (y, mean = NaN, inflation = NaN) => (y < 0 ? 0 : inflation + (1 - inflation) * poissonBelow(y, mean)),
  counts: true,
  range: notNegative,
};

export const binomial: Distribution = {
  below(y, probability = NaN, trials = NaN) {
    const k = Math.floor(y);
    return k < 0 ? 0 : k >= trials ? 1 : betainc(1 - probability, trials - k, k + 1, true, false);
  },
  counts: true,
  range: share,
};

/** Variance mean + dispersion·mean². */
export const negativeBinomial: Distribution = {
  below(y, mean = NaN, dispersion = NaN) {
    if (dispersion === 0) return poisson.below(y, mean);
    const k = Math.floor(y);
    return k < 0 ? 0 : betainc(1 / (1 + dispersion * mean), 1 / dispersion, k + 1, true, false);
  },
  counts: true,
  range: notNegative,
};

const gammaBelow = (y: number, shape: number, rate: number): number =>
  y <= 0 ? 0 : rate === Infinity ? 1 : gammainc(rate * y, shape, true, false);

export const gammaByMean: Distribution = {
  below: (y, mean = NaN, shape = NaN) => gammaBelow(y, shape, shape / mean),
  counts: false,
  range: notNegative,
};

export const gammaByRate: Distribution = {
  below: (y, shape = NaN, rate = NaN) => gammaBelow(y, shape, rate),
  counts: false,
  range: notNegative,
};

function betaBelow(y: number, alpha: number, beta: number): number {
  if (y <= 0) return 0;
  return y >= 1 || !(alpha > 0) ? 1 : beta > 0 ? betainc(y, alpha, beta, true, false) : 0;
}

export const betaByMean: Distribution = {
  below: (y, mean = NaN, precision = NaN) => betaBelow(y, mean * precision, (1 - mean) * precision),
  counts: false,
  range: share,
};

export const betaByShapes: Distribution = {
  below: (y, alpha = NaN, beta = NaN) => betaBelow(y, alpha, beta),
  counts: false,
  range: notNegative,
};

/** Class k where the logistic of `location` lies between two thresholds. */
export const ordinal: Distribution = {
  below(y, location = NaN, ...thresholds) {
    const next = thresholds[Math.floor(y)];
    return y < 0 ? 0 : next === undefined ? 1 : 1 / (1 + Math.exp(location - next));
  },
  counts: true,
  range: anything,
};
