/** From where a study draws an element of a parameter: between bounds, uniformly or on a log scale, or from a prior. */

export interface Distribution {
  /** The inverse of its distribution function, on [0, 1]. */
  readonly quantile: (probability: number) => number;
  /** Whether quantile(0) and quantile(1) are finite values that the model may be run at. */
  readonly bounded: boolean;
  /** The unit in which directions of active subspaces are: half the width of a uniform one, else half of what lies
   * between the quantiles of 0.1587 and 0.8413 (the standard deviation of a normal one). */
  readonly spread: number;
  /**
   * The least C known with Var f ≤ C·E[f′²] (a Poincaré inequality); ∞ where there is none.
   * Uniform: width²/π² (Sobol' & Kucherenko 2009, DOI 10.1016/j.matcom.2009.01.023).
   */
  readonly poincare: number;
}

export function uniformDistribution(lower: number, upper: number): Distribution {
  const width = upper - lower;
  return {
    quantile: (probability) => lower + probability * width,
    bounded: true,
    spread: width / 2,
    poincare: (width / Math.PI) ** 2,
  };
}

const oneSigma = 0.15865525393145707;

/**
 * x = eʸ with y uniform, 0 < lower. Its constant is that of y with the chain rule: Var f ≤ (w/π)²·E[(x·f′)²] and x ≤ upper,
 * w = log(upper/lower).
 */
export function logUniformDistribution(lower: number, upper: number): Distribution {
  const width = Math.log(upper / lower);
  const quantile = (probability: number): number =>
    Math.min(Math.max(lower * Math.exp(probability * width), lower), upper);
  return {
    quantile,
    bounded: true,
    spread: (quantile(1 - oneSigma) - quantile(oneSigma)) / 2,
    poincare: ((width / Math.PI) * upper) ** 2,
  };
}

/**
 * A prior by its quantile function, cut to lower..upper. `logConcave`: its density is; then C = 1/ρ(median)²
 * (Lamboni et al. 2013, DOI 10.1016/j.matcom.2013.02.002), which a cut leaves log-concave. `poincare`, where a better one is
 * known for the whole distribution: cutting a strongly log-concave density never makes it worse.
 */
export function priorDistribution(
  quantile: (probability: number) => number,
  { lower, upper, logConcave, poincare }: Cut,
): Distribution {
  const from = lower === -Infinity ? 0 : probabilityOf(quantile, lower);
  const to = upper === Infinity ? 1 : probabilityOf(quantile, upper);
  const cut = (probability: number): number =>
    Math.min(Math.max(quantile(from + probability * (to - from)), lower), upper);
  const step = 1e-5;
  const slope = (cut(0.5 + step) - cut(0.5 - step)) / (2 * step);
  return {
    quantile: cut,
    bounded: Number.isFinite(cut(0)) && Number.isFinite(cut(1)),
    spread: (cut(1 - oneSigma) - cut(oneSigma)) / 2,
    poincare: Math.min(poincare ?? Infinity, logConcave ? slope * slope : Infinity),
  };
}

export interface Cut {
  readonly lower: number;
  readonly upper: number;
  readonly logConcave: boolean;
  readonly poincare?: number;
}

/** F(x) by bisection of the quantile function. */
function probabilityOf(quantile: (probability: number) => number, x: number): number {
  let low = 0;
  let high = 1;
  for (let k = 0; k < 60; k++) {
    const middle = (low + high) / 2;
    if (quantile(middle) < x) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
