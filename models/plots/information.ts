/**
 * What one more observation tells of the arguments of its distribution: the expected information Σ vₖ·vₖᵀ with
 * vₖ = factor·∇(argument).
 *
 *   normal      1/σ² of the mean, 2/σ² of σ          poisson    1/μ          binomial   n/(p(1 − p))
 *   student-t   (ν + 1)/((ν + 3)·s²) of the mean, 2ν/((ν + 3)·s²) of the scale          negative binomial   1/(μ + αμ²)
 *   gamma       k/μ² of the mean, ψ′(k) − 1/k of the shape k
 *
 * What an observation tells of `degrees` and `dispersion` is left out: so it tells a little more than is said.
 */
import { polygamma } from '../../engine/index.ts';
import type { LeastSquaresBlock } from '../blocks/least-squares.ts';
import { argumentsOf, type LikelihoodBlock } from '../blocks/likelihood.ts';
import type { FamilyName } from '../facts/families.ts';

/** By argument, from the values of all arguments in their order. */
type Factors = (...values: number[]) => readonly { readonly argument: number; readonly factor: number }[];

const location = (factor: number) => ({ argument: 0, factor });
const second = (factor: number) => ({ argument: 1, factor });
const normal: Factors = (_, sigma = NaN) => [location(1 / sigma), second(Math.SQRT2 / sigma)];

/** Those of which it is known. */
const families: { readonly [F in FamilyName]?: Factors } = {
  normal,
  'log-normal': normal,
  poisson: (mean = NaN) => [location(1 / Math.sqrt(mean))],
  binomial: (p = NaN, n = NaN) => [location(Math.sqrt(n / (p * (1 - p))))],
  'student-t': (_, scale = NaN, degrees = NaN) => [
    location(Math.sqrt((degrees + 1) / (degrees + 3)) / scale),
    second(Math.sqrt((2 * degrees) / (degrees + 3)) / scale),
  ],
  gamma: (mean = NaN, shape = NaN) => [
    location(Math.sqrt(shape) / mean),
    second(Math.sqrt(polygamma(1, shape) - 1 / shape)),
  ],
  'negative-binomial': (mean = NaN, dispersion = NaN) => [location(1 / Math.sqrt(mean + dispersion * mean ** 2))],
};

/**
 * Over the arguments of the block's `Measure` (measures.ts); `variance` of the noise where it is estimated. Undefined of a
 * family, a spelling or a truncated observation of which it is not known. One more beside censored ones is one that is read:
 * whether it will lie beyond a limit nobody knows, and what the others tell is in the Hessian.
 */
export function informationFactors(block: LeastSquaresBlock | LikelihoodBlock, variance: number): Factors | undefined {
  if (block.kind === 'likelihood')
    return argumentsOf(block).spelling || block.truncated !== undefined ? undefined : families[block.family];
  if (block.sigma !== undefined) return (_, sigma = NaN) => [location(1 / sigma)];
  if (block.weights !== undefined) return (_, weight = NaN) => [location(Math.sqrt(weight / variance))];
  return () => [location(1 / Math.sqrt(variance))];
}
