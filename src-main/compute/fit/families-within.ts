/**
 * How the arguments of one likelihood come out of those of another that has it as a case: of the same family in its other spelling,
 * or of one whose end it is. Normal observations are those of Student's t as 1/degrees goes to 0.
 */
import { argumentsOf, type LikelihoodBlock } from '../../../models/blocks/likelihood.ts';
import type { FamilyName } from '../../../models/facts/families.ts';

export interface Within {
  /** For each argument of the small one a formula over those of the large one. */
  readonly by: Readonly<Record<string, string>>;
  /** What is 0 of the large one, and is not below 0 anywhere. */
  readonly edge?: string;
}

const ends: Readonly<Partial<Record<FamilyName, Readonly<Partial<Record<FamilyName, Within>>>>>> = {
  poisson: {
    'negative-binomial': { by: { mean: 'mean' }, edge: 'dispersion' },
    'zero-inflated-poisson': { by: { mean: 'mean' }, edge: 'inflation' },
  },
  normal: { 'student-t': { by: { mean: 'mean', sigma: 'scale' }, edge: '1/degrees' } },
};

/** Of a family that is spelled in two ways: what each argument is by those of the other. */
const spellings: Readonly<Partial<Record<FamilyName, Readonly<Record<string, string>>>>> = {
  gamma: { mean: 'shape/rate', rate: 'shape/mean' },
  beta: {
    mean: 'alpha/(alpha + beta)',
    precision: 'alpha + beta',
    alpha: 'mean*precision',
    beta: '(1 - mean)*precision',
  },
};

/** Undefined where nothing is known of the two. */
export function within(small: LikelihoodBlock, large: LikelihoodBlock): Within | undefined {
  if (small.family !== large.family) return ends[small.family]?.[large.family];
  const own = argumentsOf(large).arguments;
  const keys = Object.keys(argumentsOf(small).arguments);
  return {
    by: Object.fromEntries(keys.map((key) => [key, Object.hasOwn(own, key) ? key : spellings[small.family]![key]!])),
  };
}
