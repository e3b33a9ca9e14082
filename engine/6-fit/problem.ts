/** What is fitted: a program, what of it is minimised, and the parameters with their bounds. It knows no documents. */
import type { Program } from '../0-ir/program.ts';
import type { SizeBinding } from '../0-ir/sizes.ts';
import type { EffectLevel } from './effects.ts';
import type { SweepOptions } from './derivative-programs.ts';

/** The scale on which a parameter is varied. A `log` one is positive, a `logit` one lies between its two bounds. */
export type ParameterScale = 'linear' | 'log' | 'logit';

export interface FitParameter {
  /** The program's parameter of this name. */
  readonly name: string;
  /** Of its array, outermost first; [] for a scalar. */
  readonly shape: readonly number[];
  /** One number for each element, as are the bounds; ±∞ where there is none. */
  readonly initial: readonly number[];
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  readonly fixed: boolean;
  readonly scale: ParameterScale;
  /** Its numbers are no elements of what has the name, but free ones of which that is computed. */
  readonly freed?: true;
  /** It is the distance from a bound that depends on others. */
  readonly gap?: true;
  /** Of what is freed: numbers after the first of each row are how far an element lies above the one before, 0 or more. */
  readonly ascending?: true;
  /** What its limit is, where that is a model too: a fit that runs off to it has arrived. */
  readonly edge?: string;
  /** Of what is freed: what its numbers are called, where their places are not what says most. */
  readonly words?: readonly string[];
}

export interface FitProblem {
  readonly program: Program;
  /**
   * Scalar result that is minimised: the objective's value, or the negative log of the posterior where there are
   * priors.
   */
  readonly energy: string;
  /** Scalar result that is reported: the objective without priors. */
  readonly objective: string;
  /** Results whose squares add up to the energy; empty where it is no sum of squares. */
  readonly residuals: readonly string[];
  /** Number of rows that count: those whose observation is not missing. */
  readonly observations: number;
  /** Σ log w of those rows, where squares are weighted. */
  readonly logWeights?: number;
  /** Whether residuals are in units of a known sigma: then the covariance is not scaled, and intervals use z. */
  readonly sigmaKnown: boolean;
  /** Whether any residual is bent by a robust loss: the energy is then no likelihood, and errors are those of an M-estimator. */
  readonly robust?: boolean;
  /** The energy is neither a −log density nor a sum of squares: its curvature tells no errors. */
  readonly noDensity?: true;
  readonly parameters: readonly FitParameter[];
  /** By how much fewer numbers are free than these have elements: as shares that sum to 1. */
  readonly tied?: number;
  /**
   * What is integrated out (marginal/marginal.ts), the coarsest level first: parameters that are fixed for all else. The
   * energy is then of effects and parameters jointly.
   */
  readonly effects?: readonly EffectLevel[];
  /** Groups of these meet, as the times of a process do: all effects are one block. */
  readonly together?: true;
  /** Where groups are asked for one by one: by quadrature, or as they are drawn again. */
  readonly byGroup?: ByGroup;
  /** So many points for each effect, where by quadrature (marginal/quadrature.ts) and not by Laplace's approximation. */
  readonly quadrature?: { readonly points: number };
  /** By its expected information (marginal/information.ts) in the place of its curvature, where that is asked for. */
  readonly information?: ExpectedInformation;
  /** With that information, about effects of 0 and not about their modes (marginal/first-order.ts). */
  readonly firstOrder?: true;
  /** Without effects, where the program is long: what Fisher scoring goes by (long/scoring.ts), with −log p of the priors. */
  readonly scoring?: { readonly terms: readonly Informed[]; readonly priors?: string };
  /** Parameters that are integrated out as well (marginal/restricted.ts), in which the model is linear. */
  readonly restricted?: readonly string[];
  /** All inputs of the program but the parameters. */
  readonly data: ReadonlyMap<string, ArrayLike<number>>;
  readonly sizes: SizeBinding;
  /** How its reverse sweeps are written, where that is not left to the estimates. */
  readonly sweep?: Pick<SweepOptions, 'force' | 'onChoice'>;
}

export type FitStatus = 'converged' | 'not-converged' | 'failed' | 'cancelled';

/** What the program has for groups taken one by one. */
export interface ByGroup {
  /** The energy without priors, each group's share of it times its weight. */
  readonly weighted: string;
  /** The input that holds the weights. */
  readonly weights: string;
}

/** What the observations of a term tell of the arguments of their distribution, by results of the program. */
export interface Informed {
  readonly block: string;
  /** The arguments of the observations' distribution, each of their shape. */
  readonly arguments: readonly string[];
  /** Of one observation, by pairs of arguments, each pair once. */
  readonly entries: readonly { readonly by: readonly [number, number]; readonly name: string }[];
}

/** What expected information is made of, by results of the program. */
export interface ExpectedInformation {
  readonly terms: readonly Informed[];
  /** −log density of the effects. */
  readonly effects: string;
  /** Inputs that stand for the noise of a block, and the results that it is where all effects are 0. */
  readonly held: readonly { readonly block: string; readonly input: string; readonly value: string }[];
}

/** Where an optimiser ended, in the coordinates in which it worked. */
export interface Ending {
  readonly status: FitStatus;
  /** One sentence. */
  readonly reason: string;
  readonly point: Float64Array;
  readonly iterations: number;
  /** The energy after each iteration, the start first. */
  readonly history: readonly number[];
  /** It could go no further, and knows no curvature: what that means is left to the stop test (arrival.ts). */
  readonly unjudged?: true;
  /** Names of parameters that were solved for (variable-projection.ts). */
  readonly solved?: readonly string[];
  /** Where no Hessian tells it: by how much conjugate gradients, or the slopes about a kink, found that −log L would be lowered. */
  readonly decrement?: number;
  /** The minimum is at a kink (optimisers/bundle.ts). */
  readonly kink?: true;
  /** The energy falls without end from here: no other way leads to a minimum. */
  readonly endless?: true;
  /** A coordinate stands on the edge of where the model has a value, and the others are as low as they come beside it. */
  readonly edge?: true;
}

export interface OptimiserOptions {
  readonly maxIterations: number;
  /** Of the device's numbers, relative: 2⁻⁵², or 2⁻²³ in f32. */
  readonly rounding?: number;
  /** Of squares: whether they are in units of a known sigma, how many rows count, unless all residuals do, and whether they are bent. */
  readonly sigmaKnown?: boolean;
  readonly observations?: number;
  readonly robust?: boolean;
  /** Of squares: positions of coordinates that enter linearly and are solved for (variable-projection.ts). */
  readonly solved?: readonly number[];
  /** Word 0 becomes non-zero when the user stops. */
  readonly cancel?: Int32Array;
  /** The best point so far. */
  readonly onIteration?: (iteration: number, energy: number, point: Float64Array) => void;
}

export const DOUBLE = 2 ** -52;

/** Why a descent ends that its limit has cut. */
export const notEnough = (iterations: number): string => `${iterations} iterations were not enough`;

/** Where the user stopped it, whatever was to come of it. */
export function stoppedAt<E extends Pick<Ending, 'status' | 'reason'>>(ending: E): E {
  return { ...ending, status: 'cancelled', reason: 'stopped by the user' };
}

export function isCancelled(cancel: Int32Array | undefined): boolean {
  return cancel !== undefined && Atomics.load(cancel, 0) !== 0;
}
