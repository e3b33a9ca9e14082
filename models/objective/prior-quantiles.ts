/** Quantiles of the prior families, for studies that draw from them, and what is known of their shape. */
import kernelBetaincinv from '@stdlib/math-base-special-kernel-betaincinv';
import gammaincinv from '@stdlib/math-base-special-gammaincinv';
import normalQuantile from '@stdlib/stats-base-dists-normal-quantile';
import studentQuantile from '@stdlib/stats-base-dists-t-quantile';
import { unscaled, type KnownPrior } from './priors.ts';
import type { PriorFamily } from '../facts/families.ts';

interface Quantile {
  /** The inverse of the distribution function at p in [0, 1]. */
  readonly at: (p: number, ...args: number[]) => number;
  readonly logConcave: (...args: number[]) => boolean;
  /** The constant of its Poincaré inequality, where it is known. */
  readonly poincare?: (...args: number[]) => number;
}

const quantiles: { readonly [F in PriorFamily]: Quantile } = {
  normal: {
    at: (p, mean, sd) => normalQuantile(p, mean, sd),
    logConcave: () => true,
    poincare: (_, sd = 1) => sd * sd,
  },
  'log-normal': {
    at: (p, mean, sd) => Math.exp(normalQuantile(p, mean, sd)),
    logConcave: () => false,
  },
  uniform: {
    at: (p, lower = 0, upper = 1) => lower + p * (upper - lower),
    logConcave: () => true,
    poincare: (lower = 0, upper = 1) => ((upper - lower) / Math.PI) ** 2,
  },
  gamma: {
    at: (p, shape = 1, rate = 1) => (p >= 1 ? Infinity : gammaincinv(p, shape) / rate),
    logConcave: (shape = 1) => shape >= 1,
  },
  beta: {
    at: (p, alpha = 1, beta = 1) => (p <= 0 ? 0 : p >= 1 ? 1 : kernelBetaincinv(alpha, beta, p, 1 - p)[0]!),
    logConcave: (alpha = 1, beta = 1) => alpha >= 1 && beta >= 1,
  },
  cauchy: {
    at: (p, location = 0, scale = 1) =>
      p <= 0 ? -Infinity : p >= 1 ? Infinity : location + scale * Math.tan(Math.PI * (p - 0.5)),
    logConcave: () => false,
  },
  exponential: {
    at: (p, rate = 1) => -Math.log1p(-p) / rate,
    logConcave: () => true,
    poincare: (rate = 1) => 4 / (rate * rate),
  },
  'half-normal': {
    at: (p, sd) => normalQuantile((1 + p) / 2, 0, sd),
    logConcave: () => true,
  },
  'half-cauchy': {
    at: (p, scale = 1) => (p >= 1 ? Infinity : scale * Math.tan((Math.PI / 2) * p)),
    logConcave: () => false,
  },
  'student-t': {
    at: (p, location = 0, scale = 1, degrees = 1) => location + scale * studentQuantile(p, degrees),
    logConcave: () => false,
  },
  'inverse-gamma': {
    at: (p, shape = 1, scale = 1) => (p <= 0 ? 0 : p >= 1 ? Infinity : scale / gammaincinv(1 - p, shape)),
    logConcave: () => false,
  },
  laplace: {
    at: (p, location = 0, scale = 1) => location - scale * Math.sign(p - 0.5) * Math.log1p(-2 * Math.abs(p - 0.5)),
    logConcave: () => true,
    poincare: (_, scale = 1) => 4 * scale * scale,
  },
  'log-laplace': {
    at: (p, location = 0, scale = 1) =>
      Math.exp(location - scale * Math.sign(p - 0.5) * Math.log1p(-2 * Math.abs(p - 0.5))),
    logConcave: () => false,
  },
  'log-uniform': {
    at: (p, lower = 1, upper = 1) => lower * (upper / lower) ** p,
    logConcave: () => false,
    poincare: (lower = 1, upper = 1) => ((upper * Math.log(upper / lower)) / Math.PI) ** 2,
  },
  rayleigh: {
    at: (p, scale = 1) => scale * Math.sqrt(-2 * Math.log1p(-p)),
    logConcave: () => true,
  },
};

export function priorQuantile(prior: KnownPrior, p: number): number {
  return unscaled(prior, quantiles[prior.family].at(p, ...prior.arguments));
}

/** What `priorDistribution` of the engine's studies wants to know of the density's shape. */
export function priorShape({ family, of, arguments: args }: KnownPrior): { logConcave: boolean; poincare?: number } {
  if (of !== undefined) return { logConcave: false };
  const { logConcave, poincare } = quantiles[family];
  return { logConcave: logConcave(...args), ...(poincare && { poincare: poincare(...args) }) };
}
