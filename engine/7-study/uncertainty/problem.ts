/** What every method of a study of uncertainty answers. */
import type { Verdict } from '../../6-fit/report/verdict.ts';
import type { Predictive } from './predictive.ts';

/** Of one free element. NaN where undefined, ±∞ where an interval has no end. */
export interface ElementInterval {
  readonly lower: number;
  readonly upper: number;
  readonly verdict: Verdict;
  /** Whatever else the method knows of it. */
  readonly figures: Readonly<Record<string, number>>;
}

export interface MethodResult {
  /** In the order of `Fitted.names`. */
  readonly intervals: readonly ElementInterval[];
  readonly diagnostics: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
  readonly cancelled: boolean;
  readonly profiles?: readonly Profile[];
  /** The critical value at which profiles end. */
  readonly cutoff?: number;
  /** By element and chain, in the parameters' own values; the replicates of a bootstrap are one chain. */
  readonly draws?: readonly (readonly Float64Array<ArrayBuffer>[])[];
  /** Of the draws, where that is not the fit's. */
  readonly correlation?: readonly (readonly number[])[];
  /** What stands for the parameters where the fit does not: it has not converged, or no draw is near it. */
  readonly values?: readonly number[];
  readonly predictive?: Predictive;
  /** By chain, the draws whose trajectories diverged. */
  readonly divergent?: readonly (readonly number[])[];
}

/** A study that cannot be made of this problem: one sentence for the user. */
export class StudyRefusal extends Error {
  override readonly name = 'StudyRefusal';
}

/** A profile as far as it was followed, by the element's own values in ascending order. */
export interface Profile {
  readonly name: string;
  readonly values: readonly number[];
  /** sign(p − p̂)·√((E(p) − E(p̂))/s²), or √(2ΔE) of a likelihood: the interval ends where it is ± the critical value. */
  readonly roots: readonly number[];
}

/** Numbers drawn, over all elements, that a study which is stopped still looks at: it ends as soon however long it ran. */
const lookedAtOnceStopped = 10_000;
/** Of fewer draws nothing can be said. */
const atLeast = 25;

/** Of so many series of draws, how many of each are looked at once the study is stopped. */
export const mostLookedAt = (series: number): number => Math.max(atLeast, Math.floor(lookedAtOnceStopped / series));

export const partlyLookedAt = (looked: number, made: number, what: string): string =>
  `stopped: figures are of ${looked} of the ${made} ${what}, so that nobody waits for the others`;

export interface MethodOptions {
  readonly level: number;
  readonly seed: number;
  readonly cancel?: Int32Array;
  readonly onProgress?: (share: number) => void;
}
