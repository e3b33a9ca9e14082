/**
 * How each block of misfit looks at an observation y: what it predicts of it, and how far y is from that by its own scale,
 * r, which is Pearson's residual where the family is no normal one. Numbers, for pictures: what is minimised is written in
 * `objective`.
 */
import type { LeastSquaresBlock } from '../blocks/least-squares.ts';
import type { LikelihoodBlock } from '../blocks/likelihood.ts';
import type { FamilyName } from '../objective/families.ts';

export interface Measure {
  /** The argument whose values make the curve. */
  readonly prediction: string;
  readonly arguments: readonly string[];
  /** Arguments beside the prediction of which the expectation is made too. */
  readonly beside?: readonly string[];
  /** Of the arguments' values: what is expected of an observation. */
  readonly expected: (...values: number[]) => number;
  /** The standard deviation of an observation about it; 1 where the noise is not known before a fit, NaN where there is none. */
  readonly deviation: (...values: number[]) => number;
  /** Where the noise is normal after a change of the observation's scale: y ↦ the scale of the prediction. */
  readonly scale?: { readonly to: (y: number) => number; readonly from: (value: number) => number };
  /** Whether the deviation is a number that stands in the document or its data: drawn about each point. */
  readonly errors: boolean;
  /** Of each argument, what a new observation has where rows differ in it; NaN where nothing is usual. */
  readonly usual?: readonly number[];
  /** What a residual is, in words. */
  readonly residual: string;
}

const same = (prediction: number): number => prediction;

/** Over the arguments `mean` and what else the family takes. */
const families: { readonly [F in FamilyName]: Measure } = {
  normal: {
    prediction: 'mean',
    arguments: ['mean', 'sigma'],
    expected: same,
    deviation: (_, sigma) => sigma,
    errors: true,
    residual: 'residual over σ',
  },
  poisson: {
    prediction: 'mean',
    arguments: ['mean'],
    expected: same,
    deviation: (mean) => Math.sqrt(mean),
    errors: false,
    residual: 'Pearson residual',
  },
  binomial: {
    prediction: 'probability',
    arguments: ['probability', 'trials'],
    beside: ['trials'],
    expected: (p, n) => p * n,
    deviation: (p, n) => Math.sqrt(n * p * (1 - p)),
    errors: false,
    residual: 'Pearson residual',
  },
  'student-t': {
    prediction: 'mean',
    arguments: ['mean', 'scale', 'degrees'],
    expected: same,
    deviation: (_, scale) => scale,
    errors: false,
    residual: 'residual over the scale',
  },
  'negative-binomial': {
    prediction: 'mean',
    arguments: ['mean', 'dispersion'],
    expected: same,
    deviation: (mean, dispersion) => Math.sqrt(mean + dispersion * mean ** 2),
    errors: false,
    residual: 'Pearson residual',
  },
  'log-normal': {
    prediction: 'mean',
    arguments: ['mean', 'sigma'],
    expected: (mean) => Math.exp(mean),
    deviation: (_, sigma) => sigma,
    scale: { to: Math.log, from: Math.exp },
    errors: false,
    residual: 'residual of the logarithm over σ',
  },
};

/** r = √w·(y − prediction), or (y − prediction)/σ; a robust loss bends its square, not the residual. */
function leastSquares({ sigma, weights }: LeastSquaresBlock): Measure {
  const shared = { prediction: 'prediction', expected: same };
  if (sigma !== undefined)
    return {
      ...shared,
      arguments: ['prediction', 'sigma'],
      deviation: (_, s) => s,
      errors: true,
      residual: 'residual over σ',
    };
  if (weights !== undefined)
    return {
      ...shared,
      arguments: ['prediction', 'weights'],
      usual: [NaN, 1],
      deviation: (_, w) => 1 / Math.sqrt(w),
      errors: false,
      residual: 'residual by the root of its weight',
    };
  return {
    ...shared,
    arguments: ['prediction'],
    deviation: () => 1,
    errors: false,
    residual: 'observed less predicted',
  };
}

export function measureOf(block: LeastSquaresBlock | LikelihoodBlock): Measure {
  return block.kind === 'likelihood' ? families[block.family] : leastSquares(block);
}

/** (y − prediction)/deviation, on the scale on which the noise is normal. */
export function residualOf({ prediction, arguments: names, expected, deviation, scale }: Measure) {
  const at = names.indexOf(prediction);
  return (y: number, values: readonly number[]): number =>
    ((scale?.to ?? same)(y) - (scale ? (values[at] as number) : expected(...values))) / deviation(...values);
}
