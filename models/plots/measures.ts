/**
 * How each block of misfit looks at an observation y: what it predicts of it, and how far y is from that by its own scale,
 * r, which is Pearson's residual where the family is no normal one. Numbers, for pictures: what is minimised is written in
 * `objective`.
 */
import type { LeastSquaresBlock } from '../blocks/least-squares.ts';
import { argumentsOf, type LikelihoodBlock } from '../blocks/likelihood.ts';
import { families as facts } from '../facts/families.ts';
import { families } from '../objective/families.ts';
import type { Family, Looks } from '../objective/families/family.ts';

export interface Measure extends Looks {
  readonly arguments: readonly string[];
  /** The last argument is a list that every row takes whole, in place of an element of it. */
  readonly shared?: true;
  /** The deviation is known up to a factor, which a fit estimates. */
  readonly relative?: true;
  /** Counts: where few are expected they do not lie above and below it alike. */
  readonly counts?: true;
}

const same = (prediction: number): number => prediction;

/** r = √w·(y − prediction), or (y − prediction)/σ; a robust loss bends its square, not the residual. */
function leastSquares({ sigma, weights }: LeastSquaresBlock): Measure {
  const shared = { prediction: 'prediction', expected: same, distribution: 'normal' } as const;
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
      relative: true,
      errors: false,
      residual: 'residual by the root of its weight',
    };
  return {
    ...shared,
    arguments: ['prediction'],
    deviation: () => 1,
    relative: true,
    errors: false,
    residual: 'observed less predicted',
  };
}

export function measureOf(block: LeastSquaresBlock | LikelihoodBlock): Measure {
  if (block.kind === 'least-squares') return leastSquares(block);
  const { looks, shared }: Family = families[block.family];
  const { arguments: names, spelling } = argumentsOf(block);
  return {
    ...{ ...(spelling?.looks ?? looks), arguments: Object.keys(names) },
    ...(shared && { shared: true as const }),
    ...(facts[block.family].observed === 'count' && { counts: true as const }),
  };
}

/** (y − prediction)/deviation, on the scale on which the noise is normal. */
export function residualOf({ prediction, arguments: names, expected, deviation, scale }: Measure) {
  const at = names.indexOf(prediction);
  return (y: number, values: readonly number[]): number =>
    ((scale?.to ?? same)(y) - (scale ? values[at]! : expected(...values))) / deviation(...values);
}
