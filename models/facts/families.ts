/** Families that a document names, each with its arguments: distributions of observations, priors, and robust losses. */

/** Where an argument may lie. */
export type Range = 'any' | 'positive' | 'not-negative' | 'share';

/** What can be observed: a number; one above 0; one strictly between 0 and 1; a count 0, 1, 2, …. */
export type Observed = 'number' | 'positive' | 'share' | 'count';

export type Arguments = Readonly<Record<string, Range>>;

interface FamilyFacts {
  /** In the order in which −log p takes them. */
  readonly arguments: Arguments;
  /** Other arguments that say the same. */
  readonly spelling?: Arguments;
  readonly observed: Observed;
}

/** Of `likelihood`. */
export const families = {
  normal: { arguments: { mean: 'any', sigma: 'positive' }, observed: 'number' },
  'student-t': { arguments: { mean: 'any', scale: 'positive', degrees: 'positive' }, observed: 'number' },
  'log-normal': { arguments: { mean: 'any', sigma: 'positive' }, observed: 'positive' },
  laplace: { arguments: { location: 'any', scale: 'positive' }, observed: 'number' },
  'log-laplace': { arguments: { location: 'any', scale: 'positive' }, observed: 'positive' },
  gamma: {
    arguments: { mean: 'positive', shape: 'positive' },
    spelling: { shape: 'positive', rate: 'positive' },
    observed: 'positive',
  },
  beta: {
    arguments: { mean: 'share', precision: 'positive' },
    spelling: { alpha: 'positive', beta: 'positive' },
    observed: 'share',
  },
  poisson: { arguments: { mean: 'not-negative' }, observed: 'count' },
  'negative-binomial': { arguments: { mean: 'not-negative', dispersion: 'not-negative' }, observed: 'count' },
  'zero-inflated-poisson': { arguments: { mean: 'not-negative', inflation: 'share' }, observed: 'count' },
  binomial: { arguments: { probability: 'share', trials: 'not-negative' }, observed: 'count' },
  ordinal: { arguments: { location: 'any', thresholds: 'any' }, observed: 'count' },
  density: { arguments: { logDensity: 'any' }, observed: 'number' },
} as const satisfies Readonly<Record<string, FamilyFacts>>;

export type FamilyName = keyof typeof families;
export const familyNames = Object.keys(families) as [FamilyName, ...FamilyName[]];

/** The arguments that a block writes: the family's own, or its other spelling where that is what is written. */
export function spelledArguments(
  family: FamilyName,
  isGiven: (key: string) => boolean,
): { readonly arguments: Arguments; readonly spelled: boolean } {
  const { arguments: own, spelling }: FamilyFacts = families[family];
  const only = Object.keys(spelling ?? {}).some((key) => isGiven(key) && !Object.hasOwn(own, key));
  return spelling && only ? { arguments: spelling, spelled: true } : { arguments: own, spelled: false };
}

type Spelled<F> = F extends { readonly spelling: infer S } ? keyof S : never;
type ArgumentOf<F> = F extends { readonly arguments: infer A } ? keyof A | Spelled<F> : never;

/** A key that is an argument of some family. */
export type FamilyArgument = ArgumentOf<(typeof families)[FamilyName]>;

/** Every key that is an argument of some family. */
export const familyArguments: readonly FamilyArgument[] = [
  ...new Set(
    Object.values<FamilyFacts>(families).flatMap((family) => Object.keys({ ...family.arguments, ...family.spelling })),
  ),
] as FamilyArgument[];

interface PriorFacts {
  readonly arguments: Readonly<Record<string, 'any' | 'positive'>>;
  /** What they begin at where a prior is chosen. */
  readonly begin: Readonly<Record<string, number>>;
}

/** Of `prior`. */
export const priors = {
  normal: { arguments: { mean: 'any', sd: 'positive' }, begin: { mean: 0, sd: 1 } },
  'log-normal': { arguments: { mean: 'any', sd: 'positive' }, begin: { mean: 0, sd: 1 } },
  uniform: { arguments: { lower: 'any', upper: 'any' }, begin: { lower: 0, upper: 1 } },
  gamma: { arguments: { shape: 'positive', rate: 'positive' }, begin: { shape: 2, rate: 1 } },
  beta: { arguments: { alpha: 'positive', beta: 'positive' }, begin: { alpha: 2, beta: 2 } },
  cauchy: { arguments: { location: 'any', scale: 'positive' }, begin: { location: 0, scale: 1 } },
  exponential: { arguments: { rate: 'positive' }, begin: { rate: 1 } },
  'half-normal': { arguments: { sd: 'positive' }, begin: { sd: 1 } },
  'half-cauchy': { arguments: { scale: 'positive' }, begin: { scale: 1 } },
  'student-t': {
    arguments: { location: 'any', scale: 'positive', degrees: 'positive' },
    begin: { location: 0, scale: 1, degrees: 4 },
  },
  'inverse-gamma': { arguments: { shape: 'positive', scale: 'positive' }, begin: { shape: 2, scale: 1 } },
  laplace: { arguments: { location: 'any', scale: 'positive' }, begin: { location: 0, scale: 1 } },
  'log-laplace': { arguments: { location: 'any', scale: 'positive' }, begin: { location: 0, scale: 1 } },
  'log-uniform': { arguments: { lower: 'positive', upper: 'positive' }, begin: { lower: 0.1, upper: 10 } },
  rayleigh: { arguments: { scale: 'positive' }, begin: { scale: 1 } },
} as const satisfies Readonly<Record<string, PriorFacts>>;

export type PriorFamily = keyof typeof priors;
export const priorNames = Object.keys(priors) as [PriorFamily, ...PriorFamily[]];

/** Of `prior`, of all elements together: the arguments, in either way. */
export const jointPriors = {
  'multivariate-normal': {
    arguments: [
      ['mean', 'covariance'],
      ['mean', 'sd', 'correlation'],
    ],
  },
  lkj: { arguments: [['shape']] },
} as const;

type JointPriorFamily = keyof typeof jointPriors;
export const jointPriorNames = Object.keys(jointPriors) as [JointPriorFamily, ...JointPriorFamily[]];

/** ρ(r²) in place of r², with the scale beyond which a residual counts less. */
export const losses = {
  huber: { begin: { scale: 1 } },
  'soft-l1': { begin: { scale: 1 } },
  cauchy: { begin: { scale: 1 } },
} as const;

export type LossName = keyof typeof losses;
export const lossNames = Object.keys(losses) as [LossName, ...LossName[]];
