/** What a fit knows of a parameter, whichever block brings it. */
import type { FreedName } from '../supports/index.ts';
import type { JointPrior } from './joint-priors.ts';
import type { PriorDensity } from './priors.ts';

/** What a fit knows of a parameter. Arrays are row-major, one entry for each element. */
export interface ParameterInfo {
  readonly id: string;
  readonly shape: readonly number[];
  readonly initial: readonly number[];
  /** -∞ where there is no bound. */
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  readonly fixed: boolean;
  readonly scale: 'linear' | 'log' | 'logit';
  readonly prior: PriorDensity | undefined;
  /** The prior of all elements together. */
  readonly joint?: JointPrior;
  /** The labels of the category that it is like, one for each element. */
  readonly labels: readonly string[] | undefined;
  /** What it is, where other numbers are varied of which it is computed (../supports). */
  readonly support?: FreedName | 'between';
  /** The references of bounds that depend on parameters. */
  readonly between?: Readonly<Partial<Record<Bound, string>>>;
  /** These are the numbers that are varied in the place of a parameter. */
  readonly freed?: true;
  /** It is the distance from a bound that depends on others. */
  readonly gap?: true;
  /** Those after the first of each row are distances from the one before. */
  readonly ascending?: true;
  /** What its limit is, where that is a model too: the groups do not differ. */
  readonly edge?: string;
  /** What its numbers are called, where they are varied in the place of a parameter. */
  readonly words?: readonly string[];
  /** The random-effect block whose values these are. */
  readonly effect?: string;
}

export type Bound = 'lower' | 'upper';
